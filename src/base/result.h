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
