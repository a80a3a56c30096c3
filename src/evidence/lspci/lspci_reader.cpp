#include "evidence/lspci/lspci_reader.h"

#include <map>
#include <utility>
#include <vector>

#include "base/text.h"
#include "evidence/lspci/command.h"
#include "evidence/lspci/device.h"

namespace gpumedic::evidence {
namespace {

using lspci::Command;
using lspci::Device;

/// More functions than this in one listing are delivered in portions: memory stays bounded on hostile input.
constexpr std::size_t kMaxDevices = 16 * 1024;

class LspciReader final : public ports::Reader {
public:
    LspciReader(const ports::ReadContext& context, ports::RecordSink sink)
        : sink_(std::move(sink)), command_(lspci::parse_command(context.command)) {}

    void line(std::string_view text, std::uint64_t number) override;
    void finish() override { deliver_devices(); }
    [[nodiscard]] const ports::ReadStats& stats() const override { return stats_; }

private:
    bool take_prompt(std::string_view text);
    void start_device(Device device, std::uint64_t number);
    void take_detail(std::string_view text, std::uint64_t number);
    void take_register(std::string_view text, std::uint64_t number);
    void deliver(const model::Record& record);
    void deliver_text(std::string_view text, std::uint64_t number);
    void deliver_devices();
    void deliver_device(const Device& device, const std::string& function0_driver);

    ports::RecordSink sink_;
    Command command_;
    std::size_t next_register_{0};
    std::vector<Device> devices_;
    bool in_device_{false};
    ports::ReadStats stats_;
};

void LspciReader::line(std::string_view text, std::uint64_t number) {
    if (base::trim(text).empty()) {
        in_device_ = false;
        return;
    }
    if (take_prompt(text)) return;
    if (command_.tool == Command::Tool::setpci) return take_register(text, number);
    if (auto device = lspci::parse_header(text)) return start_device(std::move(*device), number);
    take_detail(text, number);
}

/// A transcript that nobody split: the next command's answer follows.
bool LspciReader::take_prompt(std::string_view text) {
    if (!text.starts_with("$ ") && !text.starts_with("# ")) return false;
    auto command = lspci::parse_command(text.substr(2));
    if (command.tool == Command::Tool::none) return false;
    deliver_devices();
    command_ = std::move(command);
    next_register_ = 0;
    return true;
}

void LspciReader::start_device(Device device, std::uint64_t number) {
    if (devices_.size() >= kMaxDevices) deliver_devices();
    device.line = number;
    devices_.push_back(std::move(device));
    in_device_ = true;
}

void LspciReader::take_detail(std::string_view text, std::uint64_t number) {
    if (in_device_) {
        lspci::parse_detail(text, devices_.back());
        return;
    }
    // "lspci -s 03:00.0 -vv | grep Lnk" leaves no header; the command says which device it is.
    Device device;
    if (!command_.address || !lspci::parse_detail(text, device)) return deliver_text(text, number);
    device.address = *command_.address;
    device.header = text;
    start_device(std::move(device), number);
}

void LspciReader::take_register(std::string_view text, std::uint64_t number) {
    const auto value = base::trim(text);
    const bool hex = value.size() <= 8 && value.find_first_not_of("0123456789abcdefABCDEF") == std::string_view::npos;
    const bool asked = command_.address && next_register_ < command_.registers.size();
    if (!hex || !asked) return deliver_text(text, number);
    model::Record record;
    record.type = model::RecordType::pci_register;
    record.line = number;
    record.text = record.raw = text;
    record.fields.push_back({"pci", command_.address->to_string()});
    record.fields.push_back({"register", command_.registers[next_register_]});
    record.fields.push_back({"value", base::lower(value)});
    ++next_register_;
    deliver(record);
}

void LspciReader::deliver(const model::Record& record) {
    ++stats_.records;
    if (sink_) sink_(record);
}

void LspciReader::deliver_text(std::string_view text, std::uint64_t number) {
    model::Record record;
    record.line = number;
    record.text = record.raw = text;
    deliver(record);
}

void LspciReader::deliver_devices() {
    std::map<model::PciAddress, std::string> drivers;  // of function 0
    for (const auto& device : devices_)
        if (device.address.function == 0 && !device.driver.empty()) drivers[device.address] = device.driver;
    for (const auto& device : devices_) {
        auto card = device.address;
        card.function = 0;
        const auto found = drivers.find(card);
        const bool other = device.address.function != 0 && found != drivers.end();
        deliver_device(device, other ? found->second : std::string{});
    }
    devices_.clear();
    in_device_ = false;
}

void LspciReader::deliver_device(const Device& device, const std::string& function0_driver) {
    model::Record record;
    record.type = model::RecordType::pci_device;
    record.line = device.line;
    record.text = record.raw = device.header;
    const auto set = [&record](std::string_view key, std::string_view value) {
        if (!value.empty()) record.fields.push_back({key, std::string(value)});
    };
    set("pci", device.address.to_string());
    set("class", device.class_digits);
    set("vendor", device.vendor);
    set("device", device.device);
    set("vendor_name", device.vendor_name);
    set("nvidia", device.nvidia() ? "yes" : "");
    set("kind", device.kind);
    set("rev", device.rev);
    set("header_type", device.header_type);
    set("config", device.config());
    set("driver", device.driver);
    set("function0_driver", function0_driver);
    set("lnkcap_speed", device.lnkcap_speed);
    set("lnkcap_width", device.lnkcap_width);
    set("lnksta_speed", device.lnksta_speed);
    set("lnksta_width", device.lnksta_width);
    set("iommu_group", device.iommu_group);
    set("unassigned_regions", device.unassigned_regions);
    deliver(record);
}

bool is_detail_mark(std::string_view line) {
    const auto text = base::trim(line);
    return text.starts_with("!!! Unknown header type") || text.starts_with("LnkSta:") || text.starts_with("LnkCap:");
}

int recognise(const ports::Head& head) {
    if (!head.command.empty()) {
        if (lspci::parse_command(head.command).tool != Command::Tool::none) return 95;
    }
    int headers = 0;
    int details = 0;
    bool first = true;
    bool first_is_header = false;
    for (auto rest = head.text; !rest.empty();) {
        const auto [line, tail] = base::split_once(rest, "\n");
        rest = tail;
        if (base::trim(line).empty()) continue;
        const bool header = lspci::parse_header(base::trim_right(line)).has_value();
        if (first) first_is_header = header;
        first = false;
        headers += header ? 1 : 0;
        details += is_detail_mark(line) ? 1 : 0;
    }
    if (first_is_header) return 90;
    if (base::trim_left(head.text).starts_with("-[0000:") || base::trim_left(head.text).starts_with("-+-["))
        return 80;  // lspci -t
    if (headers > 0) return 70;
    return details > 0 ? 40 : 0;
}

std::unique_ptr<ports::Reader> make(const ports::ReadContext& context, ports::RecordSink sink) {
    return std::make_unique<LspciReader>(context, std::move(sink));
}

}  // namespace

ports::ReaderKind lspci_kind() { return {"lspci", &recognise, &make}; }

}  // namespace gpumedic::evidence
