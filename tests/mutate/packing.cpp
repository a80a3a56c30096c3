// Line ends, archives, names and order of files, repeats.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>

#include "base/text.h"
#include "kernel_log.h"
#include "variant.h"

namespace gpumedic::mutate {
namespace {

std::optional<Variant> crlf(const Step&, Variant variant) {
    for (auto& [name, text] : variant.files) text = base::replace_all(text, "\n", "\r\n");
    return variant;
}

std::uint32_t crc32(std::string_view bytes) {
    std::uint32_t crc = ~0U;
    for (const char c : bytes) {
        crc ^= static_cast<unsigned char>(c);
        for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1U) ^ ((crc & 1U) != 0 ? 0xedb88320U : 0U);
    }
    return ~crc;
}

std::string little_endian(std::uint32_t value, int bytes) {
    std::string out;
    for (int i = 0; i < bytes; ++i) out += static_cast<char>((value >> (8U * static_cast<unsigned>(i))) & 0xffU);
    return out;
}

/// RFC 1952 with stored blocks: every reader of gzip takes them, and nothing has to be compressed here.
std::string gzip(std::string_view bytes) {
    std::string out("\x1f\x8b\x08\0\0\0\0\0\0\x03", 10);
    constexpr std::size_t kBlock = 0xffff;
    for (std::size_t at = 0;; at += kBlock) {
        const auto piece = bytes.substr(at, kBlock);
        const bool last = at + kBlock >= bytes.size();
        const auto size = static_cast<std::uint32_t>(piece.size());
        out += last ? '\x01' : '\0';
        out += little_endian(size, 2) + little_endian(~size, 2);
        out += piece;
        if (last) break;
    }
    return out + little_endian(crc32(bytes), 4) + little_endian(static_cast<std::uint32_t>(bytes.size()), 4);
}

std::string tar(const replay::Files& files) {
    std::string out;
    for (const auto& [name, text] : files) {
        std::string header(512, '\0');
        const auto put = [&](std::size_t at, std::string_view value) { header.replace(at, value.size(), value); };
        put(0, "evidence/" + name);
        put(100, "0000644");
        put(124, fmt::format("{:011o}", text.size()));
        put(136, "15013740000");
        put(148, "        ");
        put(156, "0");
        put(257, std::string_view("ustar\00000", 8));
        unsigned sum = 0;
        for (const char c : header) sum += static_cast<unsigned char>(c);
        put(148, fmt::format("{:06o}", sum));
        header[154] = '\0';
        out += header + text + std::string((512 - text.size() % 512) % 512, '\0');
    }
    return out + std::string(1024, '\0');
}

std::optional<Variant> gzipped(const Step&, Variant variant) {
    replay::Files packed;
    for (const auto& [name, text] : variant.files) packed[name + ".gz"] = gzip(text);
    variant.files = std::move(packed);
    return variant;
}
std::optional<Variant> in_tar(const Step&, Variant variant) {
    variant.files = {{"evidence.tar", tar(variant.files)}};
    return variant;
}
std::optional<Variant> in_tar_gz(const Step&, Variant variant) {
    variant.files = {{"evidence.tar.gz", gzip(tar(variant.files))}};
    return variant;
}

std::optional<Variant> reversed(const Step&, Variant variant) {
    if (variant.files.size() < 2) return std::nullopt;
    variant.order = replay::Order::reversed;
    return variant;
}

/// Other names in another order. What a name says of the vantage stays in it.
std::optional<Variant> renamed(const Step& step, Variant variant) {
    replay::Files out;
    for (auto& [name, text] : variant.files) {
        const bool guest = base::contains_ignoring_case(name, "guest");
        out[fmt::format("{:02}-{}{}.txt", step.random->below(90), guest ? "guest-" : "", out.size())] = std::move(text);
    }
    variant.files = std::move(out);
    return variant;
}

std::optional<Variant> in_folders(const Step&, Variant variant) {
    replay::Files out;
    for (auto& [name, text] : variant.files) out["bundle/2026-06/" + name] = std::move(text);
    variant.files = std::move(out);
    return variant;
}

std::optional<Variant> lines_twice(const Step&, Variant variant) {
    bool any = false;
    for (auto& [name, text] : variant.files) {
        if (!is_kernel_log(text)) continue;
        std::string out;
        for (const auto line : lines_of(text)) ((((out += line) += '\n') += line) += '\n');
        text = out;
        any = true;
    }
    return any ? std::optional(std::move(variant)) : std::nullopt;
}

std::optional<Variant> copies(const Step&, Variant variant) {
    const auto files = variant.files;
    for (const auto& [name, text] : files) variant.files["copy-of-" + name] = text;
    return variant;
}

/// All files behind each other, as a pasted ticket is. Guest and host only differ by the names that are lost.
std::optional<Variant> one_file(const Step&, Variant variant) {
    const auto is_guest = [](const auto& file) { return base::contains_ignoring_case(file.first, "guest"); };
    if (variant.files.size() < 2 || std::ranges::any_of(variant.files, is_guest)) return std::nullopt;
    std::string all;
    for (const auto& [name, text] : variant.files) ((all += text) += text.ends_with('\n') ? "\n" : "\n\n");
    variant.files = {{"ticket.txt", all}};
    return variant;
}

/// Guest and host swapped in the names of files; their content stays what it is, and must tell whose it is.
std::optional<Variant> vantage_swapped(const Step&, Variant variant) {
    const auto only_its_name_tells = [](const auto& file) {
        return base::contains_ignoring_case(file.first, "guest") && !base::contains(file.second, "DMI: ") &&
               !base::contains(file.second, "Hypervisor detected");
    };
    if (std::ranges::any_of(variant.files, only_its_name_tells)) return std::nullopt;
    replay::Files out;
    for (auto& [name, text] : variant.files) {
        const bool guest = base::contains_ignoring_case(name, "guest");
        const auto bare = base::replace_all(base::replace_all(name, "guest-", ""), "guest", "vm");
        out[guest ? "host-" + bare : is_kernel_log(text) ? "guest-" + name : name] = std::move(text);
    }
    variant.files = std::move(out);
    return variant;
}

}  // namespace

std::vector<Kind> packing_kinds() {
    constexpr auto kAlso = Kind::Use::also_combined;
    return {{"pack CRLF", 1, crlf, kAlso},
            {"pack gzip", 1, gzipped},
            {"pack tar", 1, in_tar},
            {"pack tar.gz", 1, in_tar_gz},
            {"pack files reversed", 1, reversed},
            {"pack files renamed", 3, renamed},
            {"pack in folders", 1, in_folders, kAlso},
            {"pack lines twice", 1, lines_twice, kAlso},
            {"pack copies", 1, copies},
            {"pack one file", 1, one_file},
            {"vantage swapped", 1, vantage_swapped}};
}

}  // namespace gpumedic::mutate
