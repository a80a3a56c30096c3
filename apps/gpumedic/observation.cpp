#include "observation.h"

#include <fstream>

#include "collect/collected_tree.h"
#include "environment.h"
#include "node_collection.h"
#include "pipeline/pipeline.h"
#include "time_options.h"
#include "wiring.h"

namespace gpumedic::cli {
namespace {

base::Result<Observation> read(const knowledge::Index& index, ports::EvidenceTree& tree, pipeline::Request request) {
    verify::InventoryBuilder inventory;
    request.on_record = [&inventory](std::uint32_t source, const model::Record& record) {
        inventory.take(source, record);
    };
    auto diagnosis = pipeline::diagnose(index, tree, request);
    if (!diagnosis) return tl::make_unexpected(diagnosis.error());
    auto seen = inventory.finish(diagnosis->sources);
    return Observation{std::move(*diagnosis), std::move(seen)};
}

}  // namespace

base::Result<Observation> observe(const knowledge::Index& index, const Arguments& arguments,
                                  const std::vector<std::string>& paths) {
    const auto bounds = parse_time_bounds(arguments, present(process_variables()));
    if (!bounds) return tl::make_unexpected(bounds.error());
    pipeline::Request request;
    request.paths = paths;
    request.node = arguments.node;
    request.time = bounds->context;
    if (!paths.empty()) {
        const auto tree = make_evidence_tree();
        return read(index, *tree, std::move(request));
    }
    const auto tree = collect_evidence(arguments);
    if (!tree) return tl::make_unexpected(tree.error());
    request.paths = {"this node"};
    return read(index, **tree, std::move(request));
}

base::Result<Observation> observe_text(const knowledge::Index& index, const std::string& name,
                                       const std::string& text) {
    auto world = make_node_world("/", "/tmp");
    auto spool = world.spools->make();
    if (auto kept = spool->append(text); !kept) return tl::make_unexpected(kept.error());
    collect::CollectedTree tree;
    tree.add(name, std::move(spool));
    pipeline::Request request;
    request.paths = {name};
    request.time.present = present(process_variables());
    return read(index, tree, std::move(request));
}

base::Result<std::string> read_own_file(const std::string& path) {
    constexpr std::size_t kMost = std::size_t{64} << 20;
    std::ifstream file(path, std::ios::binary);
    std::string text;
    std::string piece(64 * 1024, '\0');
    while (file && text.size() <= kMost) {
        file.read(piece.data(), static_cast<std::streamsize>(piece.size()));
        text.append(piece.data(), static_cast<std::size_t>(file.gcount()));
    }
    if (!file.is_open() || file.bad()) return base::fail(base::ErrorCode::not_found, "cannot be read", path);
    if (text.size() > kMost) return base::fail(base::ErrorCode::too_large, "is larger than 64 MiB", path);
    return text;
}

}  // namespace gpumedic::cli
