// What a reader of evidence is. Every source we know is line-oriented, so one interface serves them all; a reader of
// a block or document form (lspci, JSON) keeps what it needs until finish().
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/timestamp.h"
#include "model/record.h"

namespace gpumedic::ports {

/// Receives records in the order of the source. The record and its views are valid during the call only.
using RecordSink = std::function<void(const model::Record&)>;

/// What the reader may know of where its text comes from.
struct ReadContext {
    std::string source;   // path or "-"
    std::string command;  // the command of a transcript ("kubectl get vm -n train"), without prompt; may be empty
    base::TimeContext time;
};

/// A line that has the reader's form but cannot be read. Counted in full, sampled.
struct MalformedLine {
    std::uint64_t line{};
    std::string why;
};

struct ReadStats {
    std::uint64_t records{};
    std::uint64_t malformed{};
    std::vector<MalformedLine> samples{};  // the first kMaxSamples
    static constexpr std::size_t kMaxSamples = 8;

    void count_malformed(std::uint64_t line, std::string why) {
        if (samples.size() < kMaxSamples) samples.push_back({line, std::move(why)});
        ++malformed;
    }
};

/// Not thread-safe; one per source. Never throws, never aborts, on any bytes: bad data is counted.
/// Lines come without their end ("\n" or "\r\n") and at most kMaxLineBytes long (the caller cuts longer ones and counts
/// them).
class Reader {
public:
    virtual ~Reader() = default;
    /// Lines arrive in order; `number` is 1-based in the source.
    virtual void line(std::string_view text, std::uint64_t number) = 0;
    /// The source is over; a reader of blocks delivers its last one here.
    virtual void finish() = 0;
    [[nodiscard]] virtual const ReadStats& stats() const = 0;
};

inline constexpr std::size_t kMaxLineBytes = 256 * 1024;

/// How sure a reader is that a text is its own: 0 not mine, 100 certain. It sees the first lines (at most 64 KiB) and
/// the command of a transcript, and may not rely on a file's name.
struct Head {
    std::string_view text;
    std::string_view command;
};

/// One row of the table of readers (src/bundle/reader_table.cpp).
struct ReaderKind {
    std::string_view name;  // "kernel log": shown in `sources[].kind`
    int (*recognise)(const Head& head);
    std::unique_ptr<Reader> (*make)(const ReadContext& context, RecordSink sink);
};

}  // namespace gpumedic::ports
