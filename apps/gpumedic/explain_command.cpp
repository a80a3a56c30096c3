#include <set>

#include "commands.h"
#include "exit_codes.h"
#include "explanation_text.h"
#include "line_stream.h"
#include "result_output.h"
#include "wiring.h"

namespace gpumedic::cli {
namespace {

int failed(const base::Error& error) {
    print_error(error);
    return exit_code_of(error.code);
}

std::string joined(const std::vector<std::string>& words) {
    std::string out;
    for (const std::string& word : words) out += (out.empty() ? "" : " ") + word;
    return out;
}

/// Texts of what was not said before: a log repeats its lines.
class TextCollector {
public:
    explicit TextCollector(const report::TextOptions& options) : options_(options) {}
    [[nodiscard]] std::string add(const Answer& answer) {
        std::string out;
        if (!answer.known()) return out;
        for (const pipeline::Explanation& value : answer.explanations) {
            if (!said_.insert(value.kind + " " + value.id).second) continue;
            if (said_.size() > 1) out += "\n";
            out += render_explanation_text(value, options_);
        }
        return out;
    }

private:
    report::TextOptions options_;
    std::set<std::string> said_;
};

int explain_one(const Arguments& arguments, pipeline::Explainer& explainer, ResultPlace& place) {
    Answer answer{joined(arguments.positional), {}};
    answer.explanations = explainer.explain(answer.query);
    const int code = answer.known() ? kDone : kUnknown;
    if (arguments.format == Format::json) return place.write(render_explanations_json({answer}), code);
    if (arguments.format == Format::jsonl) return place.write(render_json_line(answer), code);
    const report::TextOptions options = text_options(arguments);
    if (!answer.known()) {
        print_message(not_known(answer.query, options));
        return code;
    }
    return place.write(TextCollector(options).add(answer), code);
}

/// Standard output gets each line's answer at once (a followed log never ends); --to and -o json need all of them.
class StreamWriter {
public:
    StreamWriter(const Arguments& arguments, ResultPlace& place)
        : arguments_(arguments), place_(place), texts_(text_options(arguments)) {}

    Next add(Answer answer) {
        if (arguments_.format == Format::json) {
            answers_.push_back(std::move(answer));
            return Next::go_on;
        }
        const std::string bytes = arguments_.format == Format::jsonl ? render_json_line(answer) : texts_.add(answer);
        if (!arguments_.to.empty()) {
            pending_ += bytes;
            return Next::go_on;
        }
        code_ = print_result(bytes, kDone);
        return code_ == kDone ? Next::go_on : Next::stop;
    }
    int finish() {
        if (arguments_.format == Format::json) return place_.write(render_explanations_json(answers_), kDone);
        return arguments_.to.empty() ? code_ : place_.write(pending_, kDone);
    }

private:
    const Arguments& arguments_;
    ResultPlace& place_;
    TextCollector texts_;
    std::vector<Answer> answers_;
    std::string pending_;
    int code_{kDone};
};

int explain_stream(const Arguments& arguments, pipeline::Explainer& explainer, ResultPlace& place) {
    const auto tree = make_evidence_tree();
    const auto listing = tree->list("-");
    if (!listing) return failed(listing.error());
    const auto source = tree->open(listing->entries.front());
    if (!source) return failed(source.error());
    StreamWriter writer(arguments, place);
    const auto read = for_each_line(
        **source, [&](std::string_view line) { return writer.add({std::string(line), explainer.explain(line)}); });
    const int code = writer.finish();
    return read ? code : failed(read.error());
}

}  // namespace

int run_explain(const Arguments& arguments) {
    const auto loaded = load_catalogue(arguments.catalogs);
    if (!usable(loaded)) return kBadCatalogue;
    auto place = ResultPlace::open(arguments);
    if (!place) return failed(place.error());
    const knowledge::Index index(loaded.catalogue);
    pipeline::Explainer explainer(index);
    const bool stream = arguments.positional.size() == 1 && arguments.positional.front() == "-";
    return stream ? explain_stream(arguments, explainer, *place) : explain_one(arguments, explainer, *place);
}

}  // namespace gpumedic::cli
