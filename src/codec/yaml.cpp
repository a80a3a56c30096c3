#include <fmt/format.h>
#include <yaml-cpp/depthguard.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/mark.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <exception>
#include <istream>
#include <streambuf>
#include <utility>

#include "codec/tree_builder.h"
#include "codec/utf8.h"
#include "codec/value.h"

namespace gpumedic::codec {
namespace {

Place place_of(const YAML::Mark& mark) {
    if (mark.line < 0 || mark.column < 0) return {};
    return {static_cast<std::uint32_t>(mark.line) + 1, static_cast<std::uint32_t>(mark.column) + 1};
}

/// yaml-cpp buffers a whole flow collection (about 100 bytes for each token) before it reports its first event. What it
/// may read ahead of the last event is therefore capped; real flow collections and scalars are far smaller.
constexpr std::size_t kReadAhead = std::size_t{2} << 20;

/// yaml-cpp counts places in int.
constexpr std::size_t kMaxBytes = std::size_t{1} << 30;

/// Fed after the text. yaml-cpp accepts a quote that is still open at the end of the input, but not one that is open
/// here.
constexpr std::string_view kEndOfDocument = "...\n";

/// Gives the text in small portions and ends early when the builder has refused, which is how the parser is stopped.
class Feed final : public std::streambuf {
public:
    Feed(std::string_view text, const TreeBuilder& builder) : text_(text), builder_(builder) {}

    void on_event() { last_event_ = given_; }
    [[nodiscard]] bool starved() const { return starved_; }

protected:
    int_type underflow() override {
        if (given_ == text_.size() || builder_.error()) return traits_type::eof();
        if (given_ - last_event_ > kReadAhead) {
            starved_ = true;
            return traits_type::eof();
        }
        const std::string_view portion = text_.substr(given_, kPortion);
        std::copy(portion.begin(), portion.end(), buffer_);
        given_ += portion.size();
        setg(buffer_, buffer_, buffer_ + portion.size());
        return traits_type::to_int_type(buffer_[0]);
    }

private:
    static constexpr std::size_t kPortion = 4096;
    std::string_view text_;
    const TreeBuilder& builder_;
    std::size_t given_{0};
    std::size_t last_event_{0};
    bool starved_{false};
    char buffer_[kPortion]{};
};

class Handler final : public YAML::EventHandler {
public:
    Handler(TreeBuilder& builder, Feed& feed, std::string_view text) : builder_(builder), feed_(feed), text_(text) {}

    /// The latest document is not of the text but of what was fed after it.
    [[nodiscard]] bool is_past_end() const { return start_ >= text_.size(); }

    void OnDocumentStart(const YAML::Mark& mark) override {
        const bool first = start_ == kNone;
        start_ = static_cast<std::size_t>(mark.pos);
        // Where a document ends early ("- a" and then "b: 1"), yaml-cpp silently begins another one, and again and
        // again at a token that it does not understand.
        if (first || is_past_end() || text_.substr(start_, 3) == "---") return;
        builder_.refuse(base::ErrorCode::malformed, "text that belongs to nothing before it", place_of(mark),
                        "check the indentation; another document begins with ---");
    }
    void OnDocumentEnd() override {}

    void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
        if (!accept(mark, anchor)) return;
        if (builder_.awaits_key()) {
            builder_.refuse(base::ErrorCode::malformed, "a key is missing", place_of(mark), "write the key in quotes");
            return;
        }
        builder_.null(place_of(mark));
    }
    void OnAlias(const YAML::Mark& mark, YAML::anchor_t /*anchor*/) override { refuse_reference(mark); }
    void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  const std::string& value) override {
        if (!accept(mark, anchor)) return;
        if (builder_.awaits_key()) {
            builder_.key(place_of(mark), value);
            return;
        }
        // "?" is yaml-cpp's tag of a plain scalar without a tag of its own.
        builder_.scalar(place_of(mark), value, tag == "?" ? TreeBuilder::Quoting::plain : TreeBuilder::Quoting::quoted);
    }
    void OnSequenceStart(const YAML::Mark& mark, const std::string& /*tag*/, YAML::anchor_t anchor,
                         YAML::EmitterStyle::value /*style*/) override {
        if (accept(mark, anchor)) builder_.begin_list(place_of(mark));
    }
    void OnSequenceEnd() override { builder_.end(); }
    void OnMapStart(const YAML::Mark& mark, const std::string& /*tag*/, YAML::anchor_t anchor,
                    YAML::EmitterStyle::value /*style*/) override {
        if (accept(mark, anchor)) builder_.begin_map(place_of(mark));
    }
    void OnMapEnd() override { builder_.end(); }

private:
    bool accept(const YAML::Mark& mark, YAML::anchor_t anchor) {
        feed_.on_event();
        if (anchor != 0) refuse_reference(mark);
        return !builder_.error();
    }
    void refuse_reference(const YAML::Mark& mark) {
        builder_.refuse(base::ErrorCode::malformed, "anchors and aliases are not allowed", place_of(mark),
                        "write the value out");
    }

    static constexpr std::size_t kNone = std::string_view::npos;
    TreeBuilder& builder_;
    Feed& feed_;
    std::string_view text_;
    std::size_t start_{kNone};
};

/// The only place where an exception of yaml-cpp ends.
bool next_document(YAML::Parser& parser, Handler& handler, TreeBuilder& builder) {
    try {
        return parser.HandleNextDocument(handler);
    } catch (const YAML::DeepRecursion& error) {
        builder.refuse(base::ErrorCode::too_large, "nested too deeply", place_of(error.mark));
    } catch (const YAML::Exception& error) {
        const bool open_quote =
            error.msg == YAML::ErrorMsg::DOC_IN_SCALAR || error.msg == YAML::ErrorMsg::EOF_IN_SCALAR;
        builder.refuse(base::ErrorCode::malformed,
                       open_quote ? "a quote is still open where the document ends" : error.msg, place_of(error.mark));
    } catch (const std::exception& error) {
        builder.refuse(base::ErrorCode::malformed, fmt::format("not readable as YAML: {}", error.what()), Place{});
    }
    return false;
}

/// `size` bytes of `fed` are the text, the rest is kEndOfDocument.
base::Result<std::vector<Value>> parse_well_formed(std::string_view fed, std::size_t size, const TreeLimits& limits) {
    TreeBuilder builder(limits, TreeBuilder::Duplicates::refused);
    Feed feed(fed, builder);
    std::istream stream(&feed);
    Handler handler(builder, feed, fed.substr(0, size));
    std::vector<Value> documents;
    YAML::Parser parser;
    try {
        parser.Load(stream);
    } catch (const std::exception& error) {
        return base::fail(base::ErrorCode::malformed, fmt::format("not readable as YAML: {}", error.what()));
    }
    while (next_document(parser, handler, builder) && !builder.error() && !feed.starved()) {
        Value document = builder.take();
        if (!handler.is_past_end()) documents.push_back(std::move(document));
    }
    if (feed.starved()) {
        return base::fail(
            base::ErrorCode::too_large,
            fmt::format("a scalar, a comment or a [...] or {{...}} is larger than {} MiB", kReadAhead >> 20));
    }
    if (builder.error()) return tl::make_unexpected(*builder.error());
    return documents;
}

}  // namespace

base::Result<std::vector<Value>> parse_yaml(std::string_view text, const TreeLimits& limits) {
    const std::size_t most = std::min(limits.bytes, kMaxBytes);
    if (text.size() > most) {
        return base::fail(base::ErrorCode::too_large,
                          fmt::format("{} bytes, more than the cap of {}", text.size(), most));
    }
    if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
    // yaml-cpp takes byte 0x04 for the end of the input and guesses UTF-16 from the first bytes; it never sees either
    // here.
    std::string fed =
        is_well_formed(text, Controls::replaced) ? std::string(text) : make_well_formed(text, Controls::replaced);
    if (!fed.empty() && fed.back() != '\n') fed.push_back('\n');
    const std::size_t size = fed.size();
    fed += kEndOfDocument;
    return parse_well_formed(fed, size, limits);
}

}  // namespace gpumedic::codec
