// catalog/signals/*.yaml -> definitions.
#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "knowledge/definitions.h"
#include "knowledge/record_fields.h"
#include "knowledge/suggest.h"

namespace gpumedic::knowledge {
namespace {

struct FamilyDefaults {
    std::string family;
    std::string source;
};

bool is_code(std::string_view text) {
    return !text.empty() && text.size() <= 64 && std::all_of(text.begin(), text.end(), [](char c) {
        return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '-';
    });
}

std::vector<model::RecordType> read_record_types(MapView& view) {
    std::vector<model::RecordType> types;
    view.each("in", Need::required, [&](const codec::Value& item) {
        const std::string name = read_text(item, view.scene(), "a record type");
        if (name.empty()) return;
        if (const auto type = model::parse_record_type(name)) {
            types.push_back(*type);
            return;
        }
        view.scene().problems->error(Mistake::unknown_word, place_of(*view.scene().document, item),
                                     fmt::format("'{}' is no record type", name), suggest(name, record_type_names()));
    });
    return types;
}

Code read_code(const codec::Member& member, const Signal& signal, Scene scene) {
    MapView view(member.value, scene, fmt::format("code {} of signal '{}'", member.key, signal.id));
    Code code;
    code.code = member.key;
    if (!is_code(code.code)) {
        scene.problems->error(Mistake::bad_id, place_of(*scene.document, member.line, member.column),
                              fmt::format("'{}' is no code", code.code), "a code is letters, digits, '_' and '-'");
    }
    code.title = view.localized("title", Need::required);
    // A table row without a meaning of its own has its signal's: most rows of a vendor's table are one name long.
    code.meaning = view.localized("meaning", Need::optional);
    if (code.meaning.empty()) code.meaning = signal.meaning;
    code.severity = view.severity("severity", Need::optional, signal.severity);
    code.source = view.prose("source", Need::optional);
    if (code.source.empty()) code.source = signal.source;
    view.refuse_others();
    return code;
}

void read_codes(MapView& view, Signal& signal) {
    const codec::Value* codes = view.get("codes", Need::optional);
    if (codes == nullptr) return;
    MapView table(*codes, view.scene(), fmt::format("'codes' of signal '{}'", signal.id));
    if (codes->is_map() && codes->members.empty()) {
        view.scene().problems->error(Mistake::missing_key, view.place_at("codes"), "'codes' is empty",
                                     "list at least one code, or leave 'codes' out");
    }
    for (const auto& member : codes->members) signal.codes.push_back(read_code(member, signal, view.scene()));
}

Decode read_decode(const codec::Value& node, Scene scene) {
    MapView view(node, scene, "'decode' of a signal");
    Decode decode;
    decode.table = view.text("table", Need::required);
    if (const codec::Value* of = view.get("of", Need::required)) decode.of = read_one_or_more(*of, scene, "'of'");
    decode.hexadecimal = view.flag("hexadecimal");
    view.refuse_others();
    return decode;
}

void read_obtain(MapView& view, Signal& signal) {
    const codec::Value* node = view.get("obtain", Need::optional);
    if (node == nullptr) return;
    MapView obtain(*node, view.scene(), fmt::format("'obtain' of signal '{}'", signal.id));
    signal.obtain = obtain.localized("what", Need::required);
    signal.obtain_command = obtain.prose("command", Need::required);
    obtain.refuse_others();
}

void read_example_lists(MapView& view, Signal& signal) {
    // Missing examples are reported by the compiler, which knows what the signal needs.
    const codec::Value* node = view.get("examples", Need::optional);
    if (node == nullptr) return;
    MapView examples(*node, view.scene(), fmt::format("'examples' of signal '{}'", signal.id));
    signal.match = read_examples(examples, "match");
    signal.no_match = read_examples(examples, "no_match");
    examples.refuse_others();
}

void read_signal(const codec::Value& node, Scene scene, const FamilyDefaults& defaults, Definitions& out) {
    MapView view(node, scene, "signal");
    Signal signal;
    signal.id = view.id("id", Need::required);
    signal.family = defaults.family;
    signal.in = read_record_types(view);
    signal.pattern = view.text("pattern", Need::optional);
    if (const codec::Value* where = view.get("where", Need::optional)) signal.where = read_where(*where, scene);
    signal.severity = view.severity("severity", Need::required, model::Severity::error);
    signal.title = view.localized("title", Need::required);
    signal.meaning = view.localized("meaning", Need::required);
    signal.source = source_or(view, view.prose("source", Need::optional), defaults.source, "signal");
    read_codes(view, signal);
    view.each("decode", Need::optional,
              [&](const codec::Value& item) { signal.decode.push_back(read_decode(item, scene)); });
    signal.device_kind = view.text("device_kind", Need::optional);
    read_obtain(view, signal);
    read_example_lists(view, signal);
    view.refuse_others();
    signal.file = file_and_line(view.place());
    if (!signal.id.empty()) out.signals.push_back({std::move(signal), view.place(), &node, 0});
}

}  // namespace

std::string file_and_line(const Place& place) { return fmt::format("{}:{}", place.file, place.line); }

std::string source_or(const MapView& view, std::string own, const std::string& otherwise, std::string_view what) {
    if (own.empty()) own = otherwise;
    if (own.empty() && view.node().is_map()) {
        view.scene().problems->error(Mistake::no_source, view.place(), fmt::format("{} has no source", what),
                                     "add 'source:': the document, code or case where the fact comes from");
    }
    return own;
}

void read_signal_file(const codec::Value& root, Scene scene, Definitions& out) {
    MapView file(root, scene, "signal file");
    FamilyDefaults defaults;
    defaults.family = file.id("family", Need::required);
    defaults.source = file.prose("source", Need::optional);
    file.each("signals", Need::required, [&](const codec::Value& item) { read_signal(item, scene, defaults, out); });
    file.refuse_others();
}

}  // namespace gpumedic::knowledge
