#include "collect/gatherer.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/text.h"

namespace gpumedic::collect {
namespace {

using ports::ProbeEnd;
using ports::ProbeResult;

/// Files of one item as they arrive.
class Basket {
public:
    explicit Basket(ports::SpoolMaker& spools) : spools_(spools) {}

    void begin(std::string_view name) {
        close(Outcome::truncated, "it was not read to its end");
        files_.push_back({std::string(name), spools_.make()});
        reports_.push_back({std::string(name), 0, Outcome::ok, {}});
        is_open_ = true;
    }
    void data(std::string_view bytes) {
        if (!is_open_ || lost_) return;
        auto kept = files_.back().bytes->append(bytes);
        if (kept) return;
        lost_ = true;
        reports_.back().outcome = Outcome::failed;
        reports_.back().why = kept.error().what;
    }
    void close(Outcome outcome, std::string_view why) {
        if (!is_open_) return;
        is_open_ = false;
        auto& report = reports_.back();
        report.bytes = files_.back().bytes->size();
        if (!std::exchange(lost_, false)) {
            report.outcome = outcome;
            report.why = why;
        }
        // What could not even be opened has a report, and no empty file.
        const bool has_nothing =
            report.bytes == 0 && (report.outcome == Outcome::denied || report.outcome == Outcome::absent);
        if (has_nothing) files_.pop_back();
    }
    void hand_over(Gathered& gathered) {
        gathered.files = std::move(files_);
        gathered.report.files = std::move(reports_);
        for (const auto& file : gathered.report.files) gathered.report.bytes += file.bytes;
    }
    [[nodiscard]] const std::vector<FileReport>& reports() const { return reports_; }

private:
    ports::SpoolMaker& spools_;
    std::vector<CollectedFile> files_{};
    std::vector<FileReport> reports_{};
    bool is_open_{false};
    bool lost_{false};
};

std::string first_line(std::string_view text) {
    constexpr std::size_t kMaxWhy = 200;
    const auto line = base::split_once(base::trim(text), "\n").first;
    return base::printable(base::trim(line.substr(0, kMaxWhy)));
}

std::string in_seconds(std::chrono::milliseconds span) {
    return fmt::format("{:.1f} s", static_cast<double>(span.count()) / 1000.0);
}

struct Judgement {
    Outcome outcome{Outcome::ok};
    std::string why{};
};

/// What holds for tasks and commands alike; nothing when the process ended by itself.
bool judge_end(const ProbeResult& result, const std::string& last, Judgement& judgement) {
    const std::string place = last.empty() ? "" : (last.front() == '/' ? "reading " : "") + last + ": ";
    const std::string in = result.waits_in.empty() ? "" : " in " + result.waits_in;
    switch (result.end) {
        case ProbeEnd::exited: return false;
        case ProbeEnd::not_found: judgement = {Outcome::absent, "the command is not installed"}; return true;
        case ProbeEnd::not_started: judgement = {Outcome::failed, result.why}; return true;
        case ProbeEnd::signalled:
            judgement = {Outcome::failed, fmt::format("{}ended by signal {}", place, result.code)};
            return true;
        case ProbeEnd::timed_out:
            judgement = {Outcome::timed_out,
                         fmt::format("{}no answer within {}{}", place, in_seconds(result.duration), in)};
            return true;
        case ProbeEnd::blocked:
            judgement = {Outcome::blocked, fmt::format("{}blocked{} for {}; not even SIGKILL ended it", place, in,
                                                       in_seconds(result.duration))};
            return true;
        case ProbeEnd::capped: judgement = {Outcome::truncated, place + "more than its cap"}; return true;
        case ProbeEnd::stopped:
            judgement = {Outcome::timed_out, place + "the time for all items was over"};
            return true;
    }
    return true;
}

bool speaks_of_permission(std::string_view errors) {
    return base::contains_ignoring_case(errors, "permission denied") ||
           base::contains_ignoring_case(errors, "operation not permitted") ||
           base::contains_ignoring_case(errors, "must be root") ||
           base::contains_ignoring_case(errors, "insufficient permission");
}

Judgement judge_command(const ProbeResult& result) {
    Judgement judgement;
    if (judge_end(result, {}, judgement)) return judgement;
    if (result.code == 0) return judgement;
    const std::string said =
        result.errors.empty() ? fmt::format("exit code {}", result.code) : first_line(result.errors);
    if (speaks_of_permission(result.errors)) return {Outcome::denied, said};
    // An answer with an exit code is an answer: nvidia-smi reports a lost GPU so.
    if (result.bytes == 0) return {Outcome::failed, said};
    return judgement;
}

/// The gravest of an item's files and notes. A note is all that is told of what has no file: none is passed over.
Judgement judge_parts(const std::vector<FileReport>& files, const std::vector<Judgement>& notes) {
    Judgement worst;
    std::size_t good = 0;
    for (const auto& file : files) {
        good += file.outcome == Outcome::ok ? 1 : 0;
        if (file.outcome > worst.outcome) worst = {file.outcome, file.name + ": " + file.why};
    }
    std::string others;
    for (const auto& note : notes) {
        if (note.outcome <= worst.outcome) {
            others += "; " + note.why;
            continue;
        }
        if (worst.outcome != Outcome::ok) others.insert(0, "; " + worst.why);
        worst = note;
    }
    worst.why += others;
    if (files.empty() && notes.empty()) return {Outcome::absent, "nothing is there"};
    if (good > 0 && worst.outcome != Outcome::ok && files.size() > 1)
        worst.why += fmt::format(" ({} of {} files are whole)", good, files.size());
    return worst;
}

void run_command(const RunCommand& how, const ports::ProbeLimits& limits, GatherPorts& ports,
                 const std::stop_token& stop, Gathered& gathered) {
    auto& report = gathered.report;
    const bool is_allowed = how.any_of.empty() ||
                            std::any_of(how.any_of.begin(), how.any_of.end(),
                                        [&](const auto& path) { return !ports.world.files.match(path).paths.empty(); });
    if (ports.commands == Commands::leave_out || !is_allowed) {
        report.outcome = Outcome::absent;
        report.why = is_allowed ? "no command is run for a copied tree" : how.otherwise;
        return;
    }
    Basket basket(ports.spools);
    basket.begin(command_file(how.argv));
    basket.data("$ " + join_words(how.argv) + "\n");
    const auto result =
        ports.probe.run_command(how.argv, limits, [&](std::string_view piece) { basket.data(piece); }, stop);
    const auto judgement = judge_command(result);
    if (result.end == ProbeEnd::not_found || result.end == ProbeEnd::not_started) {
        report.outcome = judgement.outcome;
        report.why = judgement.why;
        return;
    }
    basket.data(result.errors);
    basket.close(judgement.outcome, judgement.why);
    basket.hand_over(gathered);
    report.outcome = report.files.front().outcome;
    report.why = report.files.front().why;
    report.waits_in = result.waits_in;
    report.duration = result.duration;
    if (result.end == ProbeEnd::exited) report.exit_code = result.code;
}

void run_task(const Item& item, const ports::ProbeLimits& limits, GatherPorts& ports, const std::stop_token& stop,
              Gathered& gathered) {
    Basket basket(ports.spools);
    std::vector<Judgement> notes;
    ItemDecoder decoder({[&](std::string_view name) { basket.begin(name); },
                         [&](std::string_view bytes) { basket.data(bytes); },
                         [&](Outcome outcome, std::string_view why) { basket.close(outcome, why); },
                         [&](Outcome outcome, std::string_view why) { notes.push_back({outcome, std::string(why)}); }});
    const auto task = [&item, &ports](ports::ProbeOutput& output) {
        ItemWriter writer(output);
        do_item(item.how, ports.world, writer);
        return 0;
    };
    const auto result = ports.probe.run_task(task, limits, [&](std::string_view piece) { decoder.feed(piece); }, stop);
    auto& report = gathered.report;
    Judgement judgement;
    const bool cut = judge_end(result, decoder.last_path(), judgement);
    basket.close(cut ? judgement.outcome : Outcome::failed, cut ? judgement.why : "it was not read to its end");
    if (!cut) judgement = judge_parts(basket.reports(), notes);
    basket.hand_over(gathered);
    report.outcome = judgement.outcome;
    report.why = judgement.why;
    report.waits_in = result.waits_in;
    report.duration = result.duration;
}

}  // namespace

Gathered gather(const Item& item, const ports::ProbeLimits& limits, GatherPorts& ports, const std::stop_token& stop) {
    Gathered gathered;
    auto& report = gathered.report;
    report.name = item.name;
    report.kind = kind_of(item.how);
    report.target = target_of(item.how);
    if (const auto* const config = std::get_if<ReadConfig>(&item.how)) report.pci = config->address;
    if (const auto* const command = std::get_if<RunCommand>(&item.how)) {
        run_command(*command, limits, ports, stop, gathered);
    } else {
        run_task(item, limits, ports, stop, gathered);
    }
    return gathered;
}

}  // namespace gpumedic::collect
