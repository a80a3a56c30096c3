#include <fmt/format.h>

#include "base/timestamp.h"
#include "codec/json_writer.h"
#include "commands.h"
#include "environment.h"
#include "exit_codes.h"
#include "observation.h"
#include "result_output.h"
#include "verify/baseline.h"
#include "wiring.h"

namespace gpumedic::cli {
namespace {

int failed(const base::Error& error) {
    print_error(error);
    return error.code == base::ErrorCode::malformed ? kBadCatalogue : exit_code_of(error.code);
}

base::Result<verify::Baseline> read_baseline(const std::string& path) {
    const auto text = read_own_file(path);
    if (!text) return tl::make_unexpected(text.error());
    return verify::parse_baseline(*text, path);
}

std::string what_of(const verify::Difference& difference) {
    return difference.field.empty() ? difference.what : difference.what + " " + difference.field;
}

std::string differences_text(const std::vector<verify::Difference>& all, bool korean) {
    if (all.empty()) return korean ? "차이 없음\n" : "no difference\n";
    std::string out;
    for (const auto& one : all) {
        const auto missing = korean ? "없음" : "missing";
        const auto added = korean ? "기준선에 없음" : "not in the baseline";
        if (one.seen.empty()) {
            out += fmt::format("- {}: {} ({})\n", what_of(one), missing, one.expected);
        } else if (one.expected.empty()) {
            out += fmt::format("+ {}: {} ({})\n", what_of(one), added, one.seen);
        } else {
            out += fmt::format("~ {}: {} -> {}\n", what_of(one), one.expected, one.seen);
        }
    }
    return out;
}

std::string differences_json(const std::vector<verify::Difference>& all) {
    codec::JsonWriter json;
    json.begin_object().member("schema", "gpumedic.baseline_diff/v1").key("differences").begin_array();
    for (const auto& one : all) {
        json.begin_object().member("what", one.what);
        if (!one.field.empty()) json.member("field", one.field);
        if (!one.expected.empty()) json.member("expected", one.expected);
        if (!one.seen.empty()) json.member("seen", one.seen);
        json.end_object();
    }
    json.end_array().end_object();
    return json.take();
}

int save(const Arguments& arguments, const knowledge::Index& index, ResultPlace& place) {
    const auto observed = observe(index, arguments, arguments.positional);
    if (!observed) return failed(observed.error());
    const auto& node = observed->seen.node;
    const auto now = present(process_variables());
    const auto baseline = verify::baseline_of(node, arguments.node.empty() ? node.host : arguments.node,
                                              base::format_time({.value = now, .zone = std::chrono::minutes{0}}));
    if (baseline.empty())
        return failed({base::ErrorCode::not_found,
                       "nothing to expect: the evidence shows no GPU, no resource and no VM",
                       {},
                       "on the node, as root: gpumedic baseline save --to /etc/gpumedic/baseline.yaml"});
    return place.write(verify::render_yaml(baseline), kDone);
}

int diff(const Arguments& arguments, const knowledge::Index& index, ResultPlace& place) {
    const auto baseline = read_baseline(arguments.positional.front());
    if (!baseline) return failed(baseline.error());
    const auto observed = observe(index, arguments, {arguments.positional.begin() + 1, arguments.positional.end()});
    if (!observed) return failed(observed.error());
    const auto all = verify::differences(*baseline, observed->seen.node);
    const bool korean = text_options(arguments).language == model::Language::ko;
    return place.write(arguments.format == Format::json ? differences_json(all) : differences_text(all, korean),
                       all.empty() ? kDone : kFault);
}

}  // namespace

int run_baseline(const Arguments& arguments) {
    auto place = ResultPlace::open(arguments);
    if (!place) return failed(place.error());
    if (arguments.command == Command::baseline_show) {
        const auto baseline = read_baseline(arguments.positional.front());
        return baseline ? place->write(verify::render_yaml(*baseline), kDone) : failed(baseline.error());
    }
    const auto loaded = load_catalogue(arguments.catalogs);
    if (!usable(loaded)) return kBadCatalogue;
    const knowledge::Index index(loaded.catalogue);
    return arguments.command == Command::baseline_save ? save(arguments, index, *place)
                                                       : diff(arguments, index, *place);
}

}  // namespace gpumedic::cli
