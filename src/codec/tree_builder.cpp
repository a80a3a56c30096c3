#include "codec/tree_builder.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace gpumedic::codec {
namespace {

/// Numbers of the members whose key stood before, in ascending order.
std::vector<std::size_t> repeated_members(const std::vector<Member>& members) {
    std::vector<std::size_t> order(members.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    // Sorting, not pairwise comparison: a hostile map may have millions of keys.
    std::sort(order.begin(), order.end(), [&](std::size_t left, std::size_t right) {
        const int compared = members[left].key.compare(members[right].key);
        return compared != 0 ? compared < 0 : left < right;
    });
    std::vector<std::size_t> repeated;
    for (std::size_t i = 1; i < order.size(); ++i) {
        if (members[order[i]].key == members[order[i - 1]].key) repeated.push_back(order[i]);
    }
    std::sort(repeated.begin(), repeated.end());
    return repeated;
}

Value node_of(Value::Kind kind, Place place) {
    Value value;
    value.kind = kind;
    value.line = place.line;
    value.column = place.column;
    return value;
}

}  // namespace

void TreeBuilder::refuse(base::ErrorCode code, std::string what, Place place, std::string help) {
    if (error_) return;
    std::string where = place.line == 0 ? std::string{} : fmt::format("{}:{}", place.line, place.column);
    error_ = base::Error{code, std::move(what), std::move(where), std::move(help)};
}

bool TreeBuilder::awaits_key() const { return !open_.empty() && open_.back().node.is_map() && !open_.back().have_key; }

bool TreeBuilder::count_node(Place place) {
    if (error_) return false;
    if (++nodes_ <= limits_.nodes) return true;
    refuse(base::ErrorCode::too_large, fmt::format("more than {} values", limits_.nodes), place);
    return false;
}

void TreeBuilder::attach(Value&& value) {
    if (open_.empty()) {
        root_ = std::move(value);
        return;
    }
    Open& parent = open_.back();
    if (parent.node.is_list()) {
        parent.node.items.push_back(std::move(value));
        return;
    }
    if (!parent.have_key) {
        refuse(base::ErrorCode::malformed, "a key must be plain text", Place{value.line, value.column},
               "write the key in quotes");
        return;
    }
    parent.pending.value = std::move(value);
    parent.node.members.push_back(std::move(parent.pending));
    parent.pending = Member{};
    parent.have_key = false;
}

void TreeBuilder::null(Place place) {
    if (count_node(place)) attach(node_of(Value::Kind::null, place));
}

void TreeBuilder::scalar(Place place, std::string text, Quoting quoting) {
    if (!count_node(place)) return;
    Value value = node_of(Value::Kind::scalar, place);
    value.scalar = std::move(text);
    value.quoted = quoting == Quoting::quoted;
    attach(std::move(value));
}

void TreeBuilder::key(Place place, std::string text) {
    if (error_ || !awaits_key()) return;
    Open& map = open_.back();
    map.pending.key = std::move(text);
    map.pending.line = place.line;
    map.pending.column = place.column;
    map.have_key = true;
}

void TreeBuilder::begin(Place place, Value::Kind kind) {
    if (!count_node(place)) return;
    if (open_.size() >= limits_.depth) {
        refuse(base::ErrorCode::too_large, fmt::format("nested deeper than {} levels", limits_.depth), place);
        return;
    }
    if (awaits_key()) {
        refuse(base::ErrorCode::malformed, "a key must be plain text, not a list or a map", place);
        return;
    }
    Open entry;
    entry.node = node_of(kind, place);
    open_.push_back(std::move(entry));
}

void TreeBuilder::end() {
    if (error_ || open_.empty()) return;
    Value value = std::move(open_.back().node);
    open_.pop_back();
    if (value.is_map()) settle_duplicates(value.members);
    attach(std::move(value));
}

void TreeBuilder::settle_duplicates(std::vector<Member>& members) {
    if (members.size() < 2) return;
    const std::vector<std::size_t> repeated = repeated_members(members);
    if (repeated.empty()) return;
    if (duplicates_ == Duplicates::refused) {
        const Member& second = members[repeated.front()];
        const auto first =
            std::find_if(members.begin(), members.end(), [&](const Member& m) { return m.key == second.key; });
        refuse(base::ErrorCode::malformed, fmt::format("the key '{}' stands twice in one map", second.key),
               Place{second.line, second.column}, fmt::format("the first one is on line {}", first->line));
        return;
    }
    std::size_t next_repeated = 0;
    std::size_t kept = 0;
    for (std::size_t i = 0; i < members.size(); ++i) {
        if (next_repeated < repeated.size() && repeated[next_repeated] == i) {
            ++next_repeated;
            continue;
        }
        if (kept != i) members[kept] = std::move(members[i]);
        ++kept;
    }
    members.resize(kept);
}

Value TreeBuilder::take() {
    open_.clear();
    return std::exchange(root_, Value{});
}

}  // namespace gpumedic::codec
