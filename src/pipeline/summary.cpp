#include "pipeline/summary.h"

#include <fmt/format.h>

#include <algorithm>

#include "diagnosis/naming.h"

namespace gpumedic::pipeline {
namespace {

using model::Localized;

std::uint64_t records_of(const model::Diagnosis& d) {
    std::uint64_t sum = 0;
    for (const auto& s : d.sources) sum += s.records;
    return sum;
}

Localized healthy_words(const model::Diagnosis& d) {
    const auto over =
        std::ranges::count_if(d.incidents, [](const auto& i) { return i.state != model::IncidentState::open; });
    Localized words{
        fmt::format("No GPU fault in what was read ({} source(s), {} record(s)), and one would have shown there.",
                    d.sources.size(), records_of(d)),
        fmt::format("GPU 장애가 나타날 수 있는 증거 {}개(레코드 {}건)를 읽었고, 장애 징후가 없습니다.",
                    d.sources.size(), records_of(d))};
    if (over > 0) {
        words.en += fmt::format(" {} earlier incident(s) are over.", over);
        words.ko += fmt::format(" 이전 사건 {}건은 이미 해소되었습니다.", over);
    }
    if (!d.benign.empty()) {
        words.en += " Alarming but harmless lines are explained below.";
        words.ko += " 심각해 보이지만 무해한 줄은 아래에 설명합니다.";
    }
    return words;
}

Localized inconclusive_words(const model::Diagnosis& d, GpuEvidence evidence) {
    if (d.sources.empty() || records_of(d) == 0)
        return {"Nothing readable was found in the input.", "입력에서 읽을 수 있는 내용을 찾지 못했습니다."};
    if (!d.incidents.empty() && d.incidents.front().state == model::IncidentState::open)
        return {"There is a suspicion, but this evidence does not prove it.",
                "의심되는 것은 있으나, 이 증거만으로는 확정할 수 없습니다."};
    if (!d.unexplained.empty())
        return {"There are signs of trouble that no known fault explains.",
                "알려진 장애로 설명되지 않는 이상 징후가 있습니다."};
    if (evidence == GpuEvidence::none)
        return {fmt::format("{} {} read; nothing in it speaks of a GPU.", records_of(d),
                            records_of(d) == 1 ? "record was" : "records were"),
                fmt::format("레코드 {}건을 읽었으나 GPU에 관한 내용이 없습니다.", records_of(d))};
    return {"Some nodes gave no evidence about their GPUs.", "일부 노드는 GPU에 관한 증거가 없습니다."};
}

}  // namespace

Localized summarise(const model::Diagnosis& d, GpuEvidence evidence) {
    switch (d.verdict) {
        case model::Verdict::fault: return d.incidents.front().title;
        case model::Verdict::healthy: return healthy_words(d);
        case model::Verdict::inconclusive: return inconclusive_words(d, evidence);
    }
    return {};
}

std::vector<model::MissingEvidence> what_to_collect(const knowledge::Index& catalogue) {
    std::vector<model::MissingEvidence> list;
    if (const auto* walk = catalogue.action("investigate"))
        for (const auto& step : walk->steps)
            if (!step.command.empty())
                list.push_back({diagnosis::fill_text(step.do_, {}), diagnosis::fill_command(step.command, {})});
    return list;
}

}  // namespace gpumedic::pipeline
