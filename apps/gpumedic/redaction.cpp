#include "redaction.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <memory>

#include "codec/archive.h"
#include "environment.h"
#include "observation.h"
#include "output.h"
#include "pipeline/pipeline.h"
#include "redact/finder.h"
#include "redact/redactor.h"

namespace gpumedic::cli {
namespace {

using namespace std::string_view_literals;

constexpr std::size_t kChunk = 64 * 1024;
constexpr std::size_t kLongestLine = std::size_t{1} << 20;
constexpr int kDeepest = 3;

/// What was looked at comes first, then the rest.
class Peeked final : public ports::ByteSource {
public:
    Peeked(std::string head, ports::ByteSource& rest) : head_(std::move(head)), rest_(rest) {}
    base::Result<std::size_t> read(std::span<char> buffer) override {
        if (at_ == head_.size()) return rest_.read(buffer);
        const auto count = std::min(buffer.size(), head_.size() - at_);
        std::copy_n(head_.data() + at_, count, buffer.data());
        at_ += count;
        return count;
    }

private:
    std::string head_;
    std::size_t at_{0};
    ports::ByteSource& rest_;
};

class Member final : public ports::ByteSource {
public:
    explicit Member(codec::ArchiveReader& archive) : archive_(archive) {}
    base::Result<std::size_t> read(std::span<char> buffer) override { return archive_.read(buffer); }

private:
    codec::ArchiveReader& archive_;
};

bool is_packed(std::string_view head) {
    constexpr std::array kMagic{"\x1f\x8b"sv,
                                "\x28\xb5\x2f\xfd"sv,
                                "\xfd"
                                "7zXZ"sv,
                                "BZh"sv,
                                "PK\x03\x04"sv,
                                "\x04\x22\x4d\x18"sv};
    return std::any_of(kMagic.begin(), kMagic.end(), [&](auto magic) { return head.starts_with(magic); }) ||
           (head.size() > 262 && head.substr(257, 5) == "ustar");
}

std::string without_packing(std::string name) {
    for (const auto* end : {".gz", ".zst", ".xz", ".bz2", ".lz4"})
        if (name.ends_with(end)) return name.substr(0, name.size() - std::string_view(end).size());
    return name;
}

/// A file of the evidence, unpacked.
struct Visitor {
    std::function<base::Result<void>(const std::string& name, ports::ByteSource& bytes)> text;
    std::function<void(const std::string& name, const std::string& why)> left_out;
};

base::Result<std::string> read_head(ports::ByteSource& source) {
    std::string head(4096, '\0');
    std::size_t size = 0;
    while (size < head.size()) {
        const auto got = source.read({head.data() + size, head.size() - size});
        if (!got) return tl::make_unexpected(got.error());
        if (*got == 0) break;
        size += *got;
    }
    head.resize(size);
    return head;
}

base::Result<void> visit(const std::string& name, ports::ByteSource& source, const Visitor& visitor, int depth);

base::Result<void> visit_packed(const std::string& name, ports::ByteSource& source, const Visitor& visitor, int depth) {
    std::string packed(kChunk, '\0');
    codec::ArchiveReader archive([&]() -> std::string_view {
        const auto got = source.read({packed.data(), packed.size()});
        return got ? std::string_view(packed.data(), *got) : std::string_view{};
    });
    while (true) {
        const auto member = archive.next();
        if (!member) {
            visitor.left_out(name, member.error().what);
            return {};
        }
        if (!*member) return {};
        Member bytes(archive);
        const bool is_bundle = depth == 0 && !(*member)->empty();
        const auto inner = (*member)->empty() ? without_packing(name) : is_bundle ? **member : name + "/" + **member;
        if (auto done = visit(inner, bytes, visitor, depth + 1); !done) return done;
    }
}

base::Result<void> visit(const std::string& name, ports::ByteSource& source, const Visitor& visitor, int depth) {
    auto head = read_head(source);
    if (!head) {
        visitor.left_out(name, head.error().what);
        return {};
    }
    const bool packed = is_packed(*head);
    const bool binary = !packed && head->find('\0') != std::string::npos;
    Peeked whole(std::move(*head), source);
    if (packed && depth < kDeepest) return visit_packed(name, whole, visitor, depth);
    if (packed || binary) {
        visitor.left_out(name, packed ? "packed more than three times" : "binary: names in it cannot be replaced");
        return {};
    }
    return visitor.text(name, whole);
}

/// Names stay inside: no "..", no leading "/".
std::string tidy(const std::string& name) {
    const auto path = std::filesystem::path(name).lexically_normal().relative_path();
    std::string out;
    for (const auto& part : path)
        if (part != ".." && part != ".") out += (out.empty() ? "" : "/") + part.string();
    return out.empty() ? "file" : out;
}

base::Result<void> visit_all(ports::EvidenceTree& tree, const std::vector<std::string>& paths, const Visitor& visitor) {
    for (const auto& path : paths) {
        const auto listing = tree.list(path);
        if (!listing) return tl::make_unexpected(listing.error());
        for (const auto& problem : listing->problems) visitor.left_out(problem.where, problem.what);
        for (const auto& entry : listing->entries) {
            const auto source = tree.open(entry);
            if (!source) {
                visitor.left_out(entry.name, source.error().what);
                continue;
            }
            const bool is_the_argument = entry.name == path;
            const auto own = is_the_argument ? std::filesystem::path(path).filename().string() : entry.name;
            const auto name = paths.size() > 1 && !is_the_argument
                                  ? std::filesystem::path(path).filename().string() + "/" + own
                                  : own;
            if (auto done = visit(name, **source, visitor, 0); !done) return done;
        }
    }
    return {};
}

/// Lines without their end; one that is longer than a MiB comes in pieces, cut where no name can be.
base::Result<void> each_line(ports::ByteSource& bytes,
                             const std::function<base::Result<void>(std::string_view, std::string_view end)>& take) {
    std::string buffer(kChunk, '\0');
    std::string waiting;
    while (true) {
        const auto got = bytes.read({buffer.data(), buffer.size()});
        if (!got) return tl::make_unexpected(got.error());
        if (*got == 0) break;
        waiting.append(buffer.data(), *got);
        std::size_t begin = 0;
        for (auto end = waiting.find('\n'); end != std::string::npos; end = waiting.find('\n', begin)) {
            if (auto done = take(std::string_view(waiting).substr(begin, end - begin), "\n"); !done) return done;
            begin = end + 1;
        }
        waiting.erase(0, begin);
        if (waiting.size() < kLongestLine) continue;
        const auto cut = waiting.find_last_of(" \t,;\"'{}[]()");
        const auto size = cut == std::string::npos ? waiting.size() : cut + 1;
        if (auto done = take(std::string_view(waiting).substr(0, size), ""); !done) return done;
        waiting.erase(0, size);
    }
    return waiting.empty() ? base::Result<void>{} : take(waiting, "");
}

base::Result<void> find_names(const knowledge::Index& index, ports::EvidenceTree& tree,
                              const std::vector<std::string>& paths, redact::Finder& finder) {
    pipeline::Request request;
    request.paths = paths;
    request.time.present = present(process_variables());
    request.on_record = [&finder](std::uint32_t, const model::Record& record) { finder.see(record); };
    if (const auto read = pipeline::diagnose(index, tree, request); !read) return tl::make_unexpected(read.error());
    return visit_all(tree, paths,
                     {[&finder](const std::string& name, ports::ByteSource& bytes) {
                          finder.see_path(name);
                          // What breaks off is told by the second pass.
                          static_cast<void>(each_line(bytes, [&finder](std::string_view line, std::string_view) {
                              finder.see_line(line);
                              return base::Result<void>{};
                          }));
                          return base::Result<void>{};
                      },
                      [](const std::string&, const std::string&) {}});
}

}  // namespace

base::Result<RedactionSummary> redact_evidence(const knowledge::Index& index, ports::EvidenceTree& tree,
                                               const std::vector<std::string>& paths, ports::SpoolMaker& spools,
                                               ports::BundleTarget& target, redact::TokenMap& map) {
    redact::Finder finder;
    if (auto found = find_names(index, tree, paths, finder); !found) return tl::make_unexpected(found.error());
    redact::Redactor redactor(finder.names(), map);
    RedactionSummary summary;
    const Visitor visitor{[&](const std::string& name, ports::ByteSource& bytes) -> base::Result<void> {
                              redactor.begin();
                              auto spool = spools.make();
                              const auto read = each_line(bytes, [&](std::string_view line, std::string_view end) {
                                  return spool->append(redactor.line(line).append(end));
                              });
                              const auto shown = tidy(redactor.line(name));
                              if (!read)
                                  summary.left_out.push_back(fmt::format("{}: its rest: {}", shown, read.error().what));
                              const auto source = spool->open();
                              ++summary.files;
                              summary.bytes += spool->size();
                              return target.add(shown, spool->size(), *source);
                          },
                          [&](const std::string& name, const std::string& why) {
                              summary.left_out.push_back(fmt::format("{}: {}", name, why));
                          }};
    if (auto done = visit_all(tree, paths, visitor); !done) return tl::make_unexpected(done.error());
    return summary;
}

base::Result<redact::TokenMap> read_token_map(const std::string& path) {
    std::error_code unknown;
    if (path.empty() || !std::filesystem::exists(path, unknown)) return redact::TokenMap{};
    const auto text = read_own_file(path);
    if (!text) return tl::make_unexpected(text.error());
    return redact::TokenMap::parse(*text, path);
}

base::Result<void> write_token_map(const redact::TokenMap& map, const std::string& path) {
    const auto before = ::umask(S_IRWXG | S_IRWXO);
    auto file = OutputFile::create(path);
    ::umask(before);
    if (!file) return tl::make_unexpected(file.error());
    return file->commit(map.render());
}

std::string map_path_for(const std::string& output) {
    auto path = output;
    while (path.size() > 1 && path.ends_with('/')) path.pop_back();
    return path + ".redaction-map.json";
}

}  // namespace gpumedic::cli
