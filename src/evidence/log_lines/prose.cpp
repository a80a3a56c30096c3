#include "evidence/log_lines/prose.h"

#include <algorithm>
#include <array>

#include "base/text.h"
#include "evidence/log_lines/header_forms.h"

namespace gpumedic::evidence {
namespace {

constexpr std::size_t kMaxProse = 500;  // of a line; a longer one is no sentence

struct Wording {
    std::string_view words;
    std::string_view meaning;
};

// The longer wording of two stands first: "power cycled" before "rebooted".
constexpr std::array<Wording, 33> kTried{{{"power cycled", "power_cycle"},
                                          {"power-cycled", "power_cycle"},
                                          {"powered off and on", "power_cycle"},
                                          {"cold boot", "power_cycle"},
                                          {"cold reboot", "power_cycle"},
                                          {"전원을 껐다", "power_cycle"},
                                          {"전원 껐다", "power_cycle"},
                                          {"콜드 부팅", "power_cycle"},
                                          {"콜드 리부팅", "power_cycle"},
                                          {"콜드 리부트", "power_cycle"},
                                          {"콜드 재부팅", "power_cycle"},
                                          {"웜 리부트", "reboot"},
                                          {"reset the gpu", "gpu_reset"},
                                          {"gpu reset했", "gpu_reset"},
                                          {"gpu 리셋했", "gpu_reset"},
                                          {"gpu 리셋해", "gpu_reset"},
                                          {"reloaded the driver", "driver_reload"},
                                          {"reinstalled the driver", "driver_reload"},
                                          {"드라이버 재설치", "driver_reload"},
                                          {"드라이버를 재설치", "driver_reload"},
                                          {"드라이버 재로드", "driver_reload"},
                                          {"드라이버를 재로드", "driver_reload"},
                                          {"reseated", "reseat"},
                                          {"재장착했", "reseat"},
                                          {"재장착해", "reseat"},
                                          {"swapped", "swap"},
                                          {"교체했", "swap"},
                                          {"restarted the vm", "vm_restart"},
                                          {"vm 재시작", "vm_restart"},
                                          {"rebooted", "reboot"},
                                          {"재부팅했", "reboot"},
                                          {"재부팅해", "reboot"},
                                          {"리부팅했", "reboot"}}};

constexpr std::array<std::string_view, 14> kUnchanged{
    "no change", "did not help", "didn't help", "still the same", "same error", "same problem", "comes back",
    "came back", "그대로",       "소용없",      "동일",           "변화 없",    "변화가 없",    "똑같"};

/// The number that ends at `end`, perhaps before a blank; empty where none does.
std::string_view number_before(std::string_view text, std::size_t end) {
    if (end > 0 && text[end - 1] == ' ') --end;
    std::size_t start = end;
    while (start > 0 && (is_digit(text[start - 1]) || text[start - 1] == '.')) --start;
    if (start == end || end - start > 6 || text[start] == '.') return {};
    // "V100C", "0x95", "10.2.3.4": a part of a name is no figure.
    if (start > 0 && (is_letter(text[start - 1]) || text[start - 1] == ':' || text[start - 1] == '-')) return {};
    const auto number = text.substr(start, end - start);
    return base::parse_decimal(number) ? number : std::string_view{};
}

bool ends_word(std::string_view text, std::size_t at) { return at >= text.size() || !is_letter(text[at]); }

std::string_view figure(std::string_view text, std::initializer_list<std::string_view> units) {
    for (const auto unit : units)
        for (auto at = text.find(unit); at != std::string_view::npos; at = text.find(unit, at + 1)) {
            // A letter must stand alone; "도" is followed by particles.
            if (unit.size() == 1 && (!ends_word(text, at + 1) || (at + 1 < text.size() && is_digit(text[at + 1]))))
                continue;
            if (const auto number = number_before(text, at); !number.empty()) return number;
        }
    return {};
}

}  // namespace

std::vector<model::Field> prose_fields(std::string_view text) {
    std::vector<model::Field> fields;
    if (text.size() > kMaxProse || text.starts_with('{') || base::contains(text, "=\"")) return fields;
    if (const auto celsius = figure(text, {"°C", "℃", "도", "degrees", "C"}); !celsius.empty())
        fields.push_back({"celsius", std::string(celsius)});
    if (const auto watts = figure(text, {"와트", "watts", "W"}); !watts.empty())
        fields.push_back({"watts", std::string(watts)});
    const std::string words = base::lower(text);
    for (const auto& tried : kTried) {
        if (!base::contains(words, tried.words)) continue;
        fields.push_back({"tried", std::string(tried.meaning)});
        const bool unchanged =
            std::any_of(kUnchanged.begin(), kUnchanged.end(), [&](auto said) { return base::contains(words, said); });
        if (unchanged) fields.push_back({"result", "unchanged"});
        break;
    }
    return fields;
}

}  // namespace gpumedic::evidence
