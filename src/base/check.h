// CHECK is for our own bugs only: never for bad data or for what the environment does.
#pragma once

namespace gpumedic::base {

/// Prints place and message to standard error and ends the process with exit code 70 (EX_SOFTWARE).
[[noreturn]] void check_failed(const char* file, int line, const char* condition, const char* message) noexcept;

}  // namespace gpumedic::base

#define CHECK(condition, message) \
    ((condition) ? static_cast<void>(0) : ::gpumedic::base::check_failed(__FILE__, __LINE__, #condition, message))
