#include "bundle/reader_table.h"

#include <algorithm>
#include <array>

#include "evidence/bmc/bmc_reader.h"
#include "evidence/collection/collection_reader.h"
#include "evidence/dcgm/dcgm_reader.h"
#include "evidence/host_facts/host_facts_reader.h"
#include "evidence/kubectl/kubectl_reader.h"
#include "evidence/log_lines/log_lines.h"
#include "evidence/lspci/lspci_reader.h"
#include "evidence/nvidia_smi/nvidia_smi_reader.h"
#include "evidence/slurm/slurm_reader.h"
#include "evidence/virt_log/virt_log.h"

namespace gpumedic::bundle {

std::span<const TableRow> reader_table() {
    static const std::array rows{
        TableRow{evidence::nvidia_smi_kind(), ReaderFamily::blocks, {}},
        TableRow{evidence::lspci_kind(), ReaderFamily::blocks, {}},
        TableRow{evidence::kubectl_kind(), ReaderFamily::blocks, {}},
        TableRow{evidence::dcgm_kind(), ReaderFamily::blocks, {}},
        TableRow{evidence::slurm_kind(), ReaderFamily::blocks, {}},
        TableRow{evidence::bmc_kind(), ReaderFamily::blocks, {}},
        TableRow{evidence::host_facts_kind(), ReaderFamily::blocks, {}},
        TableRow{evidence::collection_kind(), ReaderFamily::blocks, {}},
        TableRow{evidence::virt_log_kind(), ReaderFamily::json_lines, {}},
        TableRow{evidence::log_lines_kind(), ReaderFamily::lines, "system log"},
        TableRow{evidence::text_lines_kind(), ReaderFamily::lines, {}},
    };
    return rows;
}

const TableRow& plain_text_row() { return reader_table().back(); }

Recognition recognise(const ports::Head& head) {
    Recognition best{&plain_text_row(), 0};
    for (const auto& row : reader_table()) {
        const int score = std::clamp(row.kind.recognise(head), 0, 100);
        if (score > best.score) best = {&row, score};
    }
    return best;
}

}  // namespace gpumedic::bundle
