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

void BracketCounter::feed(std::string_view line) {
    for (const char c : line) {
        if (in_string_) {
            if (escaped_) {
                escaped_ = false;
            } else if (c == '\\') {
                escaped_ = true;
            } else if (c == '"') {
                in_string_ = false;
            }
        } else if (c == '"') {
            in_string_ = true;
        } else if (c == '{' || c == '[') {
            ++depth_;
            seen_ = true;
        } else if ((c == '}' || c == ']') && depth_ > 0) {
            --depth_;
        }
    }
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
