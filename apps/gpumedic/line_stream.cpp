#include "line_stream.h"

#include <algorithm>
#include <string>
#include <vector>

#include "ports/reader.h"

namespace gpumedic::cli {
namespace {

constexpr std::size_t kChunk = std::size_t{64} << 10;

std::string_view without_return(std::string_view line) {
    if (line.ends_with('\r')) line.remove_suffix(1);
    return line;
}

}  // namespace

base::Result<void> for_each_line(ports::ByteSource& source, const std::function<Next(std::string_view)>& each) {
    std::vector<char> buffer(kChunk);
    std::string line;
    const auto add = [&](std::string_view piece) {
        line += piece.substr(0, ports::kMaxLineBytes - std::min(line.size(), ports::kMaxLineBytes));
    };
    for (;;) {
        const auto count = source.read(buffer);
        if (!count) return tl::make_unexpected(count.error());
        if (*count == 0) break;
        std::string_view rest(buffer.data(), *count);
        for (auto end = rest.find('\n'); end != std::string_view::npos; end = rest.find('\n')) {
            add(rest.substr(0, end));
            rest.remove_prefix(end + 1);
            if (each(without_return(line)) == Next::stop) return {};
            line.clear();
        }
        add(rest);
    }
    if (!line.empty()) static_cast<void>(each(without_return(line)));
    return {};
}

}  // namespace gpumedic::cli
