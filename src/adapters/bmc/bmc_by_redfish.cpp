#include "adapters/bmc/bmc_by_redfish.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "adapters/bmc/config.h"
#include "adapters/bmc/walk.h"
#include "adapters/http/http.h"

namespace gpumedic::adapters::bmc {
namespace {

using base::ErrorCode;
using Clock = std::chrono::steady_clock;
using Span = std::chrono::milliseconds;
using ports::ServiceText;

constexpr std::uint64_t kMaxDocument = std::uint64_t{8} << 20;
constexpr Span kOneAnswer{10'000};  // BMCs are slow: seconds for a page of a log are ordinary

base::Error refusal(long status, const http::Server& server, const std::string& path) {
    const auto make = [&](ErrorCode code, std::string what, std::string help = {}) {
        return base::Error{code, std::move(what), server.url + path, std::move(help)};
    };
    switch (status) {
        case 401:
            return make(ErrorCode::unauthorised, "the BMC does not accept the user (HTTP 401)",
                        fmt::format("Check user and password_file of {}.", server.origin));
        case 403:
            return make(ErrorCode::denied, "the BMC's user may not read it (HTTP 403)",
                        "A Redfish role with the privilege Login suffices (ReadOnly).");
        case 404: return make(ErrorCode::not_found, "the BMC has no such document (HTTP 404)");
        default: return make(ErrorCode::unreadable, fmt::format("the BMC answers HTTP {}", status));
    }
}

/// A broken configuration is somebody's mistake and is told as one; none at all is a machine whose BMC is not asked.
ServiceText not_configured(const base::Error& error) {
    const auto outcome = error.code == ErrorCode::not_found ? ServiceText::Outcome::absent
                         : error.code == ErrorCode::denied  ? ServiceText::Outcome::denied
                                                            : ServiceText::Outcome::failed;
    const auto why = error.where + ": " + error.what;
    return {{}, {}, outcome, error.help.empty() ? why : why + "; " + error.help};
}

}  // namespace

std::vector<ServiceText> BmcByRedfish::about(const std::string& node, std::chrono::milliseconds timeout) {
    const char* const named = std::getenv("GPUMEDIC_BMC");  // NOLINT(concurrency-mt-unsafe): nobody sets variables
    const auto config = read_config(named == nullptr ? config_ : named, node);
    if (!config) return {not_configured(config.error())};
    http::Http http(config->server);
    const auto end = Clock::now() + timeout;
    return walk([&](const std::string& path) -> base::Result<std::string> {
        const auto left = std::chrono::duration_cast<Span>(end - Clock::now());
        if (left <= Span{0})
            return base::fail(ErrorCode::timed_out,
                              fmt::format("the time for the BMC ({} s) is over", timeout.count() / 1000));
        std::string body;
        const auto answer = http.get({.path = path, .timeout = std::min(left, kOneAnswer), .max_bytes = kMaxDocument},
                                     config->secret, [&body](std::string_view piece) {
                                         body += piece;
                                         return ports::Flow::go_on;
                                     });
        if (!answer) return tl::make_unexpected(answer.error().error);
        if (answer->status < 200 || answer->status > 299)
            return tl::make_unexpected(refusal(answer->status, config->server, path));
        return body;
    });
}

}  // namespace gpumedic::adapters::bmc
