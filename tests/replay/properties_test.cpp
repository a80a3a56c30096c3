// What an answer must not depend on, over every case.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>

#include "base/text.h"
#include "case.h"
#include "model/pci_address.h"
#include "report/report.h"

namespace gpumedic::replay {
namespace {

class Property : public testing::TestWithParam<Case> {};
/// Cases that name a device by its address: others have nothing to move.
class NamedAddress : public Property {};

bool is_movable(const std::string& device) {
    const auto address = model::parse_pci_address(device);
    return address && address->domain == 0;
}

bool names_address(const Case& c) { return std::ranges::any_of(c.devices, is_movable); }

std::vector<Case> cases_that(bool (*fits)(const Case&)) {
    std::vector<Case> out;
    std::ranges::copy_if(all_cases(), std::back_inserter(out), fits);
    return out;
}

Files each(const Files& files, const auto& change) {
    Files out;
    for (const auto& [name, text] : files) out[name] = change(name, text);
    return out;
}

bool is_log(const std::string& name) { return name.ends_with(".log"); }

TEST_P(Property, SameBytesOverRuns) {
    const auto& files = GetParam().files;
    EXPECT_EQ(report::render_json(diagnose(files)), report::render_json(diagnose(files)));
}

TEST_P(Property, OrderOfFilesDoesNotMatter) {
    const auto& files = GetParam().files;
    EXPECT_EQ(essence(diagnose(files)), essence(diagnose(files, Order::reversed)));
}

TEST_P(Property, LinesTwiceChangeNothing) {
    const auto& files = GetParam().files;
    const auto doubled = each(files, [](const auto& name, const auto& text) {
        if (!is_log(name)) return text;
        std::string out;
        for (const auto line : base::split(base::trim_right(text), '\n')) ((((out += line) += '\n') += line) += '\n');
        return out;
    });
    EXPECT_EQ(essence(diagnose(files)), essence(diagnose(doubled)));
}

TEST_P(Property, OverlappingSourcesChangeNothing) {
    auto files = GetParam().files;
    const auto before = essence(diagnose(files));
    for (const auto& [name, text] : GetParam().files) files["copy-of-" + name] = text;
    EXPECT_EQ(before, essence(diagnose(files)));
}

/// Four years later: every date in ISO or ctime form moves, and leap days stay days.
std::string years_later(const std::string& text) {
    auto out = text;
    const auto digit = [&](std::size_t i) {
        return i < out.size() && std::isdigit(static_cast<unsigned char>(out[i])) != 0;
    };
    for (std::size_t i = 0; i + 5 < out.size(); ++i) {
        const bool year = out[i] == '2' && out[i + 1] == '0' && digit(i + 2) && digit(i + 3) &&
                          (i == 0 || !std::isalnum(static_cast<unsigned char>(out[i - 1])));
        if (!year || (out[i + 4] != '-' && out[i + 4] != ']')) continue;
        if (out[i + 4] == '-' && !(digit(i + 5) && digit(i + 6) && i + 7 < out.size() && out[i + 7] == '-')) continue;
        const int later = (out[i + 2] - '0') * 10 + (out[i + 3] - '0') + 4;
        out[i + 2] = static_cast<char>('0' + later / 10 % 10);
        out[i + 3] = static_cast<char>('0' + later % 10);
    }
    return out;
}

TEST_P(Property, ShiftedTimeChangesNothing) {
    const auto& files = GetParam().files;
    const auto later = each(files, [](const auto&, const auto& text) { return years_later(text); });
    EXPECT_EQ(essence(diagnose(files)), essence(diagnose(later)));
}

/// One test over all cases: which of them name a host only their diagnosis tells, and gtest asks before it runs.
TEST(NamedHost, AnotherHostNameChangesNothing) {
    std::size_t renamed = 0;
    for (const auto& c : all_cases()) {
        SCOPED_TRACE(c.name);
        const auto diagnosis = diagnose(c.files);
        if (diagnosis.incidents.empty() || diagnosis.incidents.front().node.empty()) continue;
        const auto host = diagnosis.incidents.front().node;
        const auto files = each(
            c.files, [&](const auto&, const auto& text) { return base::replace_all(text, host, "zz-renamed-0042"); });
        EXPECT_EQ(essence(diagnosis), essence(diagnose(files)));
        ++renamed;
    }
    EXPECT_GE(renamed, all_cases().size() / 5) << "too few cases name their host: the property is hardly tried";
}

std::string upper(std::string s) {
    std::ranges::transform(s, s.begin(), [](unsigned char ch) { return static_cast<char>(std::toupper(ch)); });
    return s;
}

/// "4f:00", or the next that no file holds: two devices must not become one.
std::string bus_of_no_device_in(const Files& files) {
    for (const std::string bus : {"4f:00", "5b:00", "a7:00", "c3:00"}) {
        const auto holds = [&](const auto& file) {
            return base::contains(file.second, bus) || base::contains(file.second, upper(bus));
        };
        if (std::ranges::none_of(files, holds)) return bus;
    }
    return "7e:00";
}

TEST_P(NamedAddress, AnotherPciAddressChangesOnlyTheAddress) {
    const auto& c = GetParam();
    for (const auto& device : c.devices) {
        if (!is_movable(device)) continue;
        const auto address = model::parse_pci_address(device);
        const auto from = address->to_string().substr(5, 5);  // "ed:00"
        const auto to = bus_of_no_device_in(c.files);
        const auto move = [&](const std::string& text) {
            return base::replace_all(base::replace_all(text, from, to), upper(from), upper(to));
        };
        const auto moved = each(c.files, [&](const auto&, const auto& text) { return move(text); });
        auto expected = base::split(move(essence(diagnose(c.files))), ' ');
        const auto got_text = essence(diagnose(moved));
        auto got = base::split(got_text, ' ');
        EXPECT_EQ(expected.size(), got.size());
        EXPECT_EQ(move(essence(diagnose(c.files))), got_text);
    }
}

double confidence_of(const model::Diagnosis& d, const std::string& fault) {
    for (const auto& i : d.incidents)
        if (i.fault == fault) return i.confidence;
    return 0;
}

Files without_line(const Files& files, const std::string& name, std::uint64_t number) {
    auto out = files;
    std::string kept;
    std::uint64_t at = 0;
    for (const auto line : base::split(files.at(name), '\n'))
        if (++at != number) (kept += line) += '\n';
    out[name] = kept;
    return out;
}

TEST_P(Property, LosingSupportNeverRaisesConfidence) {
    const auto& files = GetParam().files;
    const auto diagnosis = diagnose(files);
    const auto* incident = top(diagnosis);
    if (incident == nullptr) {
        EXPECT_NE(diagnosis.verdict, model::Verdict::fault);
        return;
    }
    for (const auto& item : incident->evidence) {
        const auto file = item.source.substr(0, item.source.find(" ("));  // "file (command)" of a transcript
        if (!files.contains(file)) continue;
        const auto less = diagnose(without_line(files, file, item.line));
        EXPECT_LE(confidence_of(less, incident->fault), incident->confidence + 1e-9)
            << file << ":" << item.line << ": " << item.text;
    }
}

std::string name_of(const testing::TestParamInfo<Case>& parameter) {
    std::string name = parameter.param.name;
    std::ranges::replace_if(name, [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
    return name;
}

INSTANTIATE_TEST_SUITE_P(Cases, Property, testing::ValuesIn(all_cases()), name_of);
INSTANTIATE_TEST_SUITE_P(Cases, NamedAddress, testing::ValuesIn(cases_that(&names_address)), name_of);

}  // namespace
}  // namespace gpumedic::replay
