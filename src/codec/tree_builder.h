// Builds a Value tree from the events of a parser and holds the caps. For use inside codec/ only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "codec/value.h"

namespace gpumedic::codec {

struct Place {
    std::uint32_t line{0};
    std::uint32_t column{0};
};

/// After the first mistake every event is ignored, so a parser that can't be stopped does no harm. One builder serves
/// all documents of a stream: the node cap counts over all of them.
class TreeBuilder {
public:
    enum class Duplicates { refused, first_counts };
    enum class Quoting { plain, quoted };

    TreeBuilder(const TreeLimits& limits, Duplicates duplicates) : limits_(limits), duplicates_(duplicates) {}

    void null(Place place);
    void scalar(Place place, std::string text, Quoting quoting);
    void key(Place place, std::string text);
    void begin_list(Place place) { begin(place, Value::Kind::list); }
    void begin_map(Place place) { begin(place, Value::Kind::map); }
    void end();
    /// The innermost open node is a map whose next event must be a key.
    [[nodiscard]] bool awaits_key() const;

    void refuse(base::ErrorCode code, std::string what, Place place, std::string help = {});
    [[nodiscard]] const std::optional<base::Error>& error() const { return error_; }

    /// The finished tree; a null where nothing came. The builder is ready for the next document.
    [[nodiscard]] Value take();

private:
    struct Open {
        Value node;
        Member pending;  // key and place of the value that comes next
        bool have_key{false};
    };
    void begin(Place place, Value::Kind kind);
    void attach(Value&& value);
    bool count_node(Place place);
    void settle_duplicates(std::vector<Member>& members);

    TreeLimits limits_;
    Duplicates duplicates_;
    std::size_t nodes_{0};
    std::vector<Open> open_;
    Value root_;
    std::optional<base::Error> error_;
};

}  // namespace gpumedic::codec
