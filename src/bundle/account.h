// What collections say of themselves, applied to the sources they brought: a read that was cut or blocked must not
// look like a whole one.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/diagnosis.h"
#include "model/record.h"

namespace gpumedic::bundle {

/// Not thread-safe. Keeps at most kMax statements.
class Accounts {
public:
    /// A record of type collected_item, read from the source with this index.
    void see(std::uint32_t source, const model::Record& record);
    /// Marks the sources below the account's own folder or archive; what was never obtained becomes a source of its
    /// own.
    void apply(std::vector<model::Source>& sources) const;

    static constexpr std::size_t kMax = 10'000;

private:
    struct Statement {
        std::uint32_t account{};  // index of the source that says it
        std::string item{};
        std::string file{};  // empty: of the item as a whole
        std::string outcome{};
        std::string why{};
    };
    [[nodiscard]] bool is_said_of_a_file(const Statement& statement) const;
    std::vector<Statement> statements_{};
};

}  // namespace gpumedic::bundle
