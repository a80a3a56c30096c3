// What dcgmi says about one test, one watched system or one sampled value. Plain values.
#pragma once

#include <cstdint>
#include <string>

namespace gpumedic::evidence::dcgm {

/// Empty texts were not shown.
struct Finding {
    std::uint64_t line{};
    std::string raw{};
    std::string text{};    // the message, else the name of what was tested
    std::string index{};   // of the GPU
    std::string test{};    // of diag; a column of dmon
    std::string system{};  // of health
    std::string result{};  // lower case
    std::string code{};
    std::string value{};
};

}  // namespace gpumedic::evidence::dcgm
