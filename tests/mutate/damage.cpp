// Evidence that is missing: files, ends of files, lines. What decides may be gone afterwards; the variant says so.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include "kernel_log.h"
#include "variant.h"

namespace gpumedic::mutate {
namespace {

std::multiset<std::string_view> deciding_lines(const replay::Files& files, const replay::Deciding& item) {
    std::multiset<std::string_view> out;
    const auto file = files.find(item.file);
    if (file == files.end()) return out;
    for (const auto line : lines_of(file->second))
        if (line.find(item.contains) != std::string_view::npos) out.insert(line);
    return out;
}

/// A line that was cut counts as gone. Evidence of a healthy or undecided case is all its files.
Deciding left(const Step& step, const replay::Files& files) {
    const auto& truth = *step.subject->truth;
    if (truth.deciding.empty()) return Deciding::part;
    auto worst = Deciding::all;
    for (const auto& item : truth.deciding) {
        const auto before = deciding_lines(truth.files, item);
        const auto after = deciding_lines(files, item);
        std::size_t kept = 0;
        for (const auto line : after) kept += before.contains(line) ? 1 : 0;
        if (kept == 0 && !before.empty()) return Deciding::none;
        if (kept < before.size()) worst = Deciding::part;
    }
    return worst;
}

std::optional<Variant> judged(const Step& step, Variant variant) {
    variant.deciding = left(step, variant.files);
    return variant;
}

replay::Files::iterator some_file(const Step& step, Variant& variant) {
    return std::next(variant.files.begin(), static_cast<long>(step.random->below(variant.files.size())));
}

std::optional<Variant> without_file(const Step& step, Variant variant) {
    if (variant.files.size() < 2 || step.number >= variant.files.size()) return std::nullopt;
    variant.files.erase(std::next(variant.files.begin(), static_cast<long>(step.number)));
    return judged(step, std::move(variant));
}

std::optional<Variant> cut_at_byte(const Step& step, Variant variant) {
    auto& text = some_file(step, variant)->second;
    text.resize(text.size() * (step.number % 3 + 1) / 4);
    return judged(step, std::move(variant));
}

std::optional<Variant> cut_at_line(const Step& step, Variant variant) {
    auto& text = some_file(step, variant)->second;
    const auto end = text.rfind('\n', text.size() * (step.number % 3 + 1) / 4);
    text.resize(end == std::string::npos ? 0 : end + 1);
    return judged(step, std::move(variant));
}

/// What a rotated log keeps.
std::optional<Variant> only_the_end(const Step& step, Variant variant) {
    auto& text = some_file(step, variant)->second;
    const auto start = text.find('\n', text.size() * (step.number % 2 + 1) / 3);
    if (start == std::string::npos || start + 1 >= text.size()) return std::nullopt;
    text.erase(0, start + 1);
    return judged(step, std::move(variant));
}

std::string without(std::string_view text, auto gone) {
    std::string out;
    for (const auto line : lines_of(text))
        if (!gone(line)) (out += line) += '\n';
    return out;
}

std::optional<Variant> without_some_lines(const Step& step, Variant variant) {
    const std::size_t one_in = step.number % 2 == 0 ? 10 : 3;
    for (auto& [name, text] : variant.files)
        text = without(text, [&](auto) { return step.random->below(one_in) == 0; });
    return judged(step, std::move(variant));
}

std::optional<Variant> without_one_line(const Step& step, Variant variant) {
    auto& text = some_file(step, variant)->second;
    const auto gone = step.random->below(lines_of(text).size());
    text = without(text, [at = std::size_t{0}, gone](auto) mutable { return at++ == gone; });
    return judged(step, std::move(variant));
}

std::optional<Variant> without_deciding(const Step& step, Variant variant) {
    const auto& deciding = step.subject->truth->deciding;
    if (step.number >= deciding.size()) return std::nullopt;
    const auto& item = deciding[step.number];
    auto& text = variant.files.at(item.file);
    text = without(text, [&](auto line) { return line.find(item.contains) != std::string_view::npos; });
    return judged(step, std::move(variant));
}

/// Only what decides is left, nothing around it.
std::optional<Variant> deciding_alone(const Step& step, Variant variant) {
    const auto& deciding = step.subject->truth->deciding;
    if (deciding.empty()) return std::nullopt;
    for (auto& [name, text] : variant.files)
        text = without(text, [&, file = name](auto line) {
            return !line.starts_with("$ ") && std::ranges::none_of(deciding, [&](const auto& d) {
                return d.file == file && line.find(d.contains) != std::string_view::npos;
            });
        });
    std::erase_if(variant.files, [](const auto& file) { return file.second.empty(); });
    // Headers, continuation lines and the blocks around a line are part of what it says.
    variant.deciding = Deciding::part;
    return variant;
}

}  // namespace

std::vector<Kind> damage_kinds() {
    return {{"drop file", 6, without_file},
            {"cut at byte", 3, cut_at_byte},
            {"cut at line", 3, cut_at_line},
            {"cut all but the end", 2, only_the_end},
            {"drop some lines", 4, without_some_lines},
            {"drop one line", 4, without_one_line},
            {"drop deciding", 4, without_deciding},
            {"drop all but deciding", 1, deciding_alone}};
}

}  // namespace gpumedic::mutate
