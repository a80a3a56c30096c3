#include "result_output.h"

#include "base/text.h"
#include "environment.h"
#include "exit_codes.h"

namespace gpumedic::cli {

report::TextOptions text_options(const Arguments& arguments) {
    const Variables variables = process_variables();
    const Destination destination = arguments.to.empty() ? standard_output() : Destination::elsewhere;
    report::TextOptions options;
    options.language = choose_language(arguments.language, variables);
    options.colour = wants_colour(arguments.colour, destination, variables) ? report::Colour::on : report::Colour::off;
    options.detail = arguments.verbose ? report::Detail::full : report::Detail::summary;
    if (arguments.to.empty()) options.width = output_width();
    return options;
}

int print_result(std::string_view bytes, int code) {
    const auto written = write_standard_output(bytes);
    if (written) return code;
    print_error(written.error());
    return kInternal;
}

base::Result<ResultPlace> ResultPlace::open(const Arguments& arguments) {
    if (arguments.to.empty()) return ResultPlace(arguments.quiet ? Kind::nowhere : Kind::standard_output);
    auto file = OutputFile::create(arguments.to);
    if (!file) return tl::make_unexpected(file.error());
    return ResultPlace(Kind::file, std::move(*file));
}

int ResultPlace::write(std::string_view bytes, int code) {
    if (kind_ == Kind::nowhere) return code;
    if (kind_ == Kind::standard_output) return print_result(bytes, code);
    const auto written = file_->commit(bytes);
    if (written) return code;
    print_error(written.error());
    return kInternal;
}

bool usable(const knowledge::LoadResult& loaded) {
    std::string text;
    for (const knowledge::Problem& problem : loaded.problems) text += problem.render();
    for (const std::string_view line : base::split(base::trim_right(text), '\n'))
        if (!text.empty()) print_message(base::printable(line));
    return loaded.ok();
}

}  // namespace gpumedic::cli
