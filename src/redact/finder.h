// The first pass: learns names where they stand as names.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "model/record.h"
#include "redact/token_map.h"

namespace gpumedic::redact {

/// Names in lower case, and what they are. Ordinary words ("gpu", "default", "root") are never names: they stand
/// everywhere, and tell nothing.
using Names = std::map<std::string, Kind, std::less<>>;

/// Not thread-safe.
class Finder {
public:
    Finder();
    ~Finder();
    Finder(const Finder&) = delete;
    Finder& operator=(const Finder&) = delete;

    /// What a reader found: hosts, VMs, namespaces, pods, jobs, serial numbers.
    void see(const model::Record& record);
    /// What no reader looks for: users, home folders, JSON and YAML members, command lines, URLs.
    void see_line(std::string_view line);
    /// A file's path inside of its bundle: /var/log/pods/NAMESPACE_POD_UID/...
    void see_path(std::string_view path);
    [[nodiscard]] const Names& names() const { return names_; }

    /// At most this many: beyond, a text is hostile.
    static constexpr std::size_t kMostNames = 100'000;

private:
    void add(Kind kind, std::string_view text);
    void add_host(std::string_view text);
    void add_pod(std::string_view text);
    void see_piece(std::string_view line);
    struct Places;
    std::unique_ptr<Places> places_;
    Names names_{};
};

}  // namespace gpumedic::redact
