#include "bundle/bundle.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>

#include "bundle/reading_fixture.h"
#include "ports/reader.h"

namespace gpumedic::bundle {
namespace {

using namespace std::string_literals;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

using BundleTest = ReadingTest;

std::string junk(std::size_t count) {
    std::mt19937 engine(11);
    std::string bytes(count, '\0');
    for (auto& byte : bytes) byte = static_cast<char>(engine() & 0xFF);
    return bytes;
}

TEST_F(BundleTest, KernelLogIsRecognisedAndDelivered) {
    read_text(kKernelLine + "2025-11-03T04:05:07+09:00 gpu-a kernel: vfio-pci 0000:5a:00.0: enabling device\n"s);
    ASSERT_EQ(sources_.size(), 1U);
    EXPECT_EQ(sources_[0].name, "a.log");
    EXPECT_EQ(sources_[0].kind, "kernel log");
    EXPECT_EQ(sources_[0].outcome, "ok");
    EXPECT_EQ(sources_[0].records, 2U);
    EXPECT_EQ(sources_[0].malformed, 0U);
    EXPECT_EQ(sources_[0].vantage, model::Vantage::host);
    EXPECT_THAT(texts(0), ElementsAre("NVRM: GPU0 something happened", "vfio-pci 0000:5a:00.0: enabling device"));
    EXPECT_EQ(records_[1].line, 2U);
    EXPECT_EQ(records_[0].type, model::RecordType::kernel);
}

TEST_F(BundleTest, ChunkBordersChangeNothing) {
    std::string text;
    for (int i = 0; i < 50; ++i) text += kKernelLine;
    read_text(text);
    const auto whole = texts(0);
    EXPECT_EQ(whole.size(), 50U);
    for (const std::size_t bytes : {1U, 7U, 4096U}) {
        tree_.set_chunk_bytes(bytes);
        read({"a.log"});
        EXPECT_EQ(texts(0), whole);
    }
}

TEST_F(BundleTest, EndsOfLinesMarkAndUtf16) {
    const std::string line = kKernelLine;
    const std::string crlf = line.substr(0, line.size() - 1) + "\r\n";
    std::string utf16 = "\xFF\xFE";
    for (const char c : crlf) utf16 += std::string{c, '\0'};
    for (const std::string& text : {crlf, "\xEF\xBB\xBF" + line, utf16, line.substr(0, line.size() - 1)}) {
        read_text(text);
        EXPECT_THAT(texts(0), ElementsAre("NVRM: GPU0 something happened"));
        EXPECT_EQ(sources_[0].malformed, 0U);
        EXPECT_EQ(sources_[0].outcome, "ok");
    }
}

TEST_F(BundleTest, ProseIsUnrecognisedButDelivered) {
    read_text("the fans were loud\nwe rebooted twice\n");
    ASSERT_EQ(sources_.size(), 1U);
    EXPECT_EQ(sources_[0].outcome, "unrecognised");
    EXPECT_EQ(sources_[0].kind, "");
    EXPECT_THAT(texts(0), ElementsAre("the fans were loud", "we rebooted twice"));
    EXPECT_EQ(records_[0].type, model::RecordType::text);
}

TEST_F(BundleTest, EmptyAndBlankFilesAreEmpty) {
    for (const std::string text : {"", "\n\n \r\n", "\xEF\xBB\xBF", "\xFF\xFE"}) {
        read_text(text);
        ASSERT_EQ(sources_.size(), 1U);
        EXPECT_EQ(sources_[0].outcome, "empty") << text.size();
        EXPECT_EQ(sources_[0].records, 0U);
    }
}

TEST_F(BundleTest, BinaryJunkIsCountedAsMalformed) {
    for (const std::string& bytes : {junk(100), junk(300'000), "\0\0\0\0"s, std::string(500'000, '\0')}) {
        read_text(bytes);
        ASSERT_EQ(sources_.size(), 1U);
        EXPECT_EQ(sources_[0].outcome, "binary");
        EXPECT_EQ(sources_[0].records, 0U);
        EXPECT_GE(sources_[0].malformed, 1U);
        EXPECT_THAT(sources_[0].malformed_at.at(0), StartsWith("a.log:1: "));
        EXPECT_LE(sources_[0].malformed_at.size(), 8U);
        EXPECT_NE(sources_[0].note, "");
    }
}

TEST_F(BundleTest, StringsOfAProgramAreNoEvidence) {
    read_text(junk(9000) + "\nNVRM: Failed to do something important\n" + junk(100));
    EXPECT_EQ(sources_[0].outcome, "binary");
    EXPECT_THAT(records_, IsEmpty());
}

TEST_F(BundleTest, LogAfterJunkIsReadByItsReadablePart) {
    read_text(junk(9000) + "\n" + kKernelLine + kKernelLine + junk(100));
    EXPECT_EQ(sources_[0].outcome, "binary");
    EXPECT_THAT(texts(0), ElementsAre("NVRM: GPU0 something happened", "NVRM: GPU0 something happened"));
    EXPECT_GE(sources_[0].malformed, 2U);
}

TEST_F(BundleTest, InvalidUtf8AmongGoodLinesIsKeptAndCounted) {
    read_text(kKernelLine + "2025-11-03T04:05:07+09:00 gpu-a kernel: bad \xFF\xFE byte\n"s + kKernelLine);
    EXPECT_EQ(sources_[0].outcome, "ok");
    EXPECT_EQ(sources_[0].records, 3U);
    EXPECT_EQ(sources_[0].malformed, 1U);
    EXPECT_THAT(sources_[0].malformed_at, ElementsAre("a.log:2: invalid UTF-8"));
}

TEST_F(BundleTest, NulHoleInALogIsSteppedOver) {
    for (const std::size_t hole : {10U, 8192U, 400'000U}) {
        read_text(std::string(hole, '\0') + kKernelLine + kKernelLine);
        EXPECT_EQ(sources_[0].outcome, "ok");
        EXPECT_EQ(sources_[0].records, 2U);
        EXPECT_THAT(sources_[0].malformed_at, ElementsAre("a.log:1: NUL bytes left out"));
    }
}

TEST_F(BundleTest, EndlessLineIsCutInConstantMemory) {
    std::uint64_t left = std::uint64_t{1} << 30;
    bool start = true;
    tree_.file("long.log").generate = [&](std::span<char> buffer) {
        const std::string_view head = kKernelLine;
        if (start) {
            start = false;
            std::copy(head.begin(), head.end(), buffer.begin());
            return head.size();
        }
        const std::size_t count = static_cast<std::size_t>(std::min<std::uint64_t>(buffer.size(), left));
        std::fill_n(buffer.begin(), count, 'x');
        left -= count;
        return count;
    };
    read({"long.log"});
    EXPECT_EQ(left, 0U);
    EXPECT_EQ(sources_[0].malformed, 1U);
    EXPECT_THAT(sources_[0].malformed_at, ElementsAre("long.log:2: line of 1073741824 bytes, cut to 262144"));
    EXPECT_EQ(texts(0).at(0), "NVRM: GPU0 something happened");
    for (const auto& record : records_) EXPECT_LE(record.text.size(), ports::kMaxLineBytes);
}

/// A tar of one file (ustar).
std::string tar_of(std::string_view name, std::string_view text) {
    std::string header(512, '\0');
    header.replace(0, name.size(), name);
    std::string size = "00000000000";
    auto rest = text.size();
    for (auto at = size.size(); at-- > 0; rest /= 8) size[at] = static_cast<char>('0' + rest % 8);
    header.replace(124, size.size(), size);
    header.replace(148, 8, "        ");
    header[156] = '0';
    header.replace(257, 5, "ustar");
    header.replace(263, 2, "00");
    unsigned sum = 0;
    for (const char c : header) sum += static_cast<unsigned char>(c);
    for (std::size_t at = 154; at-- > 148; sum /= 8) header[at] = static_cast<char>('0' + sum % 8);
    header[154] = '\0';
    return header + std::string(text) + std::string(512 - text.size() % 512 + 1024, '\0');
}

TEST_F(BundleTest, NamesInsideAnArchiveTellTheVantage) {
    tree_.put("b.tar", tar_of("b/guest-kernel.log", "[    1.100000] pci 0000:0f:00.0: unknown header type 7f\n"));
    read({"b.tar"});
    ASSERT_EQ(sources_.size(), 1U);
    EXPECT_EQ(sources_[0].name, "b.tar/b/guest-kernel.log");
    EXPECT_EQ(sources_[0].vantage, model::Vantage::guest);
}

TEST_F(BundleTest, DamagedArchivesAreNamed) {
    read_text("\x1F\x8B\x08\x00rest"s);
    EXPECT_NE(sources_[0].outcome, "ok");
    EXPECT_THAT(sources_[0].note, Not(IsEmpty()));
    EXPECT_THAT(records_, IsEmpty());
}

TEST_F(BundleTest, CapOnBytesIsNamed) {
    options_.max_source_bytes = 100;
    read_text(kKernelLine + std::string(kKernelLine));
    EXPECT_EQ(sources_[0].outcome, "truncated");
    EXPECT_THAT(sources_[0].note, HasSubstr("100 bytes"));
    EXPECT_EQ(texts(0).at(0), "NVRM: GPU0 something happened");
}

TEST_F(BundleTest, ReadErrorInTheMiddleIsTruncated) {
    tree_.put("a.log", kKernelLine);
    tree_.file("a.log").read_error = base::Error{base::ErrorCode::unreadable, "Input/output error", "a.log", {}};
    read({"a.log"});
    EXPECT_EQ(sources_[0].outcome, "truncated");
    EXPECT_THAT(sources_[0].note, HasSubstr("Input/output error"));
    EXPECT_EQ(sources_[0].records, 1U);
}

TEST_F(BundleTest, PartlyUnreadableInputGoesOn) {
    tree_.put("good.log", kKernelLine);
    tree_.file("secret.log").open_error = base::Error{base::ErrorCode::denied, "Permission denied", "secret.log", {}};
    read({"missing.log", "secret.log", "good.log"});
    ASSERT_THAT(names(), ElementsAre("missing.log", "secret.log", "good.log"));
    EXPECT_EQ(sources_[0].outcome, "absent");
    EXPECT_EQ(sources_[1].outcome, "denied");
    EXPECT_EQ(sources_[1].note, "Permission denied");
    EXPECT_EQ(sources_[2].outcome, "ok");
}

TEST_F(BundleTest, NothingReadableIsAnErrorThatNamesEveryPath) {
    tree_.file("secret.log").open_error = base::Error{base::ErrorCode::denied, "Permission denied", "secret.log", {}};
    tree_.file("broken.log").read_error =
        base::Error{base::ErrorCode::unreadable, "Input/output error", "broken.log", {}};
    const auto sink = [](std::uint32_t, const model::Record&) {};
    const auto denied = read_evidence(tree_, {"missing.log", "secret.log", "broken.log"}, options_, sink);
    ASSERT_FALSE(denied);
    EXPECT_EQ(denied.error().code, base::ErrorCode::denied);
    EXPECT_THAT(denied.error().what, HasSubstr("missing.log: No such file"));
    EXPECT_THAT(denied.error().what, HasSubstr("secret.log: Permission denied"));
    EXPECT_THAT(denied.error().what, HasSubstr("broken.log: Input/output error"));
    const auto missing = read_evidence(tree_, {"missing.log"}, options_, sink);
    ASSERT_FALSE(missing);
    EXPECT_EQ(missing.error().code, base::ErrorCode::not_found);
    EXPECT_FALSE(read_evidence(tree_, {}, options_, sink));
}

TEST_F(BundleTest, FoldersKeepTheirOrderAndTellTheirNames) {
    tree_.put("one/b.log", kKernelLine);
    tree_.put("one/a.log", "prose\n");
    tree_.put("two/b.log", kKernelLine);
    tree_.add_problem("one/", {base::ErrorCode::denied, "Permission denied", "one/locked", {}});
    tree_.add_problem("one/", {base::ErrorCode::unreadable, "a FIFO: not read inside a folder", "one/pipe", {}});
    read({"one/", "two/"});
    EXPECT_THAT(names(), ElementsAre("one/locked", "one/pipe", "a.log", "one/b.log", "two/b.log"));
    EXPECT_EQ(sources_[0].outcome, "denied");
    EXPECT_EQ(sources_[1].outcome, "unrecognised");
    EXPECT_EQ(sources_[4].records, 1U);
}

TEST_F(BundleTest, EmptyFolderIsEmpty) {
    tree_.add_folder("nothing/");
    read({"nothing/"});
    ASSERT_EQ(sources_.size(), 1U);
    EXPECT_EQ(sources_[0].outcome, "empty");
}

TEST_F(BundleTest, CapOnEntriesIsNamed) {
    for (int i = 0; i < 5; ++i) tree_.put("f/" + std::to_string(i), kKernelLine);
    options_.max_entries = 3;
    read({"f/"});
    ASSERT_EQ(sources_.size(), 4U);
    EXPECT_EQ(sources_[0].outcome, "truncated");
    EXPECT_EQ(records_.size(), 3U);
}

TEST_F(BundleTest, EveryPrefixOfABundleIsRead) {
    const std::string text =
        "$ lspci -nn\n5a:00.0 3D controller [0302]: NVIDIA Corporation Device [10de:2330] (rev ff)\n\n"s + kKernelLine +
        "NAME READY\r\n\x1B[1mx\x1B[0m\n{\"level\":\"error\",\"msg\":\"x\"}\n";
    for (std::size_t i = 0; i <= text.size(); ++i) {
        read_text(text.substr(0, i));
        EXPECT_GE(sources_.size(), 1U);
    }
}

}  // namespace
}  // namespace gpumedic::bundle
