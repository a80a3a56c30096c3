// A wrong literal would lose faults: the gate would drop texts that the expression matches. So everything that is not
// understood here ends a piece or gives up, never the other way round.
#include <algorithm>

#include "codec/pattern.h"

namespace gpumedic::codec {
namespace {

constexpr std::size_t kShortestLiteral = 4;
constexpr std::size_t kDeepest = 100;

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_octal(char c) { return c >= '0' && c <= '7'; }
bool is_hex(char c) { return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_ascii(char c) { return static_cast<unsigned char>(c) < 0x80U; }
char lower_of(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

/// What one element of a sequence contributes to every match.
struct Element {
    std::vector<std::string> pieces{};  // texts that the element must contain
    bool joins{false};                  // exactly pieces[0] and nothing else, so neighbours join it
};

struct Sequence {
    std::vector<Element> elements{};
    bool alternatives{false};
    bool capture{false};
};

class Scanner {
public:
    explicit Scanner(std::string_view expression) : rest_(expression) {}

    /// The pieces that every match contains; none when the expression is not understood.
    std::vector<std::string> run() {
        open_.emplace_back();
        while (!rest_.empty()) {
            if (!step()) return {};
        }
        if (open_.size() != 1) return {};
        return pieces_of(open_.front());
    }

private:
    bool step() {
        const char c = take();
        switch (c) {
            case '|': top().alternatives = true; return true;
            case '(': return open_group();
            case ')': return close_group();
            case '[': return skip_class();
            case '*':
            case '?': return quantify(0);
            case '+': return quantify(1);
            case '{': return braces();
            case '\\': return escape();
            case '.':
            case '^':
            case '$': return add_break();
            default: return add_literal(c);
        }
    }

    char take() {
        const char c = rest_.front();
        rest_.remove_prefix(1);
        return c;
    }
    bool next_is(char c) const { return !rest_.empty() && rest_.front() == c; }
    Sequence& top() { return open_.back(); }

    bool add_break() {
        top().elements.emplace_back();
        return true;
    }
    bool add_literal(char c) {
        // Under (?i) RE2 folds Latin-1 letters too, the gate only ASCII: a byte beyond ASCII is no safe text.
        if (!is_ascii(c)) non_ascii_ = true;
        top().elements.push_back({{std::string(1, lower_of(c))}, true});
        return true;
    }

    bool quantify(unsigned least) {
        if (next_is('?')) take();  // lazy; a second quantifier is RE2's error
        if (top().elements.empty()) return false;
        Element& last = top().elements.back();
        if (least == 0) last.pieces.clear();
        last.joins = false;
        return true;
    }

    /// "{n}", "{n,}", "{n,m}"; anything else is a literal brace for RE2 and ends a piece here.
    bool braces() {
        std::size_t i = 0;
        bool some = false;
        for (; i < rest_.size() && is_digit(rest_[i]); ++i) some = some || rest_[i] != '0';
        const bool counted = i > 0;
        if (i < rest_.size() && rest_[i] == ',') {
            ++i;
            while (i < rest_.size() && is_digit(rest_[i])) ++i;
        }
        if (!counted || i >= rest_.size() || rest_[i] != '}') return add_break();
        rest_.remove_prefix(i + 1);
        return quantify(some ? 1 : 0);
    }

    bool open_group() {
        if (open_.size() > kDeepest) return false;
        if (!next_is('?')) return begin_group();
        take();
        if (rest_.substr(0, 2) == "P<") {
            const std::size_t end = rest_.find('>');
            if (end == std::string_view::npos) return false;
            rest_.remove_prefix(end + 1);
            return begin_group();
        }
        while (!rest_.empty()) {
            const char c = take();
            if (c == ':') return begin_group();
            if (c == ')') return true;  // "(?i)": flags for what follows, no element of its own
            if (c == 'i') folds_ = true;
            if (c != 'i' && c != 'm' && c != 's' && c != 'U' && c != '-') return false;
        }
        return false;
    }
    bool begin_group() {
        open_.emplace_back();
        return true;
    }
    bool close_group() {
        if (open_.size() < 2) return false;
        const Sequence group = std::move(open_.back());
        open_.pop_back();
        Element element;
        element.pieces = pieces_of(group);
        const bool plain =
            !group.alternatives && !group.elements.empty() &&
            std::all_of(group.elements.begin(), group.elements.end(), [](const Element& e) { return e.joins; });
        element.joins = plain && element.pieces.size() == 1;
        top().elements.push_back(std::move(element));
        return true;
    }

    bool skip_class() {
        if (next_is('^')) take();
        bool first = true;
        while (!rest_.empty()) {
            if (rest_.front() == ']' && !first) {
                take();
                return add_break();
            }
            first = false;
            if (rest_.substr(0, 2) == "[:") {
                const std::size_t end = rest_.find(":]", 2);
                if (end != std::string_view::npos) {
                    rest_.remove_prefix(end + 2);
                    continue;
                }
            }
            if (take() == '\\' && !rest_.empty()) take();
        }
        return false;
    }

    bool escape() {
        if (rest_.empty()) return false;
        const char c = take();
        if (c == 'Q') return quoted_text();
        if (c == 'p' || c == 'P') return skip_property();
        if (c == 'x') return skip_hex();
        if (is_digit(c)) {
            for (int i = 0; i < 2 && !rest_.empty() && is_octal(rest_.front()); ++i) take();
            return add_break();
        }
        if (is_letter(c) || c == '_' || !is_ascii(c)) return add_break();
        return add_literal(c);
    }
    bool quoted_text() {
        while (!rest_.empty()) {
            if (rest_.substr(0, 2) == "\\E") {
                rest_.remove_prefix(2);
                return true;
            }
            add_literal(take());
        }
        return true;
    }
    bool skip_property() {
        if (rest_.empty()) return false;
        if (take() == '{' && !skip_to_brace()) return false;
        return add_break();
    }
    bool skip_hex() {
        if (next_is('{')) return skip_to_brace() && add_break();
        for (int i = 0; i < 2 && !rest_.empty() && is_hex(rest_.front()); ++i) take();
        return add_break();
    }
    bool skip_to_brace() {
        const std::size_t end = rest_.find('}');
        if (end == std::string_view::npos) return false;
        rest_.remove_prefix(end + 1);
        return true;
    }

    static std::vector<std::string> pieces_of(const Sequence& sequence) {
        std::vector<std::string> pieces;
        if (sequence.alternatives) return pieces;
        std::string current;
        const auto flush = [&] {
            if (!current.empty()) pieces.push_back(std::move(current));
            current.clear();
        };
        for (const Element& element : sequence.elements) {
            if (element.joins) {
                current += element.pieces.front();
                continue;
            }
            flush();
            pieces.insert(pieces.end(), element.pieces.begin(), element.pieces.end());
        }
        flush();
        return pieces;
    }

public:
    [[nodiscard]] bool folds_beyond_ascii() const { return folds_ && non_ascii_; }

private:
    std::string_view rest_;
    std::vector<Sequence> open_{};
    bool folds_{false};
    bool non_ascii_{false};
};

/// The longest run of ASCII in a piece.
std::string_view longest_ascii(std::string_view piece) {
    std::string_view best;
    std::size_t start = 0;
    for (std::size_t i = 0; i <= piece.size(); ++i) {
        if (i < piece.size() && is_ascii(piece[i])) continue;
        if (i - start > best.size()) best = piece.substr(start, i - start);
        start = i + 1;
    }
    return best;
}

}  // namespace

std::string required_literal(std::string_view expression) {
    Scanner scanner(expression);
    const std::vector<std::string> pieces = scanner.run();
    std::string_view best;
    for (const std::string& piece : pieces) {
        const std::string_view safe = scanner.folds_beyond_ascii() ? longest_ascii(piece) : std::string_view{piece};
        if (safe.size() > best.size()) best = safe;
    }
    return best.size() < kShortestLiteral ? std::string{} : std::string{best};
}

}  // namespace gpumedic::codec
