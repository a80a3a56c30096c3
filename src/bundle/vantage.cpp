#include "bundle/vantage.h"

#include <algorithm>
#include <array>

#include "base/text.h"

namespace gpumedic::bundle {
namespace {

using namespace std::string_view_literals;

constexpr std::array kVirtualBoards{"KubeVirt"sv, "QEMU"sv, "OpenStack"sv, "VMware"sv, "Standard PC"sv};

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

bool has_word_guest(std::string_view name) {
    const std::string text = base::lower(name);
    for (std::size_t at = text.find("guest"); at != std::string::npos; at = text.find("guest", at + 1)) {
        const std::size_t end = at + 5;
        if ((at == 0 || !is_letter(text[at - 1])) && (end == text.size() || !is_letter(text[end]))) return true;
    }
    return false;
}

}  // namespace

void VantageClues::see_path(std::string_view path) {
    // The last two parts: a folder further up ("/home/guest") says where the evidence lies, not what it is.
    std::size_t start = path.rfind('/');
    if (start != std::string_view::npos && start > 0) start = path.rfind('/', start - 1);
    if (has_word_guest(start == std::string_view::npos ? path : path.substr(start + 1))) named_guest_ = true;
}

void VantageClues::see_record(const model::Record& record) {
    if (record.type == model::RecordType::kernel) {
        if (record.text.starts_with("vfio-pci ")) runs_guests_ = true;
        if (record.text.starts_with("Hypervisor detected:")) inside_hypervisor_ = true;
        if (record.text.starts_with("DMI: ")) {
            inside_hypervisor_ =
                inside_hypervisor_ || std::any_of(kVirtualBoards.begin(), kVirtualBoards.end(),
                                                  [&record](auto board) { return base::contains(record.text, board); });
        }
    } else if (record.type == model::RecordType::virt && !runs_guests_) {
        runs_guests_ = record.field("component") == "virt-handler";
    }
}

model::Vantage VantageClues::verdict() const {
    if (inside_hypervisor_) return model::Vantage::guest;
    if (runs_guests_) return model::Vantage::host;
    return named_guest_ ? model::Vantage::guest : model::Vantage::unknown;
}

}  // namespace gpumedic::bundle
