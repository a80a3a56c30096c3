// Counts over all variants, and how they are printed.
#pragma once

#include <array>
#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "judge.h"

namespace gpumedic::mutate {

/// One variant whose answer is not what the rule allows.
struct Complaint {
    std::string case_name;
    std::string kind;
    std::size_t number{};
    std::string why;
};

class Tally {
public:
    void add(const std::string& case_name, const Kind& kind, std::size_t number, const Variant& variant,
             const Judgement& judgement);

    [[nodiscard]] std::size_t variants() const { return variants_; }
    [[nodiscard]] const std::vector<Complaint>& flips() const { return flips_; }
    /// Weakened although all that decides is there.
    [[nodiscard]] const std::vector<Complaint>& weakened() const { return weakened_; }

    /// By kind: variants, kept, weakened (all that decides there, part of it, none), what the rest shows,
    /// flips.
    [[nodiscard]] std::string render_kinds() const;
    /// Confidence of the first incident in tenths, and how often it named class, device and action rightly.
    [[nodiscard]] std::string render_calibration() const;

private:
    struct Row {
        std::size_t variants{};
        std::size_t kept{};
        std::array<std::size_t, 3> weakened{};  // by Deciding
        std::size_t rest{};  // says what the evidence shows without the deciding line that is gone
        std::size_t flips{};
    };
    struct Bin {
        std::size_t count{};
        std::size_t right{};
    };
    std::map<std::string, Row, std::less<>> rows_;
    std::array<Bin, 10> bins_{};
    std::size_t variants_{};
    std::vector<Complaint> flips_;
    std::vector<Complaint> weakened_;
};

/// One line each: "case | kind | number | why".
[[nodiscard]] std::string render(std::vector<Complaint> complaints);

}  // namespace gpumedic::mutate
