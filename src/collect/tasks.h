// What an item's own process does: reads files, devices and the journal, and tells it through an ItemWriter.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "collect/item.h"
#include "collect/item_stream.h"
#include "ports/journal.h"
#include "ports/node_files.h"
#include "ports/service_texts.h"

namespace gpumedic::collect {

struct TaskWorld {
    ports::NodeFiles& files;
    ports::Journal& journal;
    ports::ServiceTexts* cluster{};  // of AskService
    ports::ServiceTexts* bmc{};
    ports::ServiceTexts* nvml{};
    std::optional<std::chrono::seconds> since{};  // files that were not changed since are left out
};

/// Everything but RunCommand. Each may block as long as the kernel likes.
void do_item(const How& how, TaskWorld& world, ItemWriter& out);

/// One PCI function that matters to a GPU: an NVIDIA device, a bridge above one, a member of its IOMMU group.
struct PciFunction {
    std::string address{};
    std::string class_code{};  // four hex digits
    std::string vendor{};
    std::string device{};
    std::string revision{};  // two
    bool is_nvidia{false};
    bool is_port{false};
};

/// Only files that never block. One line per function, for parse_functions.
void list_functions(ports::NodeFiles& files, ports::ProbeOutput& out);
[[nodiscard]] std::vector<PciFunction> parse_functions(std::string_view text);

}  // namespace gpumedic::collect
