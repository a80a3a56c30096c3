// What an answer that is no success means, in words for the person who has to act. Pure.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "ports/cluster.h"

namespace gpumedic::adapters::kube {

/// What was asked for, in the words of RBAC.
struct Asked {
    std::string verb{};          // get, list, watch
    ports::ResourceType type{};  // plural may hold a subresource: "pods/log"; empty for a plain path
    std::string namespace_{};
    std::string name{};
    std::string path{};
};

/// "list pods", "get virtualmachines.kubevirt.io web/db-1"
[[nodiscard]] std::string words_of(const Asked& asked);

/// The error of an HTTP status of 300 and more; `body` is a Kubernetes Status object or any other text.
[[nodiscard]] base::Error error_of_status(const Asked& asked, long status, std::string_view body,
                                          const std::string& server);

/// The path below the server of a resource: "/api/v1/namespaces/web/pods/db-1".
[[nodiscard]] std::string path_of(const ports::ResourceType& type, std::string_view namespace_, std::string_view name);
/// Percent-encoding of one piece of a path or query (RFC 3986: all but unreserved letters).
[[nodiscard]] std::string escape(std::string_view text);

}  // namespace gpumedic::adapters::kube
