// A case: evidence files and the truth about them.
#pragma once

#include <filesystem>
#include <map>
#include <ostream>
#include <string>
#include <vector>

#include "codec/value.h"
#include "knowledge/catalogue.h"
#include "model/diagnosis.h"

namespace gpumedic::replay {

using Files = std::map<std::string, std::string>;  // name -> content

struct Deciding {
    std::string file;
    std::string contains;
};

/// What the evidence shows once a deciding line is gone: a log that ends before the GPU came back is a log of a GPU that
/// did not. An answer that says this is honest, though not the truth.
struct Rest {
    std::string fault_class;
    std::string action;
    std::vector<std::string> devices;  // empty: those of the truth, or any where the truth names none
};

struct Case {
    std::string name;
    Files files;
    std::string fault_class;
    std::vector<std::string> also_classes;
    std::vector<std::string> devices;
    std::string verdict;  // healthy, fault, inconclusive
    std::vector<std::string> also_verdicts;
    std::string action;
    std::vector<std::string> also_actions;
    std::vector<std::string> must_mention;
    std::vector<Deciding> deciding;  // evidence without which the verdict could not stand

    std::vector<Rest> rest;

    /// gtest prints parameters; the name says it all.
    friend void PrintTo(const Case& c, std::ostream* out) { *out << c.name; }
};

/// Items of `deciding` ({file, contains}) and of `rest` ({class, action, devices}).
void add_expectations(const codec::Value& list, Case& c);

/// All cases below tests/cases, sorted by name. A case that cannot be read fails the test run with its reason.
[[nodiscard]] const std::vector<Case>& all_cases();

/// The cases below a folder, sorted by name.
[[nodiscard]] std::vector<Case> read_cases(const std::filesystem::path& folder);

/// The embedded catalogue.
[[nodiscard]] const knowledge::Index& catalogue();

/// The answer for these files, in this order of names (reversed: to see whether order matters).
enum class Order { by_name, reversed };
[[nodiscard]] model::Diagnosis diagnose(const Files& files, Order order = Order::by_name);

/// What an operator acts on, as one line: verdict, class, action, devices. Two diagnoses that agree in it say the same.
[[nodiscard]] std::string essence(const model::Diagnosis& diagnosis);

/// First open incident, or nullptr.
[[nodiscard]] const model::Incident* top(const model::Diagnosis& diagnosis);

}  // namespace gpumedic::replay
