#include "bundle/bundle.h"

#include <algorithm>
#include <map>
#include <utility>

#include "bundle/file_reading.h"

namespace gpumedic::bundle {
namespace {

class EvidenceReading {
public:
    EvidenceReading(ports::EvidenceTree& tree, const Options& options, const RecordSink& sink)
        : tree_(tree), options_(options), output_{sources_, sink, options.time}, buffer_(kChunkBytes) {}

    base::Result<std::vector<model::Source>> read(const std::vector<std::string>& arguments);

private:
    void list(const std::string& argument);
    void read_entry(const ports::EvidenceEntry& entry);
    void list_problem(const std::string& name, std::string outcome, const base::Error& error);
    [[nodiscard]] std::string shown_name(const ports::EvidenceEntry& entry) const;
    [[nodiscard]] base::Error nothing_readable() const;

    ports::EvidenceTree& tree_;
    const Options& options_;
    std::vector<model::Source> sources_;
    Output output_;
    std::vector<char> buffer_;
    std::vector<ports::EvidenceEntry> entries_;
    std::map<std::string, int> times_named_;
    std::vector<base::Error> refusals_;  // what keeps arguments and files from being read
    bool was_any_read_{false};
};

std::string outcome_of(base::ErrorCode code) { return code == base::ErrorCode::not_found ? "absent" : "denied"; }

void EvidenceReading::list(const std::string& argument) {
    auto listing = tree_.list(argument);
    if (!listing) {
        list_problem(argument, outcome_of(listing.error().code), listing.error());
        return;
    }
    for (const auto& problem : listing->problems) {
        using base::ErrorCode;
        const bool is_cap = problem.code == ErrorCode::too_large;
        const bool is_skipped = problem.code == ErrorCode::unreadable;
        list_problem(problem.where.empty() ? argument : problem.where,
                     is_cap       ? "truncated"
                     : is_skipped ? "unrecognised"
                                  : outcome_of(problem.code),
                     problem);
    }
    if (listing->entries.empty() && listing->problems.empty()) {
        was_any_read_ = true;
        model::Source empty_folder;
        empty_folder.name = argument;
        empty_folder.outcome = "empty";
        empty_folder.note = "a folder without files";
        sources_.push_back(std::move(empty_folder));
    }
    for (auto& entry : listing->entries) {
        if (entries_.size() >= options_.max_entries) {
            list_problem(argument, "truncated",
                         {base::ErrorCode::too_large, "more files than the cap: the rest was not read", argument, {}});
            return;
        }
        ++times_named_[entry.name];
        entries_.push_back(std::move(entry));
    }
}

void EvidenceReading::list_problem(const std::string& name, std::string outcome, const base::Error& error) {
    refusals_.push_back(error);
    if (refusals_.back().where.empty()) refusals_.back().where = name;
    model::Source source;
    source.name = name;
    source.outcome = std::move(outcome);
    source.note = error.what;
    sources_.push_back(std::move(source));
}

/// Two folders may both hold a kernel.log.
std::string EvidenceReading::shown_name(const ports::EvidenceEntry& entry) const {
    const auto found = times_named_.find(entry.name);
    return found != times_named_.end() && found->second > 1 ? entry.path : entry.name;
}

void EvidenceReading::read_entry(const ports::EvidenceEntry& entry) {
    const std::string name = shown_name(entry);
    auto opened = tree_.open(entry);
    if (!opened) {
        list_problem(name, outcome_of(opened.error().code), opened.error());
        return;
    }
    base::Error error;
    FileReading reading(output_, **opened, options_.max_source_bytes, buffer_);
    if (reading.read(name, entry.path, error)) {
        was_any_read_ = true;
    } else {
        list_problem(name, outcome_of(error.code), error);
    }
}

base::Error EvidenceReading::nothing_readable() const {
    base::Error all{base::ErrorCode::not_found, {}, {}, {}};
    for (const auto& refusal : refusals_) {
        if (refusal.code == base::ErrorCode::denied) all.code = base::ErrorCode::denied;
        all.what += (all.what.empty() ? "" : "; ") + refusal.where + ": " + refusal.what;
    }
    if (!refusals_.empty()) all.where = refusals_.front().where;
    if (refusals_.empty()) all.what = "no input was named";
    return all;
}

base::Result<std::vector<model::Source>> EvidenceReading::read(const std::vector<std::string>& arguments) {
    for (const auto& argument : arguments) list(argument);
    for (const auto& entry : entries_) read_entry(entry);
    output_.accounts.apply(sources_);
    if (!was_any_read_) return tl::make_unexpected(nothing_readable());
    return std::move(sources_);
}

}  // namespace

base::Result<std::vector<model::Source>> read_evidence(ports::EvidenceTree& tree,
                                                       const std::vector<std::string>& arguments,
                                                       const Options& options, const RecordSink& sink) {
    return EvidenceReading(tree, options, sink).read(arguments);
}

}  // namespace gpumedic::bundle
