// Test only: a probe that runs tasks at once in this process and answers commands from a table, a journal that stands
// in memory, and spools without files.
#pragma once

#include <algorithm>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "ports/journal.h"
#include "ports/probe.h"
#include "ports/service_texts.h"
#include "ports/spool.h"

namespace gpumedic::collect {

class FakeService final : public ports::ServiceTexts {
public:
    std::vector<ports::ServiceText> texts{};
    std::string asked_for{};
    std::vector<ports::ServiceText> about(const std::string& node, std::chrono::milliseconds /*timeout*/) override {
        asked_for = node;
        return texts;
    }
};

class FakeProbe final : public ports::Probe {
public:
    struct Reply {
        std::string output{};
        ports::ProbeResult result{};
    };
    /// By the words of the command, joined.
    void answer(const std::string& command, Reply reply) { replies_[command] = std::move(reply); }
    /// Tasks whose output has this piece end so, with what they wrote up to it.
    void hang_at(std::string piece, ports::ProbeResult result) {
        hang_piece_ = std::move(piece);
        hang_result_ = std::move(result);
    }

    ports::ProbeResult run_command(const std::vector<std::string>& argv, const ports::ProbeLimits& /*limits*/,
                                   const ports::ProbeSink& sink, const std::stop_token& /*stop*/) override {
        std::string words;
        for (const auto& word : argv) words += (words.empty() ? "" : " ") + word;
        const std::lock_guard lock(mutex_);
        asked_.insert(words);
        const auto found = replies_.find(words);
        if (found == replies_.end()) return {.end = ports::ProbeEnd::not_found};
        sink(found->second.output);
        auto result = found->second.result;
        result.bytes = found->second.output.size();
        return result;
    }
    ports::ProbeResult run_task(const ports::ProbeTask& task, const ports::ProbeLimits& /*limits*/,
                                const ports::ProbeSink& sink, const std::stop_token& /*stop*/) override {
        const std::lock_guard lock(mutex_);  // the world that tasks share is not thread-safe in one process
        Output output;
        const int code = task(output);
        const auto at = hang_piece_.empty() ? std::string::npos : output.bytes.find(hang_piece_);
        sink(output.bytes.substr(0, at == std::string::npos ? at : at + hang_piece_.size()));
        return at == std::string::npos ? ports::ProbeResult{.end = ports::ProbeEnd::exited, .code = code}
                                       : hang_result_;
    }
    [[nodiscard]] const std::set<std::string>& asked() const { return asked_; }

private:
    struct Output final : ports::ProbeOutput {
        std::string bytes{};
        bool write(std::string_view more) override {
            bytes += more;
            return true;
        }
    };
    std::mutex mutex_{};
    std::map<std::string, Reply> replies_{};
    std::set<std::string> asked_{};
    std::string hang_piece_{};
    ports::ProbeResult hang_result_{};
};

class FakeJournal final : public ports::Journal {
public:
    std::vector<std::string> lines{};
    std::optional<base::Error> error{base::Error{base::ErrorCode::not_found, "there is no journal", {}, {}}};
    ports::JournalSummary summary{};

    base::Result<ports::JournalSummary> read(const ports::JournalQuery& query,
                                             const ports::JournalSink& sink) override {
        if (query.origin == ports::JournalQuery::Origin::programs && !error) return ports::JournalSummary{};
        if (error && lines.empty()) return tl::make_unexpected(*error);
        for (const auto& line : lines)
            if (!sink(line + "\n")) break;
        if (error) return tl::make_unexpected(*error);
        return summary;
    }
};

class MemorySpools final : public ports::SpoolMaker {
public:
    std::uint64_t room{~std::uint64_t{0}};  // of each spool

    std::unique_ptr<ports::Spool> make() override { return std::make_unique<Memory>(room); }

    static std::string text_of(const ports::Spool& spool) { return static_cast<const Memory&>(spool).bytes_; }

private:
    class Memory final : public ports::Spool {
    public:
        explicit Memory(std::uint64_t room) : room_(room) {}
        base::Result<void> append(std::string_view bytes) override {
            if (bytes_.size() + bytes.size() > room_)
                return base::fail(base::ErrorCode::unreadable, "cannot keep it: No space left on device");
            bytes_ += bytes;
            return {};
        }
        [[nodiscard]] std::uint64_t size() const override { return bytes_.size(); }
        [[nodiscard]] std::unique_ptr<ports::ByteSource> open() const override {
            return std::make_unique<Source>(bytes_);
        }
        std::string bytes_{};

    private:
        class Source final : public ports::ByteSource {
        public:
            explicit Source(const std::string& bytes) : bytes_(bytes) {}
            base::Result<std::size_t> read(std::span<char> buffer) override {
                const auto count = std::min(buffer.size(), bytes_.size() - at_);
                std::copy_n(bytes_.data() + at_, count, buffer.data());
                at_ += count;
                return count;
            }

        private:
            const std::string& bytes_;
            std::size_t at_{0};
        };
        std::uint64_t room_;
    };
};

}  // namespace gpumedic::collect
