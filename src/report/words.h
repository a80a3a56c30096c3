// Values of the answer as words: a device, a confidence, a state. Pure; results are not yet cleaned (page.h does that).
#pragma once

#include <string>
#include <string_view>

#include "model/diagnosis.h"
#include "report/page.h"

namespace gpumedic::report {

/// "GPU 0000:ed:00.0, index 5", "NVSwitch 2, link 31", "VM train/a": what the device is, without its part in the
/// incident.
[[nodiscard]] std::string device_text(const model::Device& device, const Page& page);
/// "train/vm (pod)", or "" without a holder.
[[nodiscard]] std::string holder_text(const model::Holder& holder);

/// 0..1, whatever came in: not-a-number counts as 0.
[[nodiscard]] double sane_confidence(double confidence);
/// "certain (94 %)". From 0.85 certain, from 0.6 likely, else possible.
[[nodiscard]] std::string confidence_text(double confidence, const Page& page);
[[nodiscard]] std::string percent_text(double confidence);

[[nodiscard]] std::string_view severity_text(model::Severity severity, const Page& page);
[[nodiscard]] std::string_view state_text(model::IncidentState state, const Page& page);
[[nodiscard]] std::string_view verdict_text(model::Verdict verdict, const Page& page);
[[nodiscard]] Style verdict_style(model::Verdict verdict);
/// The outcome of a source in words; a name that is not in the list stays as it is.
[[nodiscard]] std::string_view outcome_text(std::string_view outcome, const Page& page);

/// "status 0x65 = NV_ERR_TIMEOUT: ..."
[[nodiscard]] std::string decoded_text(const model::DecodedValue& value, const Page& page);

/// "kernel.log:17", or the source alone.
[[nodiscard]] std::string place_text(const model::EvidenceItem& item);
/// A part of a transcript is called "session.txt (kubectl get vm -n train)"; this is the part before the command.
[[nodiscard]] std::string_view file_of(std::string_view source);
/// In whole seconds: the microseconds of a log are for -v.
[[nodiscard]] std::string seconds_text(base::Timestamp time);
/// Time and place of a quoted log line are said apart, so they are taken off: "<time> <host> kernel: text" gives
/// "text".
[[nodiscard]] std::string_view without_header(std::string_view text);

}  // namespace gpumedic::report
