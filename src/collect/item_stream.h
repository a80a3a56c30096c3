// How a task's process tells ours what it reads: a stream of files. What came before the process hung or died counts.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "collect/item.h"
#include "ports/probe.h"

namespace gpumedic::collect {

/// The task's side. Every function is false when nobody reads any more: the task should end.
class ItemWriter {
public:
    explicit ItemWriter(ports::ProbeOutput& output) : output_(output) {}
    /// What is opened next: named should it never come back.
    [[nodiscard]] bool going_to(std::string_view path);
    [[nodiscard]] bool begin(std::string_view name);
    [[nodiscard]] bool data(std::string_view bytes);
    [[nodiscard]] bool end(Outcome outcome = Outcome::ok, std::string_view why = {});
    /// Of the item as a whole.
    [[nodiscard]] bool note(Outcome outcome, std::string_view why);

private:
    [[nodiscard]] bool frame(char kind, std::string_view payload);
    ports::ProbeOutput& output_;
};

/// Our side. Hostile bytes are harmless: the stream is broken from there on.
class ItemDecoder {
public:
    struct Events {
        std::function<void(std::string_view name)> begin;
        std::function<void(std::string_view bytes)> data;
        std::function<void(Outcome outcome, std::string_view why)> end;
        std::function<void(Outcome outcome, std::string_view why)> note;
    };
    explicit ItemDecoder(Events events) : events_(std::move(events)) {}
    void feed(std::string_view piece);
    /// What the task was going to open when the stream ended.
    [[nodiscard]] const std::string& last_path() const { return last_path_; }
    [[nodiscard]] bool is_broken() const { return broken_; }

private:
    void take(char kind, std::string_view payload);
    Events events_;
    std::string waiting_{};
    std::string last_path_{};
    bool broken_{false};
};

}  // namespace gpumedic::collect
