#include "bundle/line_splitter.h"

#include <algorithm>
#include <cstring>

#include "ports/reader.h"

namespace gpumedic::bundle {
namespace {

std::size_t find_byte(std::string_view text, char byte) {
    if (text.empty()) return std::string_view::npos;
    const void* found = std::memchr(text.data(), byte, text.size());
    return found == nullptr ? std::string_view::npos
                            : static_cast<std::size_t>(static_cast<const char*>(found) - text.data());
}

std::string_view cut_between_characters(std::string_view text) {
    text = text.substr(0, ports::kMaxLineBytes);
    for (std::size_t back = 1; back <= 3 && back < text.size(); ++back) {
        const auto byte = static_cast<unsigned char>(text[text.size() - back]);
        if ((byte & 0xC0) == 0x80) continue;
        const std::size_t length = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : byte >= 0xC0 ? 2 : 1;
        return length > back ? text.substr(0, text.size() - back) : text;
    }
    return text;
}

}  // namespace

void LineSplitter::feed(std::string_view chunk) {
    while (nul_bytes_ == NulBytes::drop) {
        const std::size_t nul = find_byte(chunk, '\0');
        if (nul == std::string_view::npos) break;
        feed_without_nul(chunk.substr(0, nul));
        had_nul_ = true;
        chunk.remove_prefix(std::min(chunk.find_first_not_of('\0', nul), chunk.size()));
    }
    feed_without_nul(chunk);
}

void LineSplitter::feed_without_nul(std::string_view chunk) {
    while (!chunk.empty()) {
        const std::size_t end = find_byte(chunk, '\n');
        if (end == std::string_view::npos) {
            hold(chunk);
            return;
        }
        const std::string_view piece = chunk.substr(0, end);
        chunk.remove_prefix(end + 1);
        if (held_bytes_ == 0) {
            emit(piece, piece.size());
        } else {
            hold(piece);
            emit(held_, held_bytes_);
            held_.clear();
            held_bytes_ = 0;
        }
    }
}

void LineSplitter::hold(std::string_view piece) {
    held_bytes_ += piece.size();
    // One byte over the cap, so that a "\r" after a line of exactly the cap is seen as what it is.
    const std::size_t room = ports::kMaxLineBytes + 1 - std::min(held_.size(), ports::kMaxLineBytes + 1);
    held_.append(piece.substr(0, room));
}

void LineSplitter::emit(std::string_view text, std::uint64_t full_bytes) {
    while (full_bytes == text.size() && text.ends_with('\r')) {
        text.remove_suffix(1);
        --full_bytes;
    }
    if (text.size() > ports::kMaxLineBytes) text = cut_between_characters(text);
    ++number_;
    sink_({text, number_, full_bytes, had_nul_});
    had_nul_ = false;
}

void LineSplitter::finish() {
    if (held_bytes_ != 0 || had_nul_) emit(held_, held_bytes_);
    held_.clear();
    held_bytes_ = 0;
}

}  // namespace gpumedic::bundle
