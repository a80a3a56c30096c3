// The answer of `verify` for people: the failed checks first in the eye, each with what would show it.
#include "report/page.h"
#include "report/report.h"

namespace gpumedic::report {
namespace {

using model::CheckResult;
using model::Localized;

const Localized kExpected{"expected", "기대"};
const Localized kSeen{"seen", "실제"};
const Localized kWhy{"because", "이유"};

Localized badge_of(CheckResult result) {
    switch (result) {
        case CheckResult::pass: return {"PASS", "통과"};
        case CheckResult::fail: return {"FAIL", "실패"};
        case CheckResult::unknown: break;
    }
    return {"UNKNOWN", "미확인"};
}

Localized word_of(CheckResult result) {
    switch (result) {
        case CheckResult::pass: return {"pass   ", "통과  "};
        case CheckResult::fail: return {"FAIL   ", "실패  "};
        case CheckResult::unknown: break;
    }
    return {"unknown", "미확인"};
}

Style style_of(CheckResult result) {
    return result == CheckResult::pass ? Style::green : result == CheckResult::fail ? Style::red : Style::yellow;
}

void add_check(Page& page, const model::Check& check) {
    constexpr std::size_t kIndent = 2;
    constexpr std::size_t kBelow = 10;
    page.item(kIndent, page.say(word_of(check.result)), page.say(check.title), style_of(check.result));
    if (check.result == CheckResult::pass && !page.full()) return;
    const auto line = [&](const Localized& label, const Localized& text) {
        if (!text.empty()) page.text(kBelow, page.say(label) + ": " + page.say(text));
    };
    line(kExpected, check.expected);
    line(kSeen, check.seen);
    line(kWhy, check.why);
    if (!check.command.empty()) page.command(kBelow, check.command);
}

}  // namespace

std::string render_text(const model::Verification& answer, const TextOptions& options) {
    Page page(options);
    page.item(0, "[" + page.say(badge_of(answer.result)) + "]", page.say(answer.summary), style_of(answer.result));
    std::string of = answer.incident;
    if (!answer.node.empty()) of += (of.empty() ? "" : ", ") + answer.node;
    if (answer.rounds > 1)
        of += page.say(Localized{", read " + std::to_string(answer.rounds) + " times",
                                 ", " + std::to_string(answer.rounds) + "회 읽음"});
    if (!of.empty()) page.text(2, of, Style::dim);
    page.blank();
    for (const auto& check : answer.checks) add_check(page, check);
    return page.take();
}

}  // namespace gpumedic::report
