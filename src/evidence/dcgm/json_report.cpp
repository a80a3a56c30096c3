#include "evidence/dcgm/json_report.h"

#include <utility>

#include "base/text.h"
#include "evidence/dcgm/interpret.h"

namespace gpumedic::evidence::dcgm {
namespace {

using codec::Value;

constexpr int kMaxDepth = 12;

std::string text_of(const Value& value) {
    if (value.is_scalar()) return value.scalar;
    return std::string(value.text({"value"}));
}

/// Messages stand as names or as values of members below a system, by version.
void collect_messages(const Value& node, int depth, std::vector<std::string>& messages) {
    if (depth > kMaxDepth) return;
    for (const auto& member : node.members) {
        if (member.key == "value" && member.value.is_scalar()) {
            if (!parse_result_word(member.value.scalar)) messages.push_back(member.value.scalar);
            continue;
        }
        if (member.key != "children" && member.value.is_map() && base::contains(member.key, " "))
            messages.push_back(member.key);
        if (member.value.is_scalar()) messages.push_back(member.value.scalar);
        collect_messages(member.value, depth + 1, messages);
    }
    for (const auto& item : node.items) {
        if (item.is_scalar()) messages.push_back(item.scalar);
        collect_messages(item, depth + 1, messages);
    }
}

void take_system(const Value& node, std::string_view name, std::string_view gpu, std::vector<Finding>& findings) {
    Finding finding;
    finding.index = gpu;
    finding.system = name;
    finding.result = base::lower(text_of(node));
    finding.text = name;
    std::vector<std::string> messages;
    collect_messages(node, 0, messages);
    if (messages.empty()) findings.push_back(finding);
    for (auto& message : messages) {
        finding.text = std::move(message);
        findings.push_back(finding);
    }
}

/// Members named by what they are: "GPU" > "0" > "Errors" > "PCIe system".
void walk_health(const Value& node, std::string_view gpu, int depth, std::vector<Finding>& findings) {
    if (depth > kMaxDepth) return;
    for (const auto& [name, child, line, column] : node.members) {
        if (name == "Overall Health") {
            Finding finding;
            finding.text = finding.system = name;
            finding.result = base::lower(text_of(child));
            if (!finding.result.empty()) findings.push_back(std::move(finding));
        } else if (name.ends_with(" system")) {
            take_system(child, name, gpu, findings);
            continue;
        }
        // A number below "NvSwitch" or "CPU" counts something else.
        const bool number = base::parse_number<std::uint16_t>(name).has_value();
        const bool other = name == "NvSwitch" || name == "CPU" || name == "CPUs" || name == "Switch";
        if (other) {
            walk_health(child, "-", depth + 1, findings);
        } else {
            walk_health(child, number && gpu != "-" ? std::string_view(name) : gpu, depth + 1, findings);
        }
    }
}

Finding finding_of_result(const Value& result, std::string_view test) {
    Finding finding;
    finding.text = finding.test = test;
    finding.result = base::lower(result.text({"status"}));
    if (result.text({"entity_group"}) == "GPU") finding.index = result.text({"entity_id"});
    if (finding.index.empty()) {
        const auto gpus = result.text({"gpu_id"}).empty() ? result.text({"gpu_ids"}) : result.text({"gpu_id"});
        if (base::parse_number<std::uint16_t>(gpus)) finding.index = gpus;
    }
    return finding;
}

void take_result(const Value& result, std::string_view test, std::vector<Finding>& findings) {
    auto finding = finding_of_result(result, test);
    if (finding.result.empty()) return;
    const auto* warnings = result.find("warnings");
    std::size_t told = 0;
    const auto tell = [&](std::string_view text, std::string_view code) {
        for (auto& message : split_messages(text)) {
            auto one = finding;
            if (const auto gpu = gpu_of_message(message); !gpu.empty()) one.index = gpu;
            one.text = std::move(message);
            one.code = code;
            findings.push_back(std::move(one));
            ++told;
        }
    };
    if (warnings != nullptr && warnings->is_scalar()) tell(warnings->scalar, {});
    if (warnings != nullptr) {
        for (const auto& item : warnings->items)
            tell(item.is_scalar() ? std::string_view(item.scalar) : item.text({"warning"}), item.text({"error_id"}));
    }
    if (told == 0) findings.push_back(std::move(finding));
}

std::vector<Finding> diag_findings(const Value& report) {
    std::vector<Finding> findings;
    const auto* categories = report.find("test_categories");
    if (categories == nullptr) return findings;
    for (const auto& category : categories->items) {
        const auto* tests = category.find("tests");
        if (tests == nullptr) continue;
        for (const auto& test : tests->items) {
            const auto* results = test.find("results");
            if (results == nullptr) continue;
            for (const auto& result : results->items) take_result(result, test.text({"name"}), findings);
        }
    }
    return findings;
}

}  // namespace

std::vector<Finding> findings_of_json(const Value& document) {
    for (const auto* name : {"DCGM GPU Diagnostic", "DCGM Diagnostic"})
        if (const auto* report = document.find(name)) return diag_findings(*report);
    if (document.find("test_categories") != nullptr) return diag_findings(document);
    std::vector<Finding> findings;
    const auto* body = document.find("body");
    if (body == nullptr) return findings;
    walk_health(*body, {}, 0, findings);
    for (auto& finding : findings)
        if (finding.index == "-") finding.index.clear();
    return findings;
}

}  // namespace gpumedic::evidence::dcgm
