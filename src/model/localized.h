// Every text that a person reads exists in both languages.
#pragma once

#include <string>

namespace gpumedic::model {

enum class Language { en, ko };

struct Localized {
    std::string en;
    std::string ko;

    [[nodiscard]] const std::string& in(Language language) const { return language == Language::ko ? ko : en; }
    [[nodiscard]] bool empty() const { return en.empty() && ko.empty(); }
    bool operator==(const Localized&) const = default;
};

}  // namespace gpumedic::model
