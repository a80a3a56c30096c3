// The commands and what their help says below the options.
#pragma once

#include <string_view>

#include "arguments.h"

namespace gpumedic::cli {

struct CommandRow {
    Command command;
    std::string_view name;
    std::string_view operands;
    std::string_view summary;
    std::string_view notes;
};

inline constexpr CommandRow kCommands[] = {
    {Command::diagnose, "diagnose", "[PATH...]", "Name the fault in the evidence, and say what to do.",
     "Without PATH this node's evidence is collected and read (gpumedic collect --help), with --root that of a copied\n"
     "tree. PATH is a file, a folder, or '-' for standard input: kernel logs, virt-handler logs, kubectl, nvidia-smi\n"
     "and lspci output, a bundle, or a whole terminal session pasted into one file. Nothing needs a certain name.\n\n"
     "Examples:\n"
     "  gpumedic diagnose\n"
     "  gpumedic diagnose evidence/\n"
     "  journalctl -k -b | gpumedic diagnose -\n"
     "  gpumedic diagnose kernel.log virt-handler.log -v --lang ko\n"
     "  gpumedic diagnose bundle/ -o json --to answer.json --since '2025-10-10 22:00' --tz Asia/Seoul\n\n"
     "Exit codes: 0 healthy, 1 fault, 2 inconclusive, 64 usage, 66 nothing readable, 70 internal, 78 bad catalogue.\n"},
    {Command::collect, "collect", "", "Gather this node's evidence into a bundle.",
     "--to names an archive (.tar.zst, .tar.gz, .tar) or a folder. Each item has its own deadline; what hangs is left\n"
     "behind, and manifest.json says what became of each. Nothing on the node is changed, loaded or started. As an\n"
     "ordinary user it takes what that user may read.\n\n"
     "Examples:\n"
     "  gpumedic collect --to bundle.tar.zst\n"
     "  gpumedic collect --to bundle.tar.zst --since '2025-10-10 22:00' --skip 'logs/*'\n"
     "  gpumedic collect --to bundle/ --root /mnt/node\n"
     "  gpumedic collect --list\n\n"
     "Exit codes: 0 collected (the manifest tells what is missing), 64 usage, 66 no such root, 70 not written, 130\n"
     "interrupted.\n"},
    {Command::redact, "redact", "PATH...", "Copy evidence without the names of hosts, VMs, people and addresses.",
     "Host, VM, namespace, pod, job and user names, serial numbers, UUIDs, IP and MAC addresses become tokens that "
     "stay\n"
     "the same everywhere (host-1, vm-2, 240.0.0.3); passwords, tokens and private keys go. PCI addresses, codes and\n"
     "times stay, and the diagnosis with them. Archives are unpacked; binary files are left out, and named. The map "
     "from\n"
     "tokens to names is written beside the output, readable by its owner only.\n\n"
     "Examples:\n"
     "  gpumedic redact bundle.tar.zst --to public.tar.zst\n"
     "  gpumedic redact evidence/ --to public/ --map ~/ticket-17.json\n\n"
     "Exit codes: 0 written, 64 usage, 66 nothing readable, 78 a mistake in the map.\n"},
    {Command::verify, "verify", "[PATH...]", "Check whether a repair worked.",
     "Without PATH this node is read, with --root a copied tree, else the evidence in PATH. Each check tells what was\n"
     "expected and seen, and is pass, fail or unknown; what could not be seen is unknown, never pass. --incident "
     "names\n"
     "the diagnosis from before the repair: its devices and VMs are looked for, and a cold reboot is proven by the "
     "BMC.\n"
     "On a node, /etc/gpumedic/baseline.yaml counts where it exists.\n\n"
     "Examples:\n"
     "  gpumedic verify --incident before.json --soak 10m\n"
     "  gpumedic verify after/ --incident before.json --baseline node-7.yaml -v\n"
     "  gpumedic verify --guest-command 'virtctl ssh ubuntu@vmi/{vm} -n {namespace} -c \"nvidia-smi -L\"'\n\n"
     "Exit codes: 0 all checks pass, 1 a check fails, 2 a check is unknown, 64 usage, 66 nothing readable, 78 bad\n"
     "baseline or saved diagnosis, 130 interrupted.\n"},
    {Command::baseline_save, "baseline save", "[PATH...]", "Write down what this node has, as what is expected of it.",
     "Devices, links, drivers, IOMMU groups, versions, allocatable resources and running VMs, as YAML to be "
     "reviewed.\n\n"
     "Examples:\n"
     "  gpumedic baseline save --to /etc/gpumedic/baseline.yaml\n"
     "  gpumedic baseline save bundle.tar.zst --to node-7.yaml\n\n"
     "Exit codes: 0 written, 66 nothing to expect.\n"},
    {Command::baseline_show, "baseline show", "FILE", "Check a baseline, and print it in its plain form.",
     "Exit codes: 0 printed, 66 no such file, 78 a mistake in it.\n"},
    {Command::baseline_diff, "baseline diff", "FILE [PATH...]", "Compare this node with a baseline.",
     "Without PATH this node is read. A line each: - missing, + not in the baseline, ~ expected -> seen.\n\n"
     "Exit codes: 0 no difference, 1 differences, 66 nothing readable, 78 a mistake in FILE.\n"},
    {Command::explain, "explain", "QUERY...", "Explain a code, a name or a log line.",
     "QUERY is joined by blanks: a code (Xid 79), the id of a signal, fault, class, action or check, or a log line.\n"
     "'-' reads lines from standard input; -o jsonl answers each with one object (line, signal or null, fields).\n\n"
     "Examples:\n"
     "  gpumedic explain Xid 79\n"
     "  gpumedic explain 'NVRM: Xid (PCI:0000:a1:00): 79, GPU has fallen off the bus.'\n"
     "  journalctl -k -f | gpumedic explain - -o jsonl\n\n"
     "Exit codes: 0 known (or standard input was read), 2 not known, 64 usage, 78 bad catalogue.\n"},
    {Command::catalog_list, "catalog list", "[KIND]", "List what the catalogue knows.",
     "KIND is one of signals, faults, classes, actions, checks, tables.\n\nExample:\n  gpumedic catalog list faults "
     "--lang "
     "ko\n"},
    {Command::catalog_show, "catalog show", "ID", "Show one definition of the catalogue.",
     "Example:\n  gpumedic catalog show xid.79\n\nExit codes: 0 shown, 2 no such id.\n"},
    {Command::catalog_lint, "catalog lint", "[DIR]",
     "Check a catalogue folder, and run the examples of all definitions.",
     "Without DIR the built-in catalogue is checked. DIR is laid over it, as with --catalog.\n\n"
     "Exit codes: 0 no mistake, 78 mistakes (all are printed).\n"},
    {Command::catalog_test, "catalog test", "DIR", "Run the examples of a site's own entries.",
     "DIR is laid over the built-in catalogue, as with --catalog; each signal of it is listed with the examples that "
     "hold.\n\nExit codes: 0 all hold, 78 mistakes or examples that do not hold (all are printed).\n"},
    {Command::catalog_coverage, "catalog coverage", "", "Tell what the catalogue covers, and what nothing explains.",
     "For each class its faults and the signals that speak for them; then signals that no fault explains, and facts "
     "that\nno fault asks about.\n"},
    {Command::catalog_graph, "catalog graph", "[FAULT]", "Draw which fault causes which.",
     "With FAULT only that one, its causes and its consequences.\n\nExamples:\n"
     "  gpumedic catalog graph -o svg --to causes.svg\n"
     "  gpumedic catalog graph nvlink.rx_detect_failed -o dot | dot -Tpng > causes.png\n\n"
     "Exit codes: 0 drawn, 2 no such fault.\n"},
    {Command::catalog_patterns, "catalog patterns", "", "Print the patterns of all signals, one RE2 expression a line.",
     "Example:\n  gpumedic catalog patterns > patterns.txt && rg -f patterns.txt kernel.log\n"},
    {Command::completion, "completion", "bash|zsh|fish", "Print a completion script for a shell.",
     "Examples:\n  source <(gpumedic completion bash)\n  gpumedic completion fish > "
     "~/.config/fish/completions/gpumedic.fish\n"},
    {Command::manual, "manual", "[COMMAND...]", "Print a manual page.",
     "Without COMMAND that of the program. The packages install all of them.\n\n"
     "Examples:\n  gpumedic manual verify | man -l -\n  gpumedic manual --list\n"},
    {Command::version, "version", "", "Print the versions of the program and its catalogue.", ""},
};

}  // namespace gpumedic::cli
