// Two archives over the one description in transfer.h.
#include "knowledge/blob.h"

#include "codec/binary.h"
#include "knowledge/transfer.h"

namespace gpumedic::knowledge {
namespace blob_form {
namespace {

constexpr std::string_view kMagic = "gpumedic catalogue";
constexpr std::uint64_t kBlobForm = 2;

class WriteArchive {
public:
    template <class... T>
    void operator()(const T&... values) {
        (one(values), ...);
    }
    template <class E>
    void enumeration(E value, E /*last*/) {
        out_.number(static_cast<std::uint64_t>(value));
    }
    [[nodiscard]] std::string take() { return out_.take(); }

private:
    void one(const std::string& value) { out_.text(value); }
    void one(const bool& value) { out_.number(value ? 1 : 0); }
    void one(const std::uint64_t& value) { out_.number(value); }
    void one(const std::optional<std::chrono::seconds>& value) {
        out_.number(value ? static_cast<std::uint64_t>(value->count()) + 1 : 0);
    }
    void one(const std::pair<std::string, std::string>& value) { (*this)(value.first, value.second); }
    template <class T>
    void one(const std::vector<T>& values) {
        out_.number(values.size());
        for (const auto& value : values) one(value);
    }
    template <class T>
    void one(const T& value) {
        transfer(*this, value);
    }

    codec::BinaryWriter out_;
};

/// Any bytes are safe: lengths are not believed (every element takes at least a byte, so a lie ends at the end of the
/// bytes).
class ReadArchive {
public:
    explicit ReadArchive(std::string_view bytes) : in_(bytes) {}
    template <class... T>
    void operator()(T&... values) {
        (one(values), ...);
    }
    template <class E>
    void enumeration(E& value, E last) {
        const std::uint64_t number = in_.number();
        if (number > static_cast<std::uint64_t>(last)) {
            valid_ = false;
            return;
        }
        value = static_cast<E>(number);
    }
    [[nodiscard]] bool good() const { return valid_ && in_.ok(); }
    [[nodiscard]] bool starts_as_ours() { return in_.text() == kMagic && in_.number() == kBlobForm && good(); }
    [[nodiscard]] bool complete() const { return good() && in_.at_end(); }

private:
    void one(std::string& value) { value = std::string(in_.text()); }
    void one(bool& value) { value = in_.number() != 0; }
    void one(std::uint64_t& value) { value = in_.number(); }
    void one(std::optional<std::chrono::seconds>& value) {
        constexpr std::uint64_t kLongest = 1'000'000'000;  // 30 years: beyond it the bytes are damaged
        const std::uint64_t number = in_.number();
        if (number > kLongest) {
            valid_ = false;
            return;
        }
        if (number != 0) value = std::chrono::seconds(number - 1);
    }
    void one(std::pair<std::string, std::string>& value) { (*this)(value.first, value.second); }
    template <class T>
    void one(std::vector<T>& values) {
        const std::uint64_t size = in_.number();
        for (std::uint64_t i = 0; i < size && good(); ++i) one(values.emplace_back());
    }
    template <class T>
    void one(T& value) {
        transfer(*this, value);
    }

    codec::BinaryReader in_;
    bool valid_{true};
};

}  // namespace
}  // namespace blob_form

std::string write_blob(const Catalogue& catalogue) {
    codec::BinaryWriter head;
    head.text(blob_form::kMagic);
    head.number(blob_form::kBlobForm);
    blob_form::WriteArchive archive;
    archive(catalogue);
    return head.take() + archive.take();
}

std::optional<Catalogue> read_blob(std::string_view bytes) {
    blob_form::ReadArchive archive(bytes);
    if (!archive.starts_as_ours()) return std::nullopt;
    std::optional<Catalogue> catalogue{std::in_place};
    archive(*catalogue);
    if (!archive.complete()) return std::nullopt;
    return catalogue;
}

}  // namespace gpumedic::knowledge
