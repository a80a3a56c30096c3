// What comes from outside: kubeconfig files, answers of servers, answers of credential plugins.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "adapters/kube/answer.h"
#include "adapters/kube/exec_plugin.h"
#include "adapters/kube/item_stream.h"
#include "adapters/kube/json_layout.h"
#include "adapters/kube/kubeconfig.h"
#include "adapters/kube/node_selection.h"
#include "base/check.h"
#include "codec/base64.h"

using namespace gpumedic::adapters::kube;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
    const std::string text(bytes, bytes + size);
    const std::string_view view(text);
    std::string whole;
    std::string halves;
    NodeSelection selection("n");
    ItemStream first([&](std::string_view item) {
        whole += item;
        selection.add_pod(item);
        selection.add_vmi(item);
        if (!selection.take_event(item) && selection.is_vm_of_node(item))
            append_laid_out(whole, with_kind(item, "v1", "Pod"), 2);
        return gpumedic::ports::Flow::go_on;
    });
    static_cast<void>(first.feed(view));
    ItemStream second([&](std::string_view item) {
        halves += item;
        return gpumedic::ports::Flow::go_on;
    });
    static_cast<void>(second.feed(view.substr(0, size / 2)));
    static_cast<void>(second.feed(view.substr(size / 2)));
    CHECK(first.items() == second.items(), "the same objects wherever the text is cut");
    CHECK(first.frame().has_value() == second.frame().has_value(), "the same verdict wherever the text is cut");
    static_cast<void>(member_text(view, "object"));
    static_cast<void>(gpumedic::codec::decode_base64(view));
    static_cast<void>(parse_exec_credential(view, {.api_version = "client.authentication.k8s.io/v1"}));
    static_cast<void>(error_of_status({.verb = "get", .path = "/"}, size % 600, view, "s"));
    // Files that the text names are not opened: /dev/null/ is no folder.
    if (const auto file = parse_kubeconfig(text, "/dev/null/config");
        file && view.find("certificate-authority:") == std::string_view::npos) {
        static_cast<void>(resolve_context({*file}, {}));
    }
    return 0;
}
