#include "collect/journal_tree.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

#include "collect/fake_world.h"

namespace gpumedic::collect {
namespace {

class OneFile final : public ports::EvidenceTree {
public:
    explicit OneFile(std::string bytes) : bytes_(std::move(bytes)) {}
    base::Result<Listing> list(const std::string& argument) override { return Listing{{{argument, argument}}, {}}; }
    base::Result<std::unique_ptr<ports::ByteSource>> open(const ports::EvidenceEntry& /*entry*/) override {
        spool_ = MemorySpools().make();
        static_cast<void>(spool_->append(bytes_));
        return spool_->open();
    }

private:
    std::string bytes_;
    std::unique_ptr<ports::Spool> spool_{};
};

struct Read {
    std::string text{};
    std::string error{};
};

Read read(const std::string& bytes, const FakeJournal& journal, const std::string& path = "x.journal") {
    JournalTree tree(std::make_unique<OneFile>(bytes), std::make_unique<FakeProbe>(), std::make_unique<MemorySpools>(),
                     [&journal](const std::string&) { return std::make_unique<FakeJournal>(journal); });
    Read all;
    const auto source = tree.open({path, path});
    if (!source) return {{}, source.error().what};
    std::array<char, 5> buffer{};
    for (;;) {
        const auto count = (*source)->read(buffer);
        if (!count) all.error = count.error().what;
        if (!count || *count == 0) return all;
        all.text.append(buffer.data(), *count);
    }
}

TEST(JournalTree, OtherFilesPassAsTheyAre) {
    for (const std::string text : {"", "short", "LPKSHHR", "a longer text than the magic\n"}) {
        const auto all = read(text, {});
        EXPECT_EQ(all.text, text);
        EXPECT_EQ(all.error, "");
    }
}

TEST(JournalTree, AJournalComesOutAsItsLines) {
    FakeJournal journal;
    journal.lines = {"{\"MESSAGE\":\"a\"}", "{\"MESSAGE\":\"b\"}"};
    journal.error.reset();
    // The fake answers for the kernel only, and all origins are asked.
    const auto none = read("LPKSHHRH and bytes", journal);
    EXPECT_EQ(none.text, "");
    journal.error = base::Error{base::ErrorCode::unreadable, "Bad message", {}, {}};
    const auto part = read("LPKSHHRH and bytes", journal);
    EXPECT_EQ(part.text, "{\"MESSAGE\":\"a\"}\n{\"MESSAGE\":\"b\"}\n");
    EXPECT_EQ(part.error, "Bad message");
    journal.lines.clear();
    EXPECT_EQ(read("LPKSHHRH and bytes", journal).error, "Bad message");
}

TEST(JournalTree, AJournalInAStreamStaysAStream) { EXPECT_EQ(read("LPKSHHRH...", {}, "-").text, "LPKSHHRH..."); }

}  // namespace
}  // namespace gpumedic::collect
