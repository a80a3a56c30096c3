// What the user asked for, as values. cli.cpp fills it from the command line; nothing else knows how that is written.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace gpumedic::cli {

enum class Command : std::uint8_t {
    show_text,  // help: `text` is printed, exit 0
    version,
    diagnose,
    collect,
    redact,
    verify,
    baseline_save,
    baseline_show,
    baseline_diff,
    explain,
    catalog_list,
    catalog_show,
    catalog_lint,
    catalog_test,
    catalog_coverage,
    catalog_graph,
    catalog_patterns,
    completion,
    manual
};

enum class Format : std::uint8_t { text, json, jsonl, dot, svg };
enum class ColourWish : std::uint8_t { automatic, always, never };

struct Arguments {
    Command command{Command::show_text};
    std::string text{};                     // show_text
    std::vector<std::string> positional{};  // paths, query words, an id, a shell
    Format format{Format::text};
    std::string to{};        // empty: standard output
    std::string language{};  // "en", "ko"; empty: by locale
    ColourWish colour{ColourWish::automatic};
    bool verbose{false};
    bool quiet{false};
    std::string since{};
    std::string until{};
    std::string zone{};
    std::optional<int> boot{};
    std::string node{};
    std::vector<std::string> catalogs{};  // site folders, in order
    std::string root{};                   // of a copied tree; empty: this node
    std::optional<int> boots{};
    std::vector<std::string> only{};  // patterns of item names
    std::vector<std::string> skip{};
    std::string max_bytes{};
    std::string timeout{};
    bool lists{false};
    std::string incident{};       // a saved diagnosis
    std::string baseline{};       // a baseline's file
    std::string guest_command{};  // with {vm} and {namespace}
    std::string soak{};
    std::string map{};  // of a redaction
    bool redacts{false};
};

}  // namespace gpumedic::cli
