// How fast we ask and how long we wait before we ask again.
#pragma once

#include <chrono>
#include <cstdint>
#include <mutex>
#include <random>
#include <stop_token>

namespace gpumedic::adapters::kube {

using Moment = std::chrono::steady_clock::time_point;
using Span = std::chrono::milliseconds;

/// A bucket that holds `burst` requests and gains `per_second` of them. Thread-safe.
class RateLimit {
public:
    RateLimit(double per_second, double burst) : per_second_(per_second), burst_(burst), tokens_(burst) {}
    /// Takes one request out of the bucket, now or in advance: how long to wait before it may be sent.
    [[nodiscard]] Span take(Moment now);

private:
    const double per_second_;
    const double burst_;
    std::mutex mutex_;
    double tokens_;
    Moment last_{};
};

/// Doubles from `first` to `cap`, each wait by chance between half of it and all of it, so that many clients that lost
/// one server do not come back in step. Not thread-safe.
class Backoff {
public:
    Backoff(Span first, Span cap, std::uint32_t seed) : first_(first), cap_(cap), next_(first), chance_(seed) {}
    [[nodiscard]] Span next();
    void reset() { next_ = first_; }

private:
    Span first_;
    Span cap_;
    Span next_;
    std::minstd_rand chance_;
};

enum class Waited : std::uint8_t { whole, cancelled };
/// Blocks the calling thread for so long, or until a stop is requested.
Waited wait(Span span, const std::stop_token& stop);

}  // namespace gpumedic::adapters::kube
