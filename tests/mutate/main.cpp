// mutate: tells each case in many other ways and compares the answers with the truth.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>

#include "base/check.h"
#include "codec/value.h"
#include "tally.h"

namespace gpumedic::mutate {
namespace {

namespace fs = std::filesystem;

struct Options {
    std::string cases{fs::path(GPUMEDIC_SOURCE_DIR) / "tests" / "cases"};
    std::string deciding;  // for cases that do not name their deciding evidence themselves
    std::string known;     // file of flips that are known
    std::string only_case;
    std::string only_kind;
    std::string write;  // folder that the chosen variants are written to
    int number{-1};
    std::uint64_t seed{1};
    std::size_t every{1};       // take one of so many variants
    std::size_t every_case{1};  // and one of so many cases
    bool weakened{false};
};

std::string read_text(const fs::path& path) {
    std::ifstream in(path, std::ios::binary);
    CHECK(in.good(), (path.string() + " cannot be read").c_str());
    return {std::istreambuf_iterator<char>(in), {}};
}

void add_deciding(std::vector<replay::Case>& cases, const std::string& file) {
    const auto parsed = codec::parse_yaml(read_text(file));
    CHECK(parsed && !parsed->empty(), file.c_str());
    for (auto& c : cases) {
        const auto* list = parsed->front().find(c.name);
        if (list == nullptr) continue;
        replay::add_expectations(*list, c);
    }
}

/// The first node that the unchanged answer names, healthy or not.
std::string node_of(const model::Diagnosis& answer) {
    for (const auto& incident : answer.incidents)
        if (!incident.node.empty()) return incident.node;
    return answer.nodes.empty() ? "" : answer.nodes.front().node;
}

std::vector<Subject> subjects_of(const std::vector<replay::Case>& cases) {
    std::vector<Subject> subjects;
    for (const auto& c : cases) {
        auto answer = replay::diagnose(c.files);
        auto node = node_of(answer);
        subjects.push_back({&c, std::move(answer), std::move(node)});
    }
    for (auto& s : subjects) s.all = &subjects;
    return subjects;
}

void write_files(const fs::path& folder, const Variant& variant) {
    for (const auto& [name, text] : variant.files) {
        fs::create_directories((folder / name).parent_path());
        std::ofstream(folder / name, std::ios::binary) << text;
    }
}

void run_kind(const Options& options, const Subject& subject, const Kind& kind, std::size_t& at, Tally& tally) {
    for (std::size_t number = 0; number < kind.count; ++number) {
        if (options.number >= 0 && number != static_cast<std::size_t>(options.number)) continue;
        const auto variant = make_variant(subject, kind, number, options.seed);
        if (!variant || at++ % options.every != 0) continue;
        if (!options.write.empty())
            write_files(fs::path(options.write) / fmt::format("{}-{}", subject.truth->name, number), *variant);
        const auto answer = replay::diagnose(variant->files, variant->order);
        tally.add(subject.truth->name, kind, number, *variant, judge(subject, *variant, answer));
    }
}

/// "case | kind" of flips that are known, and why is written there in comments.
std::set<std::string> known_flips(const std::string& file) {
    std::set<std::string> out;
    if (file.empty()) return out;
    std::ifstream in(file);
    CHECK(in.good(), (file + " cannot be read").c_str());
    for (std::string line; std::getline(in, line);)
        if (!line.empty() && !line.starts_with('#')) out.insert(line);
    return out;
}

/// How many flips are not among the known ones.
std::size_t report(const Options& options, const Tally& tally) {
    const auto known = known_flips(options.known);
    std::vector<Complaint> fresh;
    std::vector<Complaint> old;
    for (const auto& flip : tally.flips())
        (known.contains(flip.case_name + " | " + flip.kind) ? old : fresh).push_back(flip);
    fmt::print("{}\n{}\n", tally.render_kinds(), tally.render_calibration());
    fmt::print("known flips (case | kind | number | why): {}\n{}\n", old.size(), render(old));
    fmt::print("flips: {}\n{}\n", fresh.size(), render(fresh));
    if (!fresh.empty()) fmt::print("one of them as files: mutate --case CASE --kind KIND --number N --write DIR\n");
    if (options.weakened)
        fmt::print("weakened although all that decides is there: {}\n{}\n", tally.weakened().size(),
                   render(tally.weakened()));
    return fresh.size();
}

int run(const Options& options) {
    auto cases = replay::read_cases(options.cases);
    if (!options.deciding.empty()) add_deciding(cases, options.deciding);
    std::erase_if(cases, [&, at = std::size_t{0}](const auto&) mutable { return at++ % options.every_case != 0; });
    const auto subjects = subjects_of(cases);
    Tally tally;
    std::size_t at = 0;
    std::size_t fewest = ~std::size_t{0};
    for (const auto& subject : subjects) {
        if (!options.only_case.empty() && subject.truth->name != options.only_case) continue;
        const auto before = tally.variants();
        const auto base = judge(subject, {subject.truth->files, subject.truth->devices}, subject.answer);
        if (base.outcome != Outcome::kept)
            fmt::print(stderr, "unchanged, {} is not answered as its truth says: {}\n", subject.truth->name, base.why);
        for (const auto& kind : all_kinds())
            if (options.only_kind.empty() || kind.name == options.only_kind)
                run_kind(options, subject, kind, at, tally);
        fewest = std::min(fewest, tally.variants() - before);
    }
    fmt::print("{} cases, {} variants, at least {} a case, seed {}\n\n", subjects.size(), tally.variants(), fewest,
               options.seed);
    return report(options, tally) == 0 ? 0 : 1;
}

}  // namespace
}  // namespace gpumedic::mutate

int main(int argc, char** argv) {
    gpumedic::mutate::Options options;
    CLI::App app("Tells each case in other ways (forms, damage, names, noise) and checks that the verdict holds.",
                 "mutate");
    app.add_option("--cases", options.cases, "folder of cases");
    app.add_option("--deciding", options.deciding, "deciding evidence of these cases (YAML)");
    app.add_option("--known", options.known,
                   "file of known flips, one 'case | kind' a line: they are listed, but are no failure");
    app.add_option("--case", options.only_case, "this case only");
    app.add_option("--kind", options.only_kind, "this kind only");
    app.add_option("--number", options.number, "this variant of the kind only");
    app.add_option("--seed", options.seed, "another seed, other variants");
    app.add_option("--every", options.every, "one of so many variants")->check(CLI::PositiveNumber);
    app.add_option("--every-case", options.every_case, "one of so many cases")->check(CLI::PositiveNumber);
    app.add_option("--write", options.write, "also write the variants' files below this folder");
    app.add_flag("--weakened", options.weakened, "also list what is weakened although all that decides is there");
    CLI11_PARSE(app, argc, argv);
    return gpumedic::mutate::run(options);
}
