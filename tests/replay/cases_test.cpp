// Every case of tests/cases gives the verdict, class, device and action that its truth names, and stands on its
// deciding evidence.
#include <gtest/gtest.h>

#include <algorithm>

#include "base/text.h"
#include "case.h"
#include "codec/pattern.h"
#include "report/report.h"
#include "truth.h"

namespace gpumedic::replay {
namespace {

class Replay : public testing::TestWithParam<Case> {};

/// Report text with white space collapsed, as must_mention wants it.
std::string told(const model::Diagnosis& diagnosis) {
    std::string out;
    const auto all =
        report::render_text(diagnosis, {.detail = report::Detail::full}) + " " + report::render_json(diagnosis);
    for (const auto word : base::split_blanks(all)) (out += out.empty() ? "" : " ") += word;
    return out;
}

TEST_P(Replay, AnswersTheTruth) {
    const auto& c = GetParam();
    const auto diagnosis = diagnose(c.files);
    SCOPED_TRACE(essence(diagnosis));
    EXPECT_EQ(model::to_string(diagnosis.verdict), c.verdict);
    const auto* incident = top(diagnosis);
    if (c.verdict == "healthy") {
        EXPECT_EQ(incident, nullptr);
    }
    if (c.verdict == "fault") {
        ASSERT_NE(incident, nullptr);
        EXPECT_TRUE(one_of(incident->class_, c.fault_class, c.also_classes)) << incident->class_;
        EXPECT_TRUE(one_of(incident->action.class_, c.action, c.also_actions)) << incident->action.class_;
        for (const auto& wanted : c.devices)
            EXPECT_TRUE(std::ranges::any_of(incident->devices, [&](const auto& d) { return names(d, wanted); }))
                << wanted;
        for (const auto& d : incident->devices) {
            const bool culprit = d.role == model::Device::Role::root && !d.pci.empty();
            EXPECT_TRUE(!culprit || is_among(d.pci, c.devices)) << d.pci;
        }
    }
    const auto text = told(diagnosis);
    for (const auto& expression : c.must_mention) {
        const auto pattern = codec::Pattern::compile(expression);
        ASSERT_TRUE(pattern.has_value()) << expression;
        EXPECT_TRUE(pattern->match(text).has_value()) << expression;
    }
    EXPECT_LE(std::ranges::count(report::render_text(diagnosis, {}), '\n'), 120);
}

/// Without the lines it stands on, the verdict must not be the same with the same certainty.
TEST_P(Replay, StandsOnItsDecidingEvidence) {
    const auto& c = GetParam();
    auto files = c.files;
    for (const auto& d : c.deciding) {
        ASSERT_TRUE(files.contains(d.file)) << d.file;
        std::string kept;
        bool removed = false;
        for (const auto line : base::split(files[d.file], '\n')) {
            const bool is_it = line.find(d.contains) != std::string_view::npos;
            removed = removed || is_it;
            if (!is_it) (kept += line) += '\n';
        }
        EXPECT_TRUE(removed) << "no line of " << d.file << " contains: " << d.contains;
        files[d.file] = kept;
    }
    if (c.deciding.empty()) {
        EXPECT_NE(c.verdict, "fault") << "a case with a fault names its deciding evidence";
        return;
    }
    const auto with = diagnose(c.files);
    const auto without = diagnose(files);
    const auto* before = top(with);
    const auto* after = top(without);
    const bool weaker = before == nullptr || after == nullptr || after->confidence < before->confidence ||
                        after->class_ != before->class_;
    EXPECT_TRUE(essence(with) != essence(without) || weaker) << essence(without);
}

INSTANTIATE_TEST_SUITE_P(Cases, Replay, testing::ValuesIn(all_cases()), [](const auto& parameter) {
    std::string name = parameter.param.name;
    std::ranges::replace_if(name, [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
    return name;
});

}  // namespace
}  // namespace gpumedic::replay
