// "Key=Value" blocks of `scontrol show node|job`. Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "evidence/slurm/entry.h"

namespace gpumedic::evidence::slurm {

/// Pairs of one line. A value goes on to the next word that looks like a key, so reasons and system names keep their
/// blanks. Views into the line.
[[nodiscard]] std::vector<std::pair<std::string_view, std::string_view>> parse_pairs(std::string_view line);

enum class BlockKind : std::uint8_t { none, node, job };
/// What a line begins: "NodeName=..." or "JobId=...".
[[nodiscard]] BlockKind block_started_by(std::string_view line);

/// Puts a line's pairs into the entry of the block.
void take_block_line(std::string_view line, BlockKind kind, const base::TimeContext& context, Entry& entry);

/// Whether the pairs of a "NodeName=" line are a running node's, not a configuration file's.
[[nodiscard]] bool shows_live_node(std::string_view line);

}  // namespace gpumedic::evidence::slurm
