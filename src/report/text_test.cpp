#include "base/text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "report/diagnosis_samples.h"
#include "report/evidence_text.h"
#include "report/report.h"

namespace gpumedic::report {
namespace {

using model::Language;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

std::string summary(const model::Diagnosis& diagnosis, Language language = Language::en, std::size_t width = 100) {
    return render_text(diagnosis,
                       {.language = language, .colour = Colour::off, .detail = Detail::summary, .width = width});
}
std::string full(const model::Diagnosis& diagnosis, Language language = Language::en) {
    return render_text(diagnosis, {.language = language, .colour = Colour::off, .detail = Detail::full, .width = 100});
}
std::size_t lines_of(const std::string& text) { return static_cast<std::size_t>(std::ranges::count(text, '\n')); }
std::size_t widest(const std::string& text) {
    std::size_t width = 0;
    for (const auto line : base::split(text, '\n')) width = std::max(width, base::display_width(line));
    return width;
}

/// Three long incidents and as much of everything as a bad day brings.
model::Diagnosis crowded() {
    model::Diagnosis diagnosis = samples::fault();
    const std::string long_en(900, 'w');
    model::Localized words = samples::both("", "");
    for (int i = 0; i < 30; ++i) words.en += "several words ", words.ko += "여러 단어 ";
    model::Incident& first = diagnosis.incidents.front();
    first.cause = words;
    for (int i = 0; i < 12; ++i) {
        first.evidence.push_back(samples::line("kernel.log", 100, long_en, "s" + std::to_string(i)));
        first.action.steps.push_back({words, words, "a-command --with " + long_en, words});
        first.action.must_not.push_back(words);
        first.action.alternatives.push_back({"wait", words, {{words, {}, "b", {}}}, words});
        first.missing.push_back({words, "cat x"});
        first.alternatives.push_back({"f", "c", words, 0.1, words});
        first.verification.push_back({words, "true", words});
        first.devices.push_back(first.devices.front());
        first.chain.push_back({words, words, model::How::seen, {}});
        diagnosis.benign.push_back({"b", words, words, {}});
        diagnosis.unexplained.push_back(samples::line("a", 1, long_en, "u"));
        diagnosis.missing.push_back({words, "x"});
        diagnosis.sources.push_back({"s" + std::to_string(i), "kernel log", "truncated", long_en, 1, 0, {}, {}, true});
        diagnosis.nodes.push_back({"node-" + std::to_string(i), model::Verdict::fault});
    }
    first.action.why_not_less = words;
    const model::Incident again = first;
    diagnosis.incidents.insert(diagnosis.incidents.end(), 9, again);
    return diagnosis;
}

TEST(RenderText, SaysTheVerdictFirst) {
    EXPECT_THAT(
        summary(samples::fault()),
        StartsWith(
            "[FAULT] GPU 0000:b3:00.0 did not come back from its reset: very likely (93 %)\n"
            "  One open incident on node-07.\n"
            "  Node     node-07\n"
            "  Device   GPU 0000:b3:00.0, index 5, GPU-11112222-3333-4444-5555-666677778888, IOMMU group 61, held\n"));
    EXPECT_THAT(summary(samples::fault(), Language::ko),
                StartsWith("[장애] GPU 0000:b3:00.0이 리셋 후 돌아오지 않음: 매우 유력 (93 %)\n"
                           "  node-07에 진행 중인 사건 1건.\n"
                           "  노드     node-07\n"));
}

TEST(RenderText, NamesDevicesVictimsAndHowTheyWereJoined) {
    const std::string text = summary(samples::fault(), Language::en, 300);
    EXPECT_THAT(
        text,
        HasSubstr("IOMMU group 61, held by VM ml/trainer-3 (virt-launcher-trainer-3-abcde), joined by inference\n"));
    EXPECT_THAT(text, HasSubstr("           NVLink 0000:b3:00.0, NVSwitch 1, link 4\n"));
    EXPECT_THAT(text, HasSubstr("  Victim   VM ml/trainer-3\n"));
    EXPECT_THAT(text, HasSubstr("  Hits     VM ml/trainer-3, ml/trainer-4; jobs job 812; also touched 0000:b4:00.0\n"));
    EXPECT_THAT(text, Not(HasSubstr("  State "))) << "an open incident needs no word for it";
    EXPECT_THAT(full(samples::fault()), HasSubstr("State    open, severity fatal"));
    EXPECT_THAT(text, HasSubstr("  Seen     2025-10-10T21:40:03+09:00 .. 2025-10-10T21:41:00+09:00\n"));
}

TEST(RenderText, MarksTheChainAsSeenOrInferred) {
    const std::string text = summary(samples::fault());
    EXPECT_THAT(text, HasSubstr("\nWHY\n  The reset at hand-over"));
    EXPECT_THAT(text, HasSubstr("  * the link did not come up\n"
                                "  -> [inferred] the reset was incomplete\n"
                                "  -> [seen] libvirt read header type 127\n"));
    EXPECT_THAT(summary(samples::fault(), Language::ko), HasSubstr("  -> [추론] 리셋이 완료되지 않음\n"));
}

TEST(RenderText, QuotesEvidenceInOneLineEach) {
    EXPECT_THAT(
        summary(samples::fault()),
        HasSubstr(
            "\nEVIDENCE\n"
            "  kernel.log:3        2025-10-10T21:40:03+09:00  (4 times) NVRM: link mask update failed\n"
            "  virt-handler.log:8  2025-10-10T21:40:08+09:00  a signal: Unknown PCI header type '127' for devi...\n"));
}

TEST(RenderText, SaysWhatToDoAndWhatNot) {
    const std::string text = summary(samples::fault());
    EXPECT_THAT(text, HasSubstr("\nDO NOW: cold reboot of the node\n"
                                "  1. Keep new work away from the node\n"
                                "     $ kubectl cordon node-07\n"
                                "  2. Cut the power and wait 30 seconds\n"
                                "     $ ipmitool chassis power off\n"
                                "\nWHY NOT LESS\n"
                                "  A warm reboot leaves the slot powered.\n"
                                "\nDO NOT\n"
                                "  x delete the VM\n"
                                "\nIF THAT DOES NOT FIT\n"
                                "  - reload the driver, when: no VM holds a GPU\n"
                                "\nCHECK AFTERWARDS\n"
                                "  - links are active\n"
                                "    $ nvidia-smi nvlink -s\n"
                                "\nMISSING\n"
                                "  - the GPU's configuration space\n"
                                "    $ lspci -xxx -s 0000:b3:00.0\n"
                                "\nOTHER EXPLANATIONS\n"
                                "  - the GPU fell off the bus (21 %): no Xid 79\n"));
    EXPECT_THAT(text, Not(HasSubstr("so that nothing starts meanwhile")));
}

TEST(RenderText, AStepThatWasSeenItselfIsSaidOnce) {
    model::Diagnosis diagnosis = samples::fault();
    model::ChainLink& link = diagnosis.incidents.front().chain.front();
    link.to = link.from;
    link.how = model::How::seen;
    EXPECT_THAT(summary(diagnosis),
                HasSubstr("  * [seen] the link did not come up\n  * the reset was incomplete\n  -> [seen] libvirt"));
}

TEST(RenderText, SaysWhatWasFoundInAStructuredLine) {
    model::Diagnosis diagnosis = samples::fault();
    diagnosis.incidents.front().evidence.front().text = R"({"component":"virt-handler","level":"error"})";
    EXPECT_THAT(summary(diagnosis), HasSubstr("(4 times) a signal: {\"component\""));
}

TEST(RenderText, TellsTimesInOneZone) {
    model::Diagnosis diagnosis = samples::fault();
    diagnosis.incidents.front().last_seen->zone = std::chrono::minutes{0};
    diagnosis.incidents.front().last_seen->value += std::chrono::microseconds{5};
    EXPECT_THAT(summary(diagnosis), HasSubstr("  Seen     2025-10-10T21:40:03+09:00 .. 2025-10-10T21:41:00+09:00\n"));
    EXPECT_THAT(full(diagnosis), HasSubstr("2025-10-10T21:41:00.000005+09:00\n"));
}

TEST(RenderText, CallsAPartOfATranscriptByItsFile) {
    model::Diagnosis diagnosis = samples::fault();
    diagnosis.incidents.front().evidence.front().source = "session.txt (lspci -vvv | grep -i nvidia)";
    EXPECT_THAT(summary(diagnosis), HasSubstr("\n  session.txt:3       2025"));
    EXPECT_THAT(full(diagnosis), HasSubstr("#1 session.txt (lspci -vvv | grep -i nvidia):3 "));
}

TEST(RenderText, SpeaksKorean) {
    const std::string text = summary(samples::fault(), Language::ko);
    EXPECT_THAT(text, HasSubstr("\n원인\n"));
    EXPECT_THAT(text, HasSubstr("\n지금 할 일: 노드 콜드 리부트\n"));
    EXPECT_THAT(text, HasSubstr("\n하지 말 것\n  x VM을 삭제하지 마십시오\n"));
    EXPECT_THAT(text, HasSubstr("\n읽은 자료: 자료 2개, 레코드 40건, 손상 1건; 카탈로그 2026.11+0000\n"));
    EXPECT_THAT(text, Not(HasSubstr("EVIDENCE")));
}

TEST(RenderText, NamesSourcesThatAreNotComplete) {
    EXPECT_THAT(summary(samples::fault()),
                HasSubstr("\nREAD: sources 2, records 40, malformed 1; catalogue 2026.11+0000\n"
                          "  Not ok: secret.log: denied (permission denied)\n"
                          "  Malformed: kernel.log:9: no time\n"
                          "  kernel.log (kernel log, 40)\n"));
}

TEST(RenderText, FullShowsTheReasoning) {
    const std::string text = full(samples::fault());
    EXPECT_THAT(text, HasSubstr("Why: so that nothing starts meanwhile"));
    EXPECT_THAT(text, HasSubstr("  -> [seen] libvirt read header type 127 (#2)\n"));
    EXPECT_THAT(text, HasSubstr("  #1 kernel.log:3 2025-10-10T21:40:03+09:00 a signal [nvlink.a] (4 times)\n"));
    EXPECT_THAT(text, HasSubstr("\nEVIDENCE AGAINST\n"));
    EXPECT_THAT(text, HasSubstr("pci.handover_reset_failed (vfio_reset_failure)"));
    EXPECT_THAT(text, HasSubstr("  - kernel.log: kernel log, ok, records 40, malformed 1, host\n"));
}

TEST(RenderText, HealthySaysWhatWasReadAndWhatIsHarmless) {
    EXPECT_EQ(summary(samples::healthy()),
              "[HEALTHY] No GPU fault in what was read.\n"
              "\nREAD: sources 2, records 40, malformed 1; catalogue 2026.11+0000\n"
              "  Not ok: secret.log: denied (permission denied)\n"
              "  Malformed: kernel.log:9: no time\n"
              "  kernel.log (kernel log, 40)\n"
              "\nHARMLESS\n"
              "  - tear-down line: it comes with every VM stop\n");
}

TEST(RenderText, InconclusiveSaysWhatToCollect) {
    EXPECT_EQ(summary(samples::nothing()),
              "[INCONCLUSIVE] What was read does not decide it.\n"
              "\nREAD: sources 1, records 2; catalogue 2026.11+0000\n"
              "  Nothing in it speaks of a GPU.\n"
              "  Not ok: notes.txt: unrecognised\n"
              "\nCOLLECT NEXT\n"
              "  - the kernel log\n"
              "    $ journalctl -k -b\n");
    EXPECT_THAT(summary({}), HasSubstr("Nothing could be read."));
}

TEST(RenderText, AnIncidentBelowTheThresholdIsShownAsAQuestion) {
    model::Diagnosis diagnosis = samples::fault();
    diagnosis.verdict = model::Verdict::inconclusive;
    diagnosis.incidents.front().confidence = 0.4;
    EXPECT_THAT(summary(diagnosis),
                StartsWith("[INCONCLUSIVE] One open incident on node-07.\n"
                           "\n? GPU 0000:b3:00.0 did not come back from its reset: possible (40 %)\n"));
}

TEST(RenderText, ClearedIncidentsOfAHealthyNodeAreShort) {
    model::Diagnosis diagnosis = samples::healthy();
    diagnosis.incidents = {samples::incident()};
    diagnosis.incidents.front().state = model::IncidentState::cleared;
    const std::string text = summary(diagnosis);
    EXPECT_THAT(text, HasSubstr("\nOTHER INCIDENTS\n1. GPU 0000:b3:00.0 did not come back from its reset: very likely "
                                "(93 %), cleared: later "
                                "evidence\n   shows that it is over\n"));
    EXPECT_THAT(text, Not(HasSubstr("DO NOW")));
    EXPECT_THAT(text, Not(HasSubstr("\nEVIDENCE\n")));
}

TEST(RenderText, StaysUnder120LinesWhateverComes) {
    for (const std::size_t width : {40U, 100U})
        for (const Language language : {Language::en, Language::ko})
            EXPECT_LT(lines_of(summary(crowded(), language, width)), 120U) << width;
    model::Diagnosis three = samples::fault();
    three.incidents = {samples::incident(), samples::incident(), samples::incident()};
    const std::string text = summary(three);
    EXPECT_LT(lines_of(text), 90U);
    EXPECT_THAT(text, HasSubstr("\n3. GPU 0000:b3:00.0 did not come back"));
    EXPECT_THAT(text, Not(HasSubstr("more lines")));
}

TEST(RenderText, TellsWhatACapLeftOut) { EXPECT_THAT(summary(crowded()), HasSubstr("more lines (-v shows them)")); }

TEST(RenderText, KeepsTheWidth) {
    for (const std::size_t width : {60U, 80U, 120U}) {
        EXPECT_LE(widest(summary(samples::fault(), Language::ko, width)), width);
        EXPECT_LE(widest(summary(samples::fault(), Language::en, width)), width);
    }
    EXPECT_LE(widest(summary(samples::fault(), Language::en, 0)), 72U);  // clamped to 40; commands are never cut
}

TEST(RenderText, NoEscapeOfTheEvidenceReachesTheTerminal) {
    const std::string evil =
        "x\x1b[2J\x1b]0;t\x07\xc2\x9b"
        "31m\r\n\xff\xe2\x80\xae";
    model::Diagnosis diagnosis = samples::fault();
    model::Incident& first = diagnosis.incidents.front();
    const model::Localized words{evil, evil};
    first.title = first.cause = words;
    first.node = first.boot = first.fault = evil;
    first.devices.front().pci = first.devices.front().uuid = first.devices.front().holder.vm = evil;
    first.evidence.front().text = first.evidence.front().source = first.evidence.front().signal = evil;
    first.action.steps.front() = {words, words, evil, words};
    first.missing.front() = {words, evil};
    first.blast_radius.vms = {evil};
    diagnosis.summary = words;
    diagnosis.sources.front().name = diagnosis.sources.front().note = evil;
    diagnosis.sources.front().malformed_at = {evil};
    diagnosis.sources.front().outcome = evil;
    for (const std::string& text : {summary(diagnosis), full(diagnosis), full(diagnosis, Language::ko)}) {
        EXPECT_EQ(text.find_first_of("\x1b\x07\r\x7f"), std::string::npos);
        EXPECT_EQ(text.find("\xc2\x9b"), std::string::npos);
        EXPECT_EQ(text.find("\xe2\x80\xae"), std::string::npos);
        EXPECT_TRUE(base::is_valid_utf8(text));
    }
}

TEST(RenderText, ColoursOnlyWhenAsked) {
    const std::string coloured = render_text(samples::fault(), {.colour = Colour::on});
    EXPECT_THAT(coloured, StartsWith("\x1b[1;31m[FAULT]\x1b[0m GPU"));
    EXPECT_THAT(summary(samples::fault()), Not(HasSubstr("\x1b")));
}

TEST(RenderText, IsDeterministic) {
    EXPECT_EQ(summary(crowded()), summary(crowded()));
    EXPECT_EQ(full(crowded(), Language::ko), full(crowded(), Language::ko));
}

TEST(ChooseEvidence, TakesOneOfEverySignalFirst) {
    std::vector<model::EvidenceItem> items{samples::line("a", 1, "", "x"), samples::line("a", 2, "", "x"),
                                           samples::line("a", 3, "", "x"), samples::line("a", 4, "", "y")};
    EXPECT_THAT(choose_evidence(items, 2), ElementsAre(0, 3));
    EXPECT_THAT(choose_evidence(items, 3), ElementsAre(0, 1, 3));
    EXPECT_THAT(choose_evidence(items, 9), ElementsAre(0, 1, 2, 3));
    items[0].count = 3;
    EXPECT_THAT(choose_evidence(items, 9), ElementsAre(0, 3));
    items[0].count = 1;
    items[3].line = 1;
    EXPECT_THAT(choose_evidence(items, 1), ElementsAre(0));
    items.push_back(samples::line("b", 1, "", "z"));
    EXPECT_THAT(choose_evidence(items, 2), ElementsAre(0, 4));
}

}  // namespace
}  // namespace gpumedic::report
