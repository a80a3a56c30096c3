#include "collect/item_stream.h"

#include <algorithm>

namespace gpumedic::collect {
namespace {

// Kind, then the payload's length in four bytes, lowest first.
constexpr std::size_t kHeadBytes = 5;
constexpr std::size_t kMaxPayload = std::size_t{64} * 1024;
constexpr char kGoing = 'P';
constexpr char kBegin = 'F';
constexpr char kData = 'D';
constexpr char kEnd = 'E';
constexpr char kNote = 'N';

std::string with_outcome(Outcome outcome, std::string_view why) {
    return std::string(1, static_cast<char>(outcome)) + std::string(why.substr(0, 1000));
}

}  // namespace

bool ItemWriter::frame(char kind, std::string_view payload) {
    std::string bytes(1, kind);
    for (unsigned shift = 0; shift < 32; shift += 8)
        bytes.push_back(static_cast<char>((payload.size() >> shift) & 0xFFU));
    bytes += payload;
    return output_.write(bytes);
}

bool ItemWriter::going_to(std::string_view path) { return frame(kGoing, path.substr(0, kMaxPayload)); }
bool ItemWriter::begin(std::string_view name) { return frame(kBegin, name.substr(0, kMaxPayload)); }

bool ItemWriter::data(std::string_view bytes) {
    while (!bytes.empty()) {
        const auto piece = bytes.substr(0, kMaxPayload);
        if (!frame(kData, piece)) return false;
        bytes.remove_prefix(piece.size());
    }
    return true;
}

bool ItemWriter::end(Outcome outcome, std::string_view why) { return frame(kEnd, with_outcome(outcome, why)); }
bool ItemWriter::note(Outcome outcome, std::string_view why) { return frame(kNote, with_outcome(outcome, why)); }

void ItemDecoder::feed(std::string_view piece) {
    if (broken_) return;
    waiting_ += piece;
    std::string_view rest = waiting_;
    while (rest.size() >= kHeadBytes && !broken_) {
        std::size_t length = 0;
        for (std::size_t i = 0; i < 4; ++i)
            length |= static_cast<std::size_t>(static_cast<unsigned char>(rest[i + 1])) << (8 * i);
        if (length > kMaxPayload) {
            broken_ = true;
            return;
        }
        if (rest.size() < kHeadBytes + length) break;
        take(rest[0], rest.substr(kHeadBytes, length));
        rest.remove_prefix(kHeadBytes + length);
    }
    waiting_.erase(0, waiting_.size() - rest.size());
}

void ItemDecoder::take(char kind, std::string_view payload) {
    if (kind == kGoing) {
        last_path_ = payload;
    } else if (kind == kBegin) {
        events_.begin(payload);
    } else if (kind == kData) {
        events_.data(payload);
    } else if ((kind == kEnd || kind == kNote) && !payload.empty() &&
               static_cast<unsigned char>(payload[0]) <= static_cast<unsigned char>(Outcome::failed)) {
        const auto outcome = static_cast<Outcome>(payload[0]);
        (kind == kEnd ? events_.end : events_.note)(outcome, payload.substr(1));
    } else {
        broken_ = true;
    }
}

}  // namespace gpumedic::collect
