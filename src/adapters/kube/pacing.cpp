#include "adapters/kube/pacing.h"

#include <algorithm>
#include <cmath>
#include <condition_variable>

namespace gpumedic::adapters::kube {

Span RateLimit::take(Moment now) {
    const std::scoped_lock lock(mutex_);
    if (last_ != Moment{}) {
        const std::chrono::duration<double> passed = std::max(now, last_) - last_;
        tokens_ = std::min(burst_, tokens_ + passed.count() * per_second_);
    }
    last_ = std::max(now, last_);
    tokens_ -= 1.0;
    if (tokens_ >= 0) return Span{0};
    return Span{static_cast<std::int64_t>(std::ceil(-tokens_ / per_second_ * 1000.0))};
}

Span Backoff::next() {
    const Span whole = next_;
    next_ = std::min(cap_, next_ * 2);
    std::uniform_int_distribution<std::int64_t> spread(whole.count() / 2, whole.count());
    return Span{spread(chance_)};
}

Waited wait(Span span, const std::stop_token& stop) {
    std::mutex mutex;
    std::condition_variable_any never;
    std::unique_lock lock(mutex);
    never.wait_for(lock, stop, span, [] { return false; });
    return stop.stop_requested() ? Waited::cancelled : Waited::whole;
}

}  // namespace gpumedic::adapters::kube
