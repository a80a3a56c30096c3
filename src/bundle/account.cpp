#include "bundle/account.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/text.h"

namespace gpumedic::bundle {
namespace {

/// "bundle.tar.zst/" of "bundle.tar.zst/manifest.json"; "" of a bare name.
std::string folder_of(const std::string& name) {
    const auto slash = name.rfind('/');
    return slash == std::string::npos ? std::string{} : name.substr(0, slash + 1);
}

/// A part of the file ("x.txt (nvidia-smi -q)") is of the file.
bool is_part_of(const std::string& source, const std::string& file) {
    return source.starts_with(file) && (source.size() == file.size() || source.substr(file.size()).starts_with(" ("));
}

}  // namespace

void Accounts::see(std::uint32_t source, const std::string& name, const model::Record& record) {
    if (statements_.size() >= kMax || zones_.size() >= kMax) return;
    constexpr int kMostMinutes = 14 * 60;
    const auto offset = base::parse_number<int>(record.field("utc_offset"));
    if (offset && *offset >= -kMostMinutes && *offset <= kMostMinutes)
        zones_.push_back({folder_of(name), std::chrono::minutes{*offset}});
    if (record.field("outcome").empty()) return;
    statements_.push_back({source, std::string(record.field("item")), std::string(record.field("file")),
                           std::string(record.field("outcome")), std::string(record.field("why"))});
}

std::optional<std::chrono::minutes> Accounts::zone_of(std::string_view file) const {
    for (auto zone = zones_.rbegin(); zone != zones_.rend(); ++zone)
        if (file.starts_with(zone->folder)) return zone->offset;
    return std::nullopt;
}

/// The same outcome of the item and of a file of it is one piece of news.
bool Accounts::is_said_of_a_file(const Statement& statement) const {
    return std::any_of(statements_.begin(), statements_.end(), [&](const Statement& other) {
        return !other.file.empty() && other.item == statement.item && other.account == statement.account &&
               other.outcome == statement.outcome;
    });
}

void Accounts::apply(std::vector<model::Source>& sources) const {
    std::vector<model::Source> added;
    for (const auto& statement : statements_) {
        if (statement.file.empty() && is_said_of_a_file(statement)) continue;
        const std::string name =
            folder_of(sources[statement.account].name) + (statement.file.empty() ? statement.item : statement.file);
        bool found = false;
        for (auto& source : sources) {
            if (statement.file.empty() || !is_part_of(source.name, name)) continue;
            found = true;
            if (source.outcome != "ok" && source.outcome != "empty" && source.outcome != "unrecognised") continue;
            source.outcome = statement.outcome;
            source.note = statement.why;
        }
        if (found) continue;
        model::Source missing;
        missing.name = name;
        missing.outcome = statement.outcome;
        missing.note = statement.why;
        added.push_back(std::move(missing));
    }
    std::move(added.begin(), added.end(), std::back_inserter(sources));
}

}  // namespace gpumedic::bundle
