// Test only: evidence that stands in memory.
#pragma once

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ports/evidence_tree.h"

namespace gpumedic::bundle {

/// Files by name; a name that ends in "/" is a folder of the files whose names start with it.
class FakeTree final : public ports::EvidenceTree {
public:
    struct File {
        std::string bytes{};
        std::optional<base::Error> open_error{};
        std::optional<base::Error> read_error{};                 // instead of the end
        std::function<std::size_t(std::span<char>)> generate{};  // instead of bytes
    };

    void put(const std::string& name, std::string bytes) { files_[name].bytes = std::move(bytes); }
    File& file(const std::string& name) { return files_[name]; }
    void add_problem(const std::string& folder, base::Error error) { problems_[folder].push_back(std::move(error)); }
    void add_folder(const std::string& folder) { problems_[folder]; }
    void set_chunk_bytes(std::size_t bytes) { chunk_bytes_ = bytes; }

    base::Result<Listing> list(const std::string& argument) override {
        Listing listing;
        if (argument.ends_with('/')) {
            for (const auto& [name, ignored] : files_)
                if (name.starts_with(argument)) listing.entries.push_back({name.substr(argument.size()), name});
            const auto problems = problems_.find(argument);
            if (problems != problems_.end()) listing.problems = problems->second;
            if (listing.entries.empty() && problems == problems_.end())
                return base::fail(base::ErrorCode::not_found, "No such file or directory", argument);
            return listing;
        }
        if (!files_.contains(argument))
            return base::fail(base::ErrorCode::not_found, "No such file or directory", argument);
        listing.entries.push_back({argument, argument});
        return listing;
    }

    base::Result<std::unique_ptr<ports::ByteSource>> open(const ports::EvidenceEntry& entry) override {
        const auto found = files_.find(entry.path);
        if (found == files_.end())
            return base::fail(base::ErrorCode::not_found, "No such file or directory", entry.path);
        if (found->second.open_error) return tl::make_unexpected(*found->second.open_error);
        return std::make_unique<Bytes>(found->second, chunk_bytes_);
    }

private:
    class Bytes final : public ports::ByteSource {
    public:
        Bytes(const File& file, std::size_t chunk_bytes) : file_(file), chunk_bytes_(chunk_bytes) {}
        base::Result<std::size_t> read(std::span<char> buffer) override {
            if (file_.generate) return file_.generate(buffer);
            const std::size_t count = std::min({buffer.size(), chunk_bytes_, file_.bytes.size() - at_});
            if (count == 0 && file_.read_error) return tl::make_unexpected(*file_.read_error);
            std::copy_n(file_.bytes.data() + at_, count, buffer.data());
            at_ += count;
            return count;
        }

    private:
        const File& file_;
        std::size_t chunk_bytes_;
        std::size_t at_{0};
    };

    std::map<std::string, File> files_;
    std::map<std::string, std::vector<base::Error>> problems_;
    std::size_t chunk_bytes_{std::size_t{1} << 20};
};

}  // namespace gpumedic::bundle
