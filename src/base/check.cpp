#include "base/check.h"

#include <cstdio>
#include <cstdlib>

namespace gpumedic::base {

void check_failed(const char* file, int line, const char* condition, const char* message) noexcept {
    std::fprintf(
        stderr,
        "gpumedic: internal error at %s:%d: %s (%s)\nThis is a bug in gpumedic; please report it with the input.\n",
        file, line, message, condition);
    std::_Exit(70);
}

}  // namespace gpumedic::base
