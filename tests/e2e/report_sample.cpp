// Prints a hand-built answer as JSON: report_sample fault|healthy|nothing|empty|nodes.
#include <cstdio>
#include <string>
#include <string_view>

#include "report/diagnosis_samples.h"
#include "report/report.h"

namespace {

using gpumedic::model::Diagnosis;
using gpumedic::model::Verdict;

Diagnosis sample(std::string_view name) {
    if (name == "fault") return gpumedic::report::samples::fault();
    if (name == "healthy") return gpumedic::report::samples::healthy();
    if (name == "nothing") return gpumedic::report::samples::nothing();
    Diagnosis diagnosis;
    if (name == "nodes") diagnosis.nodes = {{"node-a", Verdict::fault}, {"node-b", Verdict::healthy}};
    return diagnosis;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 2) return 64;
    const std::string json = gpumedic::report::render_json(sample(argv[1]));
    return std::fwrite(json.data(), 1, json.size(), stdout) == json.size() ? 0 : 1;
}
