#include "case.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "base/check.h"
#include "codec/value.h"
#include "knowledge/blob.h"
#include "knowledge/embedded.h"
#include "pipeline/pipeline.h"
#include "ports/evidence_tree.h"

namespace gpumedic::replay {
namespace {

namespace fs = std::filesystem;

class MemoryBytes final : public ports::ByteSource {
public:
    explicit MemoryBytes(const std::string& text) : rest_(text) {}
    base::Result<std::size_t> read(std::span<char> buffer) override {
        const auto size = std::min(buffer.size(), rest_.size());
        std::memcpy(buffer.data(), rest_.data(), size);
        rest_.remove_prefix(size);
        return size;
    }

private:
    std::string_view rest_;
};

class MemoryTree final : public ports::EvidenceTree {
public:
    MemoryTree(const Files& files, Order order) : files_(files), order_(order) {}
    base::Result<Listing> list(const std::string&) override {
        Listing listing;
        for (const auto& [name, text] : files_) listing.entries.push_back({name, name});
        if (order_ == Order::reversed) std::ranges::reverse(listing.entries);
        return listing;
    }
    base::Result<std::unique_ptr<ports::ByteSource>> open(const ports::EvidenceEntry& entry) override {
        return std::make_unique<MemoryBytes>(files_.at(entry.path));
    }

private:
    const Files& files_;
    Order order_;
};

std::string read_file(const fs::path& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

std::vector<std::string> texts(const codec::Value* list) {
    std::vector<std::string> out;
    if (list != nullptr)
        for (const auto& item : list->items) out.push_back(item.scalar);
    return out;
}

Case read_case(const fs::path& folder) {
    Case c;
    c.name = folder.filename().string();
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
        const auto name = fs::relative(entry.path(), folder).string();
        if (entry.is_regular_file() && name != "case.yaml") c.files[name] = read_file(entry.path());
    }
    auto parsed = codec::parse_yaml(read_file(folder / "case.yaml"));
    CHECK(parsed && !parsed->empty(),
          (c.name + "/case.yaml: " + (parsed ? "empty" : parsed.error().where + ": " + parsed.error().what)).c_str());
    const auto& doc = parsed->front();
    const auto* truth = doc.find("truth");
    CHECK(truth != nullptr, (c.name + ": no truth").c_str());
    c.fault_class = truth->text({"fault_class"});
    c.also_classes = texts(truth->find("also_accept_class"));
    c.devices = texts(truth->find("devices"));
    c.verdict = truth->text({"expected_verdict"});
    if (c.verdict.empty()) c.verdict = c.fault_class == "healthy" ? "healthy" : "fault";
    c.also_verdicts = texts(truth->find("also_accept_verdict"));
    c.action = truth->text({"expected_action_class"});
    c.also_actions = texts(truth->find("also_accept_action"));
    c.must_mention = texts(truth->find("must_mention"));
    if (const auto* deciding = doc.find("deciding")) add_expectations(*deciding, c);
    if (const auto* rest = doc.find("rest")) add_expectations(*rest, c);
    return c;
}

}  // namespace

void add_expectations(const codec::Value& list, Case& c) {
    for (const auto& item : list.items) {
        const auto text = [&](std::string_view key) { return std::string(item.text({key})); };
        if (item.find("class") != nullptr) {
            c.rest.push_back({text("class"), text("action"), texts(item.find("devices"))});
        } else {
            c.deciding.push_back({text("file"), text("contains")});
        }
    }
}

std::vector<Case> read_cases(const fs::path& folder) {
    std::vector<fs::path> folders;
    for (const auto& entry : fs::directory_iterator(folder))
        if (fs::exists(entry.path() / "case.yaml")) folders.push_back(entry.path());
    std::ranges::sort(folders);
    std::vector<Case> read;
    std::ranges::transform(folders, std::back_inserter(read), read_case);
    return read;
}

const std::vector<Case>& all_cases() {
    static const auto cases = read_cases(fs::path(GPUMEDIC_SOURCE_DIR) / "tests" / "cases");
    return cases;
}

const knowledge::Index& catalogue() {
    static const knowledge::Catalogue loaded = [] {
        auto read = knowledge::read_blob(knowledge::embedded_catalogue());
        CHECK(read.has_value(), "the embedded catalogue cannot be read");
        return *std::move(read);
    }();
    static const knowledge::Index index(loaded);
    return index;
}

model::Diagnosis diagnose(const Files& files, Order order) {
    MemoryTree tree(files, order);
    pipeline::Request request;
    request.paths = {"case"};
    request.time.year = 2026;
    auto answer = pipeline::diagnose(catalogue(), tree, request);
    CHECK(answer.has_value(), answer ? "" : answer.error().what.c_str());
    return *std::move(answer);
}

const model::Incident* top(const model::Diagnosis& diagnosis) {
    const auto it = std::ranges::find(diagnosis.incidents, model::IncidentState::open, &model::Incident::state);
    return it == diagnosis.incidents.end() ? nullptr : &*it;
}

std::string essence(const model::Diagnosis& diagnosis) {
    const auto* incident = top(diagnosis);
    if (incident == nullptr) return std::string(model::to_string(diagnosis.verdict));
    std::vector<std::string> devices;
    for (const auto& d : incident->devices)
        devices.push_back(fmt::format("{}{}{}{}", d.role == model::Device::Role::root ? "root:" : "victim:", d.pci,
                                      d.index ? fmt::format("#{}", *d.index) : "", d.holder.vm));
    std::ranges::sort(devices);
    return fmt::format("{} {} {} [{}]", model::to_string(diagnosis.verdict), incident->class_, incident->action.class_,
                       fmt::join(devices, " "));
}

}  // namespace gpumedic::replay
