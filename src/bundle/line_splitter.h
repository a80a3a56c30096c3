// Chunks of bytes to lines, in constant memory.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace gpumedic::bundle {

/// A line without its end. `text` is valid during the call only.
struct Line {
    std::string_view text;
    std::uint64_t number{};      // 1-based
    std::uint64_t full_bytes{};  // longer than text.size() where the line was cut to ports::kMaxLineBytes
    bool had_nul{false};         // NUL bytes were left out
    [[nodiscard]] bool is_cut() const { return full_bytes > text.size(); }
};

/// Ends of lines are "\n" and "\r\n". Of a line over ports::kMaxLineBytes only that much is kept, whatever its length;
/// it is cut between characters. Not thread-safe.
class LineSplitter {
public:
    using LineSink = std::function<void(const Line&)>;
    enum class NulBytes : std::uint8_t { drop, keep };

    LineSplitter(NulBytes nul_bytes, LineSink sink) : nul_bytes_(nul_bytes), sink_(std::move(sink)) {}
    void feed(std::string_view chunk);
    /// The last line may lack its end.
    void finish();
    /// NUL bytes stood here that the caller has not fed.
    void mark_nul() { had_nul_ = true; }

private:
    void feed_without_nul(std::string_view chunk);
    void hold(std::string_view piece);
    void emit(std::string_view text, std::uint64_t full_bytes);

    NulBytes nul_bytes_;
    LineSink sink_;
    std::string held_;             // the start of a line whose end has not come
    std::uint64_t held_bytes_{0};  // its length so far, of which `held_` has at most the cap
    std::uint64_t number_{0};
    bool had_nul_{false};
};

}  // namespace gpumedic::bundle
