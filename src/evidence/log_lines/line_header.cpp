#include "evidence/log_lines/line_header.h"

#include "base/text.h"
#include "evidence/log_lines/header_forms.h"

namespace gpumedic::evidence {
namespace {

using base::TimeContext;
/// Tries one family on a clean header.
template <class Parse>
bool attempt(LineHeader& header, Parse parse) {
    header = LineHeader{};
    return parse();
}

bool parse_digit_forms(std::string_view line, const TimeContext& context, LineHeader& header) {
    if (line.size() < 5) return false;
    if (line[4] == '-') return attempt(header, [&] { return parse_iso_form(line, context, header); });
    if (line[4] == '/') return attempt(header, [&] { return parse_go_form(line, context, header); });
    if (line[1] == ' ' && attempt(header, [&] { return parse_rfc5424_form(line, context, header); })) return true;
    if (attempt(header, [&] { return parse_kmsg_form(line, header); })) return true;
    if (line.size() > 10 && line[10] == '.')
        if (attempt(header, [&] { return parse_rare_journal_form(line, context, header); })) return true;
    if (attempt(header, [&] { return parse_syslog_form(line, context, header); })) return true;  // "11月 15 ..."
    return attempt(header, [&] { return parse_decoded_form(line, context, header); });
}

bool parse_word_forms(std::string_view line, const TimeContext& context, LineHeader& header) {
    if (line.starts_with("kern") && attempt(header, [&] { return parse_decoded_form(line, context, header); }))
        return true;
    if (attempt(header, [&] { return parse_syslog_form(line, context, header); })) return true;
    if (attempt(header, [&] { return parse_decoded_form(line, context, header); })) return true;
    if (line.size() > 5 && is_digit(line[1]) && attempt(header, [&] { return parse_klog_form(line, context, header); }))
        return true;
    if (attempt(header, [&] { return parse_rare_journal_form(line, context, header); })) return true;
    if (attempt(header, [&] { return parse_logfmt_form(line, context, header); })) return true;
    return attempt(header, [&] { return parse_runtime_form(line, header); });
}

bool parse_by_first_character(std::string_view line, const TimeContext& context, LineHeader& header) {
    const char first = line.front();
    if (first == '[') return attempt(header, [&] { return parse_bracket_form(line, context, header); });
    if (is_digit(first)) return parse_digit_forms(line, context, header);
    if (is_letter(first) || static_cast<unsigned char>(first) >= 0x80) return parse_word_forms(line, context, header);
    return false;
}

/// "<6>" in front of any other form, or in front of a bare kernel message (dmesg --raw without times).
bool parse_priority_forms(std::string_view line, const TimeContext& context, LineHeader& header) {
    const auto end = line.substr(0, 5).find('>');
    if (end == std::string_view::npos) return false;
    const auto level = base::parse_number<unsigned>(line.substr(1, end - 1));
    if (!level || *level > 191 || end + 1 >= line.size()) return false;
    const auto rest = line.substr(end + 1);
    if (!parse_by_first_character(rest, context, header)) {
        header = LineHeader{};
        header.type = model::RecordType::kernel;
        header.message = base::trim(rest);
    }
    header.priority = static_cast<int>(*level & 7U);
    return true;
}

}  // namespace

bool parse_line_header(std::string_view line, const TimeContext& context, LineHeader& header) {
    if (line.empty()) return false;
    if (line.front() == '<') return parse_priority_forms(line, context, header);
    return parse_by_first_character(line, context, header);
}

}  // namespace gpumedic::evidence
