// The three steps in order: read, collect, compile.
#include "knowledge/loader.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <deque>

#include "base/text.h"
#include "knowledge/compiler.h"
#include "knowledge/suggest.h"
#include "knowledge/version.h"

namespace gpumedic::knowledge {
namespace {

using ReadFile = void (*)(const codec::Value&, Scene, Definitions&);

struct FolderKind {
    std::string_view name;
    ReadFile read;
};
constexpr std::array<FolderKind, 7> kFolders{{{"signals", read_signal_file},
                                              {"faults", read_fault_file},
                                              {"actions", read_action_file},
                                              {"checks", read_check_file},
                                              {"classes", read_class_file},
                                              {"tables", read_table_file},
                                              {"overrides", read_override_file}}};

ReadFile reader_for(std::string_view kind) {
    for (const auto& folder : kFolders) {
        if (folder.name == kind) return folder.read;
    }
    return nullptr;
}

/// Error::where of the codec is "line:column".
Place place_of_error(const Document& document, std::string_view where) {
    const auto [line, column] = base::split_once(where, ":");
    return place_of(document, base::parse_number<std::uint32_t>(line).value_or(1),
                    base::parse_number<std::uint32_t>(column).value_or(1));
}

class Load {
public:
    explicit Load(const Catalogue& base) { collect_base(base, collected_); }

    void add(const CatalogueLayer& layer) {
        std::vector<const CatalogueFile*> files;
        for (const auto& file : layer.files) files.push_back(&file);
        std::stable_sort(files.begin(), files.end(), [](const auto* a, const auto* b) { return a->path < b->path; });
        Definitions read;
        for (const auto* file : files) read_file(*file, read);
        collect_layer(std::move(read), ++layers_, collected_, problems_);
    }

    [[nodiscard]] LoadResult finish(const std::string& base_version) {
        compile_signals(collected_, problems_);
        compile_tables(collected_, problems_);
        const KnownNames known(collected_);
        apply_overrides(collected_, known, problems_);
        compile_faults(collected_, known, problems_);
        compile_actions(collected_, problems_);
        LoadResult result;
        take(collected_.definitions.signals, result.catalogue.signals);
        take(collected_.definitions.faults, result.catalogue.faults);
        take(collected_.definitions.actions, result.catalogue.actions);
        take(collected_.definitions.checks, result.catalogue.checks);
        take(collected_.definitions.classes, result.catalogue.classes);
        take(collected_.definitions.tables, result.catalogue.tables);
        // A layer changes what the program knows, so it changes the version; without one the base is what it was.
        if (!base_version.empty()) texts_.insert(texts_.begin(), base_version);
        result.catalogue.version = layers_ == 0 && !base_version.empty() ? base_version : catalogue_version(texts_);
        result.problems = problems_.take_sorted();
        return result;
    }

private:
    void read_file(const CatalogueFile& file, Definitions& out) {
        Document& document = documents_.emplace_back(Document{file.path, file.kind, file.text, {}});
        texts_.push_back(file.text);
        const ReadFile read = reader_for(file.kind);
        if (read == nullptr) {
            std::vector<std::string_view> names;
            for (const auto& folder : kFolders) names.push_back(folder.name);
            problems_.error(Mistake::bad_file, {file.path, 1, 1, nullptr},
                            fmt::format("'{}' is no folder of a catalogue", file.kind), suggest(file.kind, names));
            return;
        }
        auto parsed = base::is_valid_utf8(file.text)
                          ? codec::parse_yaml(file.text)
                          : base::fail(base::ErrorCode::malformed, "the file is not UTF-8", "1:1");
        if (!parsed) {
            collected_.unreadable.insert(file.kind);
            // YAML's own messages name the symptom; an unquoted text is nearly always the cause.
            const std::string help =
                parsed.error().help.empty()
                    ? "quote a text that begins with a quote, '{', '[', '*' or '&', or that holds ': ' or ' #'"
                    : parsed.error().help;
            problems_.error(Mistake::not_yaml, place_of_error(document, parsed.error().where), parsed.error().what,
                            help);
            return;
        }
        document.roots = std::move(*parsed);
        std::erase_if(document.roots, [](const auto& root) { return root.kind == codec::Value::Kind::null; });
        if (document.roots.empty()) {
            problems_.error(Mistake::bad_file, {file.path, 1, 1, nullptr}, "the file defines nothing",
                            "docs/catalogue.md shows the form; delete an empty file");
        }
        for (const auto& root : document.roots) read(root, {&document, &problems_}, out);
    }

    template <class T>
    static void take(std::vector<Definition<T>>& from, std::vector<T>& into) {
        into.reserve(from.size());
        for (auto& definition : from) into.push_back(std::move(definition.value));
    }

    std::deque<Document> documents_;  // definitions point into their trees
    Collected collected_;
    ProblemList problems_;
    std::vector<std::string_view> texts_;
    std::size_t layers_{0};
};

}  // namespace

bool LoadResult::ok() const {
    return std::none_of(problems.begin(), problems.end(),
                        [](const Problem& problem) { return problem.level == Problem::Level::error; });
}

LoadResult load_catalogue(const Catalogue& base, const std::vector<CatalogueLayer>& layers) {
    Load load(base);
    for (const auto& layer : layers) load.add(layer);
    return load.finish(base.version);
}

}  // namespace gpumedic::knowledge
