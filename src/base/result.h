// The one error style: Result<T>. Bad data is not an error of this kind (readers count it); an environment that refuses
// is.
#pragma once

#include <string>
#include <tl/expected.hpp>
#include <utility>

namespace gpumedic::base {

enum class ErrorCode {
    usage,       // the caller asked for something that does not exist
    not_found,   // no such file, entry or name
    denied,      // permission
    malformed,   // text that does not have the form it must have
    too_large,   // a stated cap was passed
    unreadable,  // an I/O error
    // Of a service that is asked over a network:
    unreachable,   // no connection: refused, no such name, TLS that cannot be trusted, or it says that it is unwell
    unauthorised,  // it does not accept who we say we are
    timed_out,     // no answer, or not all of it, within the deadline
    throttled,     // it asks us to come back later, for longer than we may wait
    gone,          // what we refer to is too old for it
    cancelled,     // our own side gave up: a stop was requested
};

/// What a person needs to act: what happened, where (path, or file:line:column), and what to do.
struct Error {
    ErrorCode code{ErrorCode::malformed};
    std::string what;
    std::string where{};
    std::string help{};
};

template <class T>
using Result = tl::expected<T, Error>;

[[nodiscard]] inline tl::unexpected<Error> fail(ErrorCode code, std::string what, std::string where = {},
                                                std::string help = {}) {
    return tl::make_unexpected(Error{code, std::move(what), std::move(where), std::move(help)});
}

}  // namespace gpumedic::base
