// What collections say of themselves, applied to the sources they brought: a read that was cut or blocked must not
// look like a whole one.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/diagnosis.h"
#include "model/record.h"

namespace gpumedic::bundle {

/// Not thread-safe. Keeps at most kMax statements.
class Accounts {
public:
    /// A record of type collected_item, read from the source with this index and name.
    void see(std::uint32_t source, const std::string& name, const model::Record& record);
    /// Marks the sources below the account's own folder or archive; what was never obtained becomes a source of its
    /// own.
    void apply(std::vector<model::Source>& sources) const;

    /// The offset from UTC that the collection of this file told, where it did so before the file.
    [[nodiscard]] std::optional<std::chrono::minutes> zone_of(std::string_view file) const;

    static constexpr std::size_t kMax = 10'000;

private:
    struct Statement {
        std::uint32_t account{};  // index of the source that says it
        std::string item{};
        std::string file{};  // empty: of the item as a whole
        std::string outcome{};
        std::string why{};
    };
    struct Zone {
        std::string folder{};
        std::chrono::minutes offset{};
    };
    std::vector<Zone> zones_{};
    [[nodiscard]] bool is_said_of_a_file(const Statement& statement) const;
    std::vector<Statement> statements_{};
};

}  // namespace gpumedic::bundle
