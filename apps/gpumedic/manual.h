// Manual pages (man 7 man), made from the command table: the same texts as --help. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "cli.h"

namespace gpumedic::cli {

/// gpumedic(1) for an empty name, else gpumedic-COMMAND(1) ("catalog list" or "catalog-list"). `version` stands in the
/// foot. Errors: usage, no such command.
[[nodiscard]] base::Result<std::string> render_manual(std::string_view command, const std::vector<CommandInfo>& table,
                                                      std::string_view version);
/// "gpumedic-catalog-list", for each command; "gpumedic" first.
[[nodiscard]] std::vector<std::string> manual_pages(const std::vector<CommandInfo>& table);

}  // namespace gpumedic::cli
