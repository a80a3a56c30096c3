#include <fmt/format.h>

#include <algorithm>
#include <condition_variable>
#include <filesystem>
#include <mutex>

#include "commands.h"
#include "environment.h"
#include "exit_codes.h"
#include "guest_command.h"
#include "interrupt.h"
#include "measures.h"
#include "observation.h"
#include "report/report.h"
#include "result_output.h"
#include "verify/verify.h"
#include "wiring.h"

namespace gpumedic::cli {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr const char* kBaselineFile = "/etc/gpumedic/baseline.yaml";
constexpr milliseconds kBetweenRounds{30'000};

int failed(const base::Error& error) {
    print_error(error);
    return error.code == base::ErrorCode::malformed ? kBadCatalogue : exit_code_of(error.code);
}

/// What the verification is held against.
struct Measure {
    std::optional<verify::Repair> repair{};
    std::optional<verify::Baseline> baseline{};
    milliseconds soak{0};
};

base::Result<void> read_measure(const Arguments& arguments, Measure& measure) {
    if (!arguments.incident.empty()) {
        const auto text = read_own_file(arguments.incident);
        if (!text) return tl::make_unexpected(text.error());
        auto repair = verify::parse_repair(*text, arguments.incident);
        if (!repair) return tl::make_unexpected(repair.error());
        measure.repair = std::move(*repair);
    }
    const bool is_live = arguments.positional.empty() && arguments.root.empty();
    std::error_code unknown;
    auto path = arguments.baseline;
    if (path.empty() && is_live && std::filesystem::exists(kBaselineFile, unknown)) path = kBaselineFile;
    if (!path.empty()) {
        const auto text = read_own_file(path);
        if (!text) return tl::make_unexpected(text.error());
        auto baseline = verify::parse_baseline(*text, path);
        if (!baseline) return tl::make_unexpected(baseline.error());
        measure.baseline = std::move(*baseline);
    }
    if (!arguments.soak.empty()) {
        const auto span = parse_span(arguments.soak, "--soak");
        if (!span) return tl::make_unexpected(span.error());
        measure.soak = *span;
    }
    return {};
}

std::vector<std::string> vms_of(const Measure& measure) {
    std::vector<std::string> vms;
    if (measure.repair) vms = measure.repair->vms;
    if (measure.baseline)
        for (const auto& vm : measure.baseline->vms)
            if (std::find(vms.begin(), vms.end(), vm) == vms.end()) vms.push_back(vm);
    return vms;
}

base::Result<model::Verification> one_round(const knowledge::Index& index, const Arguments& arguments,
                                            const Measure& measure) {
    const auto observed = observe(index, arguments, arguments.positional);
    if (!observed) return tl::make_unexpected(observed.error());
    verify::Question question{.diagnosis = observed->diagnosis, .seen = observed->seen};
    if (measure.repair) question.repair = &*measure.repair;
    if (measure.baseline) question.baseline = &*measure.baseline;
    if (!arguments.guest_command.empty()) {
        auto guests = ask_guests(index, arguments.guest_command, vms_of(measure));
        if (!guests) return tl::make_unexpected(guests.error());
        question.guests = std::move(*guests);
    }
    return verify::verify(question);
}

/// False when a stop was requested meanwhile.
bool pause(milliseconds span, const std::stop_token& stop) {
    std::mutex mutex;
    std::condition_variable_any wake;
    std::unique_lock lock(mutex);
    wake.wait_for(lock, stop, span, [] { return false; });
    return !stop.stop_requested();
}

/// Until a check fails, or the time is over: a fault that comes back under load comes back within minutes.
base::Result<model::Verification> rounds(const knowledge::Index& index, const Arguments& arguments,
                                         const Measure& measure, const std::stop_token& stop) {
    const auto end = Clock::now() + measure.soak;
    std::uint64_t count = 0;
    while (true) {
        // The last round begins when the time is over: what happened until then is in it.
        const bool is_last = Clock::now() >= end;
        auto answer = one_round(index, arguments, measure);
        if (!answer) return answer;
        answer->rounds = ++count;
        if (answer->result == model::CheckResult::fail || is_last) return answer;
        const auto left = std::max(milliseconds{0}, std::chrono::duration_cast<milliseconds>(end - Clock::now()));
        if (!arguments.quiet)
            print_message(
                fmt::format("round {}: {}; {} s left", count, model::to_string(answer->result), left.count() / 1000));
        if (!pause(std::min(left, kBetweenRounds), stop))
            return base::fail(base::ErrorCode::cancelled, fmt::format("interrupted after {} rounds", count));
    }
}

}  // namespace

int run_verify(const Arguments& arguments) {
    const InterruptWatch interrupts;
    const auto loaded = load_catalogue(arguments.catalogs);
    if (!usable(loaded)) return kBadCatalogue;
    Measure measure;
    if (auto read = read_measure(arguments, measure); !read) return failed(read.error());
    auto place = ResultPlace::open(arguments);
    if (!place) return failed(place.error());
    const knowledge::Index index(loaded.catalogue);
    const auto answer = rounds(index, arguments, measure, interrupts.token());
    if (!answer && answer.error().code == base::ErrorCode::cancelled) {
        print_error(answer.error());
        return kInterrupted;
    }
    if (!answer) return failed(answer.error());
    const auto bytes = arguments.format == Format::json ? report::render_json(*answer)
                                                        : report::render_text(*answer, text_options(arguments));
    return place->write(bytes, model::exit_code(answer->result));
}

}  // namespace gpumedic::cli
