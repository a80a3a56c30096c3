// Who printed a source: a host, which sees the GPU itself, or a guest, which sees what the hypervisor shows.
#pragma once

#include <string_view>

#include "model/record.h"
#include "model/signal.h"

namespace gpumedic::bundle {

/// Collects marks from the records of one source. Content beats names: a file called "guest.log" may hold the host's
/// view.
class VantageClues {
public:
    /// Name of the file and of its folder.
    void see_path(std::string_view path);
    void see_record(const model::Record& record);
    [[nodiscard]] model::Vantage verdict() const;

private:
    bool inside_hypervisor_{false};
    bool runs_guests_{false};
    bool named_guest_{false};
};

}  // namespace gpumedic::bundle
