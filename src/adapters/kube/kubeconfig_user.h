// One named entry of a kubeconfig's list, and what a user's entry says of who we are.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "adapters/kube/access.h"
#include "codec/value.h"

namespace gpumedic::adapters::kube {

enum class Choice : std::uint8_t { no, yes };

struct Entry {
    std::string list{};  // "clusters"
    std::string name{};
    std::string path{};  // of the file
    const codec::Value* body{nullptr};

    [[nodiscard]] std::string place(const codec::Value* at) const;
    /// `where` is file:line:column, `what` names list, entry and field.
    [[nodiscard]] tl::unexpected<base::Error> mistake(const codec::Value* at, std::string_view field,
                                                      std::string_view what, std::string help = {}) const;
    /// Empty where the field is missing.
    [[nodiscard]] base::Result<std::string> text(std::string_view field) const;
    /// A path, made absolute by the file's folder.
    [[nodiscard]] base::Result<std::string> file(std::string_view field) const;
    /// Bytes from base64.
    [[nodiscard]] base::Result<std::string> data(std::string_view field) const;
    [[nodiscard]] base::Result<Choice> choice(std::string_view field) const;
};

[[nodiscard]] base::Result<Identity> read_identity(const Entry& user);

}  // namespace gpumedic::adapters::kube
