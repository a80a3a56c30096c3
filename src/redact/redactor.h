// The second pass: replaces learnt names, and addresses, UUIDs and the like by their form.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "redact/finder.h"
#include "redact/token_map.h"

namespace gpumedic::redact {

/// A name is replaced where neither a letter nor a digit touches it, whatever its case: in "virt-launcher-NAME-x7k2p",
/// "NAMESPACE_NAME" and "NAME.DOMAIN" too. PCI addresses, codes, versions and times stay. Not thread-safe.
class Redactor {
public:
    /// `map` gets the tokens that are made; it must outlive this.
    Redactor(const Names& names, TokenMap& map);
    ~Redactor();
    Redactor(const Redactor&) = delete;
    Redactor& operator=(const Redactor&) = delete;

    /// One line without its end, or a path. Keeps track of private keys in PEM, whose lines are left out.
    [[nodiscard]] std::string line(std::string_view text);
    /// A file begins.
    void begin() { in_private_key_ = false; }

private:
    struct Named {
        std::string text;
        Kind kind;
    };
    struct Secrets;
    [[nodiscard]] std::string replaced(std::string_view text);
    void take_run(std::string_view run, char before, std::string& out);
    [[nodiscard]] std::size_t take_form(std::string_view rest, char before, std::string& out);
    [[nodiscard]] std::size_t take_name(std::string_view rest, std::string& out);

    TokenMap& map_;
    std::unordered_map<std::string, std::vector<Named>>
        by_first_;  // first chunk of letters and digits -> longest first
    std::unique_ptr<Secrets> secrets_;
    bool in_private_key_{false};
};

}  // namespace gpumedic::redact
