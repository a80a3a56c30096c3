#include "evidence/kubectl/table.h"

#include <algorithm>
#include <array>

#include "base/text.h"
#include "evidence/kubectl/node.h"
#include "evidence/kubectl/text_forms.h"

namespace gpumedic::evidence::kubectl {
namespace {

bool is_header_word(std::string_view text) {
    return !text.empty() && text.front() >= 'A' && text.front() <= 'Z' &&
           text.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 -_()/:%.") == std::string_view::npos;
}

bool is_blank(char c) { return c == ' ' || c == '\t'; }

/// `kubectl get vm,vmi` and `kubectl get all` put the kind before the name.
std::string_view bare_name(std::string_view name) {
    const auto slash = name.rfind('/');
    return slash == std::string_view::npos ? name : name.substr(slash + 1);
}

bool is_shown(std::string_view text) {
    return !text.empty() && text != "<none>" && text != "<unknown>" && text != "<invalid>";
}

void set_shown(Draft& draft, std::string_view key, std::string_view value) {
    if (is_shown(value)) draft.set(key, value);
}

std::optional<Draft> draft_of_vm(const Row& row) {
    Draft draft;
    draft.type = model::RecordType::k8s_vm;
    draft.text = cell(row, "STATUS");
    if (!is_shown(draft.text)) return std::nullopt;
    draft.set("status", draft.text);
    set_shown(draft, "ready", cell(row, "READY"));
    return draft;
}

std::optional<Draft> draft_of_vmi(const Row& row) {
    Draft draft;
    draft.type = model::RecordType::k8s_vmi;
    draft.text = cell(row, "PHASE");
    if (!is_shown(draft.text)) return std::nullopt;
    draft.set("phase", draft.text);
    set_shown(draft, "node", cell(row, "NODENAME"));
    set_shown(draft, "ready", cell(row, "READY"));
    return draft;
}

std::optional<Draft> draft_of_pod(const Row& row) {
    Draft draft;
    draft.type = model::RecordType::k8s_pod;
    draft.text = cell(row, "STATUS");
    if (!is_shown(draft.text)) return std::nullopt;
    draft.set("status", draft.text);
    set_shown(draft, "ready", cell(row, "READY"));
    const auto restarts = cell(row, "RESTARTS");  // "6 (3m ago)"
    draft.set("restarts", restarts.substr(0, restarts.find(' ')));
    set_shown(draft, "node", cell(row, "NODE"));
    return draft;
}

std::optional<Draft> draft_of_event(const Row& row) {
    Draft draft;
    draft.type = model::RecordType::k8s_event;
    const auto type = cell(row, "TYPE");
    if (type.empty() || cell(row, "REASON").empty()) return std::nullopt;
    draft.text = plain_message(cell(row, "MESSAGE"));
    draft.set("type", type);
    draft.set("reason", cell(row, "REASON"));
    const auto [kind, name] = base::split_once(cell(row, "OBJECT"), "/");
    draft.set("kind", base::lower(kind));
    draft.set("name", name);
    const auto counted = cell(row, "COUNT");
    const auto age = cell(row, "AGE").empty() ? cell(row, "LAST SEEN") : cell(row, "AGE");
    draft.set("count", counted.empty() ? count_of_age(age) : counted);
    const auto source = cell(row, "FROM").empty() ? cell(row, "SOURCE") : cell(row, "FROM");
    const auto [component, host] = split_source(source);
    draft.set("from", component);
    draft.host = host;
    return draft;
}

constexpr std::array<std::string_view, 4> kVmColumns{"NAME", "AGE", "STATUS", "READY"};
constexpr std::array<std::string_view, 6> kVmiColumns{"NAME", "AGE", "PHASE", "IP", "NODENAME", "READY"};
constexpr std::array<std::string_view, 7> kPodColumns{"NAME", "READY", "STATUS", "RESTARTS", "AGE", "IP", "NODE"};
constexpr std::array<std::string_view, 5> kNodeColumns{"NAME", "STATUS", "ROLES", "AGE", "VERSION"};
constexpr std::array<std::string_view, 5> kEventColumns{"LAST SEEN", "TYPE", "REASON", "OBJECT", "MESSAGE"};

std::vector<std::string_view> default_columns(Subject subject, std::size_t pieces) {
    switch (subject) {
        case Subject::vm: return {kVmColumns.begin(), kVmColumns.end()};
        case Subject::vmi:
            if (pieces == kVmiColumns.size() - 1) return {"NAME", "AGE", "PHASE", "NODENAME", "READY"};
            return {kVmiColumns.begin(), kVmiColumns.end()};
        case Subject::pod: return {kPodColumns.begin(), kPodColumns.end()};
        case Subject::event: return {kEventColumns.begin(), kEventColumns.end()};
        case Subject::node: return {kNodeColumns.begin(), kNodeColumns.end()};
        case Subject::unknown:
        case Subject::other: return {};
    }
    return {};
}

}  // namespace

std::string_view cell(const Row& row, std::string_view column) {
    for (const auto& [name, text] : row)
        if (name == column) return text;
    return {};
}

std::optional<Table> Table::parse_header(std::string_view line) {
    if (line.empty() || is_blank(line.front())) return std::nullopt;
    const auto pieces = table_pieces(line);
    if (pieces.size() < 2) return std::nullopt;
    const auto first = pieces.front().second;
    if (first != "NAME" && first != "NAMESPACE" && first != "LAST SEEN") return std::nullopt;
    Table table;
    for (const auto& [start, name] : pieces) {
        if (!is_header_word(name)) return std::nullopt;
        table.columns_.push_back({std::string(name), start});
    }
    table.decide_subject();
    return table;
}

std::optional<Table> Table::parse_event_header(std::string_view line) {
    const auto pieces = table_pieces(line);
    if (pieces.size() < 4 || pieces.back().second != "Message") return std::nullopt;
    Table table;
    for (const auto& [start, name] : pieces) {
        std::string upper(name);
        for (char& c : upper)
            if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
        table.columns_.push_back({std::move(upper), start});
    }
    // The conditions of a node have a status.
    if (!table.has("TYPE") || !table.has("REASON") || table.has("STATUS")) return std::nullopt;
    table.subject_ = Subject::event;
    return table;
}

bool Table::has(std::string_view name) const {
    return std::any_of(columns_.begin(), columns_.end(), [&](const Column& column) { return column.name == name; });
}

void Table::decide_subject() {
    if (has("REASON") && has("OBJECT") && has("MESSAGE")) {
        subject_ = Subject::event;
    } else if (has("NODENAME") && has("PHASE")) {
        subject_ = Subject::vmi;
    } else if (has("READY") && has("STATUS") && has("RESTARTS")) {
        subject_ = Subject::pod;
    } else if (has("STATUS") && has("ROLES")) {
        subject_ = Subject::node;
    } else if (has("AGE") && has("STATUS") && has("READY")) {
        subject_ = Subject::vm;
    }
}

Row Table::row(std::string_view line) const {
    Row row;
    bool aligned = true;
    for (std::size_t i = 1; i < columns_.size(); ++i) {
        const auto start = columns_[i].start;
        aligned = aligned && (start >= line.size() || is_blank(line[start - 1]));
    }
    const auto pieces = table_pieces(line);
    if (!aligned) {
        if (pieces.size() < columns_.size()) return row;  // a cell is empty: nothing tells which
        for (std::size_t i = 0; i < columns_.size(); ++i) {
            const bool last = i + 1 == columns_.size();
            row.emplace_back(columns_[i].name, last ? base::trim(line.substr(pieces[i].first)) : pieces[i].second);
        }
        return row;
    }
    for (std::size_t i = 0; i < columns_.size(); ++i) {
        const auto start = columns_[i].start;
        if (start >= line.size()) break;
        const auto end = i + 1 < columns_.size() ? columns_[i + 1].start : line.size();
        row.emplace_back(columns_[i].name, base::trim(line.substr(start, end - start)));
    }
    return row;
}

Row row_without_header(std::string_view line, const Command& command) {
    auto pieces = table_pieces(line);
    Row row;
    if (command.namespaces == Command::Namespaces::all && !pieces.empty()) {
        row.emplace_back("NAMESPACE", pieces.front().second);
        pieces.erase(pieces.begin());
    }
    const auto columns = default_columns(command.subject, pieces.size());
    const std::size_t needed = command.subject == Subject::pod ? 5 : columns.size();
    if (columns.empty() || pieces.size() < needed) return {};
    for (std::size_t i = 0; i < columns.size() && i < pieces.size(); ++i) {
        const bool rest = command.subject == Subject::event && i + 1 == columns.size();
        row.emplace_back(columns[i], rest ? base::trim(line.substr(pieces[i].first)) : pieces[i].second);
    }
    return row;
}

std::optional<Draft> draft_of_row(Subject subject, const Row& row, const Command& command) {
    if (subject == Subject::node) return draft_of_node_row(row);
    std::optional<Draft> draft;
    if (subject == Subject::vm) draft = draft_of_vm(row);
    if (subject == Subject::vmi) draft = draft_of_vmi(row);
    if (subject == Subject::pod) draft = draft_of_pod(row);
    if (subject == Subject::event) draft = draft_of_event(row);
    if (!draft) return std::nullopt;
    if (subject != Subject::event) {
        const auto name = bare_name(cell(row, "NAME"));
        if (name.empty()) return std::nullopt;
        draft->set("name", name);
        if (subject == Subject::pod) draft->set("vmi", vmi_of_pod(name));
    }
    const auto shown = cell(row, "NAMESPACE");
    draft->set("namespace", shown.empty() ? std::string_view(command.namespace_) : shown);
    return draft;
}

}  // namespace gpumedic::evidence::kubectl
