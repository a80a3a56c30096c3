// What reading gives: definitions with their places, before references are resolved. Private to the module.
#pragma once

#include <string>
#include <vector>

#include "knowledge/catalogue.h"
#include "knowledge/map_view.h"

namespace gpumedic::knowledge {

template <class T>
struct Definition {
    T value;
    Place place;                        // where it begins
    const codec::Value* node{nullptr};  // its tree, to locate what it names; null for the compiled base
    std::size_t layer{0};               // 0 is the base, 1 the first layer
};

struct Definitions {
    std::vector<Definition<Signal>> signals;
    std::vector<Definition<Fault>> faults;
    std::vector<Definition<Action>> actions;
    std::vector<Definition<Check>> checks;
    std::vector<Definition<FaultClass>> classes;
    std::vector<Definition<CodeTable>> tables;
    std::vector<Definition<Override>> overrides;
};

/// One document of a file of that folder. Mistakes go to the scene's list; what has no id is left out.
void read_signal_file(const codec::Value& root, Scene scene, Definitions& out);
void read_fault_file(const codec::Value& root, Scene scene, Definitions& out);
void read_action_file(const codec::Value& root, Scene scene, Definitions& out);
void read_check_file(const codec::Value& root, Scene scene, Definitions& out);
void read_class_file(const codec::Value& root, Scene scene, Definitions& out);
void read_table_file(const codec::Value& root, Scene scene, Definitions& out);
void read_override_file(const codec::Value& root, Scene scene, Definitions& out);

/// Conditions on fields: "where" of a signal (reader_where.cpp).
[[nodiscard]] std::vector<FieldCondition> read_where(const codec::Value& node, Scene scene);
/// Examples below `key` (reader_examples.cpp).
[[nodiscard]] std::vector<Example> read_examples(MapView& examples, std::string_view key);

/// "signals/xid.yaml:12": kept in the definition, so that a later load can say where a replaced one stood.
[[nodiscard]] std::string file_and_line(const Place& place);
/// `own`, or `otherwise` (the file's); reports when there is neither.
[[nodiscard]] std::string source_or(const MapView& view, std::string own, const std::string& otherwise,
                                    std::string_view what);

}  // namespace gpumedic::knowledge
