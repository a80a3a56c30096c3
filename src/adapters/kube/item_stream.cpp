#include "adapters/kube/item_stream.h"

#include <fmt/format.h>

namespace gpumedic::adapters::kube {

using ports::Flow;

namespace {

constexpr std::size_t kMaxKeyBytes = 64;

bool is_blank(char byte) { return byte == ' ' || byte == '\n' || byte == '\r' || byte == '\t'; }

}  // namespace

bool ItemStream::keep(char byte) {
    std::string& target = in_item_ ? item_ : frame_;
    if (target.size() >= (in_item_ ? kMaxItemBytes : kMaxFrameBytes)) {
        too_large_ = true;
        return false;
    }
    target += byte;
    return true;
}

void ItemStream::string_byte(char byte) {
    if (escaped_) {
        escaped_ = false;
    } else if (byte == '\\') {
        escaped_ = true;
    } else if (byte == '"') {
        in_string_ = false;
        return;
    }
    if (depth_ == 1 && last_string_.size() < kMaxKeyBytes) last_string_ += byte;
}

Flow ItemStream::close(char byte) {
    if (depth_ == 0) return keep(byte) ? Flow::go_on : Flow::stop;
    const bool ends_list = list_depth_ != 0 && depth_ == list_depth_;
    --depth_;
    if (!keep(byte)) return Flow::stop;
    if (ends_list) list_depth_ = 0;
    if (depth_ == 0) ended_ = true;
    if (!in_item_ || depth_ != list_depth_) return Flow::go_on;
    in_item_ = false;
    ++items_;
    const Flow flow = sink_(item_);
    item_.clear();
    return flow;
}

Flow ItemStream::structural(char byte) {
    switch (byte) {
        case '{':
        case '[':
            if (in_list() && !in_item_) in_item_ = true;
            if (byte == '[' && depth_ == 1 && last_string_ == "items") list_depth_ = 2;
            ++depth_;
            break;
        case '}':
        case ']': return close(byte);
        case '"':
            in_string_ = true;
            if (depth_ == 1) last_string_.clear();
            break;
        case ',':
            if (in_list() && !in_item_) return Flow::go_on;
            break;
        default:
            if (is_blank(byte) && !in_item_) return Flow::go_on;
    }
    return keep(byte) ? Flow::go_on : Flow::stop;
}

Flow ItemStream::feed(std::string_view bytes) {
    if (too_large_) return Flow::stop;
    for (const char byte : bytes) {
        if (ended_) {
            after_end_ = after_end_ || !is_blank(byte);
            continue;
        }
        if (in_string_) {
            string_byte(byte);
            if (!keep(byte)) return Flow::stop;
        } else if (structural(byte) == Flow::stop) {
            return Flow::stop;
        }
    }
    return Flow::go_on;
}

base::Result<std::string> ItemStream::frame() const {
    if (too_large_) {
        return base::fail(base::ErrorCode::too_large,
                          in_item_
                              ? fmt::format("an object is larger than {} bytes", kMaxItemBytes)
                              : fmt::format("the answer around its objects is larger than {} bytes", kMaxFrameBytes));
    }
    if (!ended_) {
        return base::fail(base::ErrorCode::malformed,
                          frame_.empty() ? "the answer is empty"
                                         : fmt::format("the answer ends in the middle, after {} objects", items_));
    }
    if (after_end_) return base::fail(base::ErrorCode::malformed, "something stands behind the end of the answer");
    return frame_;
}

std::optional<std::string_view> member_text(std::string_view json, std::string_view key) {
    std::size_t depth = 0;
    std::size_t string_start = 0;
    std::optional<std::size_t> value_start;
    std::string_view last;
    bool in_string = false;
    for (std::size_t at = 0; at < json.size(); ++at) {
        const char byte = json[at];
        if (in_string) {
            if (byte == '\\') {
                ++at;
            } else if (byte == '"') {
                in_string = false;
                if (depth == 1 && !value_start) last = json.substr(string_start, at - string_start);
            }
            continue;
        }
        const bool ends = depth == 1 && (byte == ',' || byte == '}');
        if (ends && value_start) {
            auto value = json.substr(*value_start, at - *value_start);
            while (!value.empty() && is_blank(value.front())) value.remove_prefix(1);
            while (!value.empty() && is_blank(value.back())) value.remove_suffix(1);
            return value;
        }
        if (byte == '"') {
            in_string = true;
            string_start = at + 1;
        } else if (byte == '{' || byte == '[') {
            ++depth;
        } else if (byte == '}' || byte == ']') {
            if (depth == 0) return std::nullopt;
            --depth;
        } else if (byte == ':' && depth == 1 && last == key) {
            value_start = at + 1;
        }
    }
    return std::nullopt;
}

Flow LineStream::feed(std::string_view bytes) {
    while (!bytes.empty()) {
        const auto end = bytes.find('\n');
        const auto piece = bytes.substr(0, end);
        if (line_.size() + piece.size() > ItemStream::kMaxItemBytes) {
            too_large_ = true;
            return Flow::stop;
        }
        line_ += piece;
        if (end == std::string_view::npos) return Flow::go_on;
        bytes.remove_prefix(end + 1);
        const Flow flow = line_.empty() ? Flow::go_on : sink_(line_);
        line_.clear();
        if (flow == Flow::stop) return Flow::stop;
    }
    return Flow::go_on;
}

}  // namespace gpumedic::adapters::kube
