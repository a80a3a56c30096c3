// The one description of the blob's form: each `transfer` names a type's parts in order, for the writer and the reader
// alike. Private to the module. A change here needs a new kBlobForm in blob.cpp.
#pragma once

#include <concepts>
#include <type_traits>

#include "knowledge/catalogue.h"

namespace gpumedic::knowledge::blob_form {

/// The writer sees const values, the reader mutable ones: the same function serves both.
template <class T, class Plain>
concept Either = std::same_as<std::remove_const_t<T>, Plain>;

template <class Archive, Either<Localized> T>
void transfer(Archive& archive, T& v) {
    archive(v.en, v.ko);
}

template <class Archive, Either<FieldCondition> T>
void transfer(Archive& archive, T& v) {
    archive.enumeration(v.test, FieldCondition::Test::absent);
    archive(v.field, v.values);
}

template <class Archive, Either<Example> T>
void transfer(Archive& archive, T& v) {
    archive(v.line, v.fields, v.type, v.gives_id, v.gives);
}

template <class Archive, Either<Code> T>
void transfer(Archive& archive, T& v) {
    archive.enumeration(v.severity, model::Severity::fatal);
    archive(v.code, v.title, v.meaning, v.source);
}

template <class Archive, Either<TableRow> T>
void transfer(Archive& archive, T& v) {
    archive(v.is, v.name, v.text);
}

template <class Archive, Either<CodeTable> T>
void transfer(Archive& archive, T& v) {
    archive(v.id, v.title, v.keys, v.source, v.rows, v.file);
}

template <class Archive, Either<Decode> T>
void transfer(Archive& archive, T& v) {
    archive(v.table, v.of, v.hexadecimal);
}

template <class Archive, Either<model::RecordType> T>
void transfer(Archive& archive, T& v) {
    archive.enumeration(v, model::RecordType::collected_item);
}

template <class Archive, Either<Signal> T>
void transfer(Archive& archive, T& v) {
    archive.enumeration(v.severity, model::Severity::fatal);
    archive(v.id, v.family, v.in, v.pattern, v.literal, v.where, v.title, v.meaning, v.source, v.codes);
    archive(v.decode, v.device_kind, v.obtain, v.obtain_command, v.match, v.no_match, v.file);
}

template <class Archive, Either<Effect> T>
void transfer(Archive& archive, T& v) {
    archive.enumeration(v.scope, Scope::same_node);
    archive.enumeration(v.strength, Strength::always);
    archive.enumeration(v.weight, Weight::decisive);
    archive(v.signals, v.fault, v.inferred, v.within, v.min_count, v.apart, v.min_boots);
}

template <class Archive, Either<Opposition> T>
void transfer(Archive& archive, T& v) {
    archive.enumeration(v.scope, Scope::same_node);
    archive.enumeration(v.weight, Weight::decisive);
    archive(v.signals, v.after_last_effect);
}

template <class Archive, Either<ChainStep> T>
void transfer(Archive& archive, T& v) {
    archive(v.text, v.shown_by);
}

template <class Archive, Either<Condition> T>
void transfer(Archive& archive, T& v) {
    archive(v.any, v.all, v.none, v.boots);
}

template <class Archive, Either<PlanRule> T>
void transfer(Archive& archive, T& v) {
    archive(v.action, v.when, v.why, v.why_not_less);
}

template <class Archive, Either<AlternativeRule> T>
void transfer(Archive& archive, T& v) {
    archive(v.action, v.when);
}

template <class Archive, Either<Fault> T>
void transfer(Archive& archive, T& v) {
    archive.enumeration(v.about, About::node);
    archive.enumeration(v.prior, Prior::common);
    archive.enumeration(v.strategy, Strategy::act);
    archive.enumeration(v.severity, model::Severity::fatal);
    archive(v.id, v.class_, v.title, v.cause, v.why_less, v.scheduling, v.source, v.effects, v.contradicted_by);
    archive(v.cleared_by, v.chain, v.plan, v.alternatives, v.must_not, v.checks, v.ask_for, v.file);
}

template <class Archive, Either<Step> T>
void transfer(Archive& archive, T& v) {
    archive(v.do_, v.why, v.command, v.risk);
}

template <class Archive, Either<Action> T>
void transfer(Archive& archive, T& v) {
    archive.enumeration(v.reach, Reach::node);
    archive(v.id, v.class_, v.title, v.steps, v.must_not, v.source, v.file);
}

template <class Archive, Either<Check> T>
void transfer(Archive& archive, T& v) {
    archive(v.id, v.title, v.command, v.expect, v.source, v.file);
}

template <class Archive, Either<FaultClass> T>
void transfer(Archive& archive, T& v) {
    archive(v.id, v.meaning);
}

template <class Archive, Either<Catalogue> T>
void transfer(Archive& archive, T& v) {
    archive(v.version, v.signals, v.faults, v.actions, v.checks, v.classes, v.tables);
}

}  // namespace gpumedic::knowledge::blob_form
