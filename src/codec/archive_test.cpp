#include "codec/archive.h"

#include <archive.h>
#include <archive_entry.h>
#include <gtest/gtest.h>

#include <map>
#include <vector>

namespace gpumedic::codec {
namespace {

enum class Form { tar_gz, zip, gz };

std::string pack(Form form, const std::vector<std::pair<std::string, std::string>>& files) {
    std::string out(std::size_t{16} << 20, '\0');
    std::size_t used = 0;
    auto* writer = archive_write_new();
    if (form == Form::zip) archive_write_set_format_zip(writer);
    if (form == Form::tar_gz) archive_write_set_format_pax_restricted(writer);
    if (form == Form::gz) archive_write_set_format_raw(writer);
    if (form != Form::zip) archive_write_add_filter_gzip(writer);
    archive_write_open_memory(writer, out.data(), out.size(), &used);
    for (const auto& [name, text] : files) {
        auto* entry = archive_entry_new();
        archive_entry_set_pathname(entry, name.c_str());
        archive_entry_set_filetype(entry, AE_IFREG);
        archive_entry_set_size(entry, static_cast<la_int64_t>(text.size()));
        archive_write_header(writer, entry);
        archive_write_data(writer, text.data(), text.size());
        archive_entry_free(entry);
    }
    archive_write_close(writer);
    archive_write_free(writer);
    out.resize(used);
    return out;
}

struct Unpacked {
    std::map<std::string, std::string> files;
    std::string error;
};

Unpacked unpack(std::string_view packed, std::size_t piece = 100) {
    Unpacked result;
    ArchiveReader reader([&] {
        const auto now = packed.substr(0, piece);
        packed.remove_prefix(now.size());
        return now;
    });
    std::vector<char> buffer(4096);
    for (;;) {
        auto name = reader.next();
        if (!name) return result.error = name.error().what, result;
        if (!*name) return result;
        auto& text = result.files[**name];
        for (;;) {
            const auto got = reader.read(buffer);
            if (!got) return result.error = got.error().what, result;
            if (*got == 0) break;
            text.append(buffer.data(), *got);
        }
    }
}

TEST(Archive, ReadsTarZipAndSingleFiles) {
    const std::vector<std::pair<std::string, std::string>> files{{"n1/kernel.log", "one\n"},
                                                                 {"n2/kernel.log", std::string(9000, 'x')}};
    for (const auto form : {Form::tar_gz, Form::zip}) {
        const auto got = unpack(pack(form, files));
        EXPECT_EQ(got.error, "");
        ASSERT_EQ(got.files.size(), 2u);
        EXPECT_EQ(got.files.at("n2/kernel.log"), std::string(9000, 'x'));
    }
    const auto single = unpack(pack(Form::gz, {{"data", "NVRM: hello\n"}}));
    EXPECT_EQ(single.files.at(""), "NVRM: hello\n");
}

TEST(Archive, CutOffAtEveryByteNeverCrashesAndSaysSo) {
    const auto whole = pack(Form::tar_gz, {{"kernel.log", "NVRM: a line\n"}});
    std::size_t silent = 0;
    for (std::size_t size = 0; size < whole.size(); ++size)
        if (unpack(std::string_view(whole).substr(0, size)).error.empty()) ++silent;
    EXPECT_LE(silent, whole.size() / 2) << "most cuts are noticed";
}

TEST(Archive, ABombStops) {
    const auto bomb = pack(Form::gz, {{"data", std::string(std::size_t{400} << 20, 'a')}});
    EXPECT_LT(bomb.size(), std::size_t{1} << 20);
    std::string_view packed = bomb;
    ArchiveReader reader([&] {
        const auto now = packed.substr(0, 4096);
        packed.remove_prefix(now.size());
        return now;
    });
    ASSERT_TRUE(reader.next().has_value());
    std::vector<char> buffer(std::size_t{1} << 20);
    base::Result<std::size_t> got = std::size_t{1};
    while (got && *got > 0) got = reader.read(buffer);
    ASSERT_FALSE(got.has_value());
    EXPECT_EQ(got.error().code, base::ErrorCode::too_large);
}

TEST(Archive, JunkIsAnError) { EXPECT_NE(unpack("PK\x03\x04 this is no zip").error, ""); }

}  // namespace
}  // namespace gpumedic::codec
