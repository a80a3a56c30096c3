#include "environment.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <ctime>

#include "base/text.h"

namespace gpumedic::cli {
namespace {

constexpr std::size_t kDefaultWidth = 100;

bool is_set(const Variables& variables, const char* name) {
    const auto value = variables(name);
    return value && !value->empty();
}

}  // namespace

Variables process_variables() {
    return [](const char* name) -> std::optional<std::string> {
        const char* value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): one thread
        if (value == nullptr) return std::nullopt;
        return std::string(value);
    };
}

model::Language choose_language(const std::string& wish, const Variables& variables) {
    std::string locale = wish;
    for (const char* name : {"LC_ALL", "LC_MESSAGES", "LANG"}) {
        if (!locale.empty()) break;
        locale = variables(name).value_or("");
    }
    const bool korean =
        locale == "ko" || locale.starts_with("ko_") || locale.starts_with("ko.") || locale.starts_with("ko@");
    return korean ? model::Language::ko : model::Language::en;
}

bool wants_colour(ColourWish wish, Destination destination, const Variables& variables) {
    if (wish != ColourWish::automatic) return wish == ColourWish::always;
    return destination == Destination::terminal && !is_set(variables, "NO_COLOR") &&
           variables("TERM").value_or("") != "dumb";
}

Destination standard_output() { return ::isatty(STDOUT_FILENO) == 1 ? Destination::terminal : Destination::elsewhere; }

std::size_t output_width() {
    winsize size{};
    if (::isatty(STDOUT_FILENO) != 1 || ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0)
        return kDefaultWidth;
    return size.ws_col;
}

std::chrono::minutes local_offset(std::chrono::seconds moment) {
    const std::time_t time = moment.count();
    std::tm local{};
    return ::localtime_r(&time, &local) == nullptr ? std::chrono::minutes{0}
                                                   : std::chrono::minutes{local.tm_gmtoff / 60};
}

std::chrono::seconds present(const Variables& variables) {
    if (const auto fixed = base::parse_number<std::int64_t>(variables("SOURCE_DATE_EPOCH").value_or("")))
        return std::chrono::seconds{*fixed};
    return std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now().time_since_epoch());
}

}  // namespace gpumedic::cli
