#include "evidence/kubectl/document.h"

#include <algorithm>

#include "base/text.h"

namespace gpumedic::evidence::kubectl {
namespace {

/// The part of a value that every JSON writer prints as it is.
std::string_view plain_start(std::string_view value) {
    constexpr std::size_t kEnough = 24;
    const auto plain = [](char c) {
        return c >= ' ' && c <= '~' && c != '"' && c != '\\' && c != '<' && c != '>' && c != '&' && c != '/';
    };
    const auto end = std::find_if_not(value.begin(), value.end(), plain);
    return value.substr(0, std::min(kEnough, static_cast<std::size_t>(end - value.begin())));
}

}  // namespace

/// Takes one byte while a string is open; false where none is.
bool JsonParts::string_byte(char byte) {
    constexpr std::size_t kMaxKey = 16;
    if (!in_string_) return false;
    if (escaped_) {
        escaped_ = false;
    } else if (byte == '\\') {
        escaped_ = true;
    } else if (byte == '"') {
        in_string_ = false;
        return true;
    }
    if (depth_ == 1 && last_string_.size() < kMaxKey) last_string_.push_back(byte);
    return true;
}

/// "items": [ of a list object, or the first object of a bare array.
bool JsonParts::opens_list(char byte) const {
    if (list_depth_ > 0 || depth_ != 1) return false;
    return is_array_ ? byte == '{' : byte == '[' && last_string_ == "items";
}

void JsonParts::line(std::string_view text, const Sink& sink) {
    std::size_t start = 0;
    const auto give = [&](std::size_t end, Role role) {
        if (end > start) sink(text.substr(start, end - start), role);
        start = end;
    };
    for (std::size_t at = 0; at < text.size(); ++at) {
        const char c = text[at];
        if (string_byte(c)) continue;
        if (c == '"') {
            in_string_ = true;
            if (depth_ == 1) last_string_.clear();
        } else if (c == '{' || c == '[') {
            if (!seen_) is_array_ = c == '[';
            if (opens_list(c)) {
                give(at, Role::document);
                list_depth_ = is_array_ ? 1 : 2;
            }
            if (list_depth_ > 0 && depth_ == list_depth_ && c == '{' && !in_item_) {
                give(at, Role::frame);
                in_item_ = true;
            }
            ++depth_;
            seen_ = true;
        } else if ((c == '}' || c == ']') && depth_ > 0) {
            --depth_;
            if (in_item_ && depth_ == list_depth_) {
                in_item_ = false;
                give(at + 1, Role::item_end);
            }
            if (depth_ == 0) break;
        }
    }
    give(text.size(), in_item_ ? Role::item : is_list() ? Role::frame : Role::document);
}

void Document::clear() {
    text_.clear();
    starts_.clear();
    first_line_ = 0;
    cursor_ = 0;
    missed_ = 0;
}

void Document::add(std::string_view line, std::uint64_t number) {
    if (starts_.empty()) first_line_ = number;
    starts_.push_back(text_.size());
    text_ += line;
    text_ += '\n';
}

std::string_view Document::line(std::size_t index) const {
    const auto start = starts_[index];
    const auto end = index + 1 < starts_.size() ? starts_[index + 1] : text_.size();
    return std::string_view(text_).substr(start, end - start - 1);
}

void Document::locate(Draft& draft) {
    std::size_t place = 0;
    if (draft.line > 0 && draft.line <= starts_.size()) {
        place = starts_[static_cast<std::size_t>(draft.line - 1)];
    } else if (const auto found = find_anchor(draft); found != std::string::npos) {
        place = found;
        cursor_ = found + 1;
    }
    const auto above = std::upper_bound(starts_.begin(), starts_.end(), place);
    const auto index = static_cast<std::size_t>(above - starts_.begin()) - 1;
    draft.line = first_line_ + index;
    const auto whole = line(index);
    draft.raw = whole.size() <= kMaxRaw ? whole : whole.substr(place - starts_[index], kMaxRaw);
}

std::size_t Document::find_anchor(const Draft& draft) {
    if (draft.anchor_key.empty() || missed_ >= kMaxMissed) return std::string::npos;
    const std::string_view text(text_);
    const auto key = '"' + draft.anchor_key + '"';
    const auto value = plain_start(draft.anchor_value);
    for (auto at = text.find(key, cursor_); at != std::string_view::npos; at = text.find(key, at + 1)) {
        auto rest = base::trim_left(text.substr(at + key.size()));
        if (!rest.starts_with(":")) continue;
        rest = base::trim_left(rest.substr(1));
        if (rest.starts_with("\"")) rest.remove_prefix(1);
        if (rest.starts_with(value)) return at;
    }
    ++missed_;
    return std::string::npos;
}

}  // namespace gpumedic::evidence::kubectl
