#include "adapters/kube/node_objects.h"

#include <fmt/format.h>

#include <set>

#include "adapters/kube/json_layout.h"
#include "adapters/kube/node_selection.h"
#include "codec/value.h"

namespace gpumedic::adapters::kube {

using base::ErrorCode;
using ports::Flow;
using ports::ResourceType;
using Clock = std::chrono::steady_clock;

std::string_view name_of(Outcome outcome) {
    switch (outcome) {
        case Outcome::ok: return "ok";
        case Outcome::absent: return "absent";
        case Outcome::denied: return "denied";
        case Outcome::timed_out: return "timed_out";
        case Outcome::truncated: return "truncated";
        case Outcome::failed: return "failed";
    }
    return "failed";
}

namespace {

const ResourceType kNodes{{}, "v1", "nodes", "Node"};
const ResourceType kPods{{}, "v1", "pods", "Pod"};
const ResourceType kEvents{{}, "v1", "events", "Event"};
const ResourceType kVmis{"kubevirt.io", "v1", "virtualmachineinstances", "VirtualMachineInstance"};
const ResourceType kVms{"kubevirt.io", "v1", "virtualmachines", "VirtualMachine"};
const ResourceType kKubeVirts{"kubevirt.io", "v1", "kubevirts", "KubeVirt"};

Outcome outcome_of(ErrorCode code, bool read_something) {
    switch (code) {
        case ErrorCode::not_found: return Outcome::absent;
        case ErrorCode::denied:
        case ErrorCode::unauthorised: return Outcome::denied;
        case ErrorCode::timed_out:
        case ErrorCode::cancelled: return Outcome::timed_out;
        case ErrorCode::too_large: return Outcome::truncated;
        default: return read_something ? Outcome::truncated : Outcome::failed;
    }
}

/// Builds the text of one List while its objects arrive.
class ListText {
public:
    ListText(const ResourceType& type, std::uint64_t cap)
        : api_version_(type.group.empty() ? type.version : type.group + "/" + type.version),
          kind_(type.kind),
          cap_(cap) {
        clear();
    }
    void clear() {
        text_ = "{\n    \"apiVersion\": \"v1\",\n    \"items\": [";
        objects_ = 0;
        full_ = false;
    }
    /// False when the cap does not let it in.
    bool add(std::string_view object) {
        if (full_ || text_.size() + object.size() > cap_) {
            full_ = true;
            return false;
        }
        text_ += objects_ == 0 ? "\n        " : ",\n        ";
        append_laid_out(text_, with_kind(object, api_version_, kind_), 2);
        ++objects_;
        return true;
    }
    [[nodiscard]] bool full() const { return full_; }
    [[nodiscard]] std::uint64_t objects() const { return objects_; }
    [[nodiscard]] std::string take() {
        text_ += objects_ == 0 ? "],\n" : "\n    ],\n";
        text_ += "    \"kind\": \"List\",\n    \"metadata\": {\n        \"resourceVersion\": \"\"\n    }\n}\n";
        return std::move(text_);
    }

private:
    std::string api_version_;
    std::string kind_;
    std::uint64_t cap_;
    std::string text_;
    std::uint64_t objects_{0};
    bool full_{false};
};

class NodeReading {
public:
    NodeReading(ports::Cluster& cluster, const NodeObjectsRequest& request)
        : cluster_(cluster), request_(request), selection_(request.node), end_(Clock::now() + request.timeout) {}

    std::vector<NodeObject> run() {
        const std::string on_node = "spec.nodeName=" + request_.node;
        read_node();
        read_list("pods", kPods, {.type = kPods, .field_selector = on_node}, "--field-selector " + on_node,
                  [&](std::string_view pod) {
                      selection_.add_pod(pod);
                      return true;
                  });
        const std::string label = "kubevirt.io/nodeName=" + request_.node;
        read_list("virtualmachineinstances", kVmis, {.type = kVmis, .label_selector = label}, "-l " + label,
                  [&](std::string_view vmi) {
                      selection_.add_vmi(vmi);
                      return true;
                  });
        auto events = read_events();
        read_list("virtualmachines", kVms, {.type = kVms}, {},
                  [&](std::string_view vm) { return selection_.is_vm_of_node(vm); });
        objects_.push_back(std::move(events));
        read_list("kubevirts", kKubeVirts, {.type = kKubeVirts}, {}, [](std::string_view) { return true; });
        read_handler_log();
        return std::move(objects_);
    }

private:
    [[nodiscard]] ports::CallLimits limits() const {
        const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end_ - Clock::now());
        return {std::max(left, std::chrono::milliseconds(0)), request_.stop};
    }

    /// Nothing is sent any more when the time is over: the piece says so.
    [[nodiscard]] bool over(NodeObject& object) const {
        if (limits().timeout.count() > 0 && !request_.stop.stop_requested()) return false;
        object.outcome = Outcome::timed_out;
        object.why = request_.stop.stop_requested()
                         ? "stopped before it was asked for"
                         : fmt::format("the {} ms for all Kubernetes objects were over", request_.timeout.count());
        return true;
    }

    static void tell(NodeObject& object, const base::Error& error) {
        object.outcome = outcome_of(error.code, object.objects > 0 || !object.text.empty());
        object.why = error.where.empty() ? error.what : fmt::format("{} ({})", error.what, error.where);
        object.help = error.help;
    }

    void read_node() {
        const auto start = Clock::now();
        NodeObject object{.name = "kubernetes/node.json",
                          .command = fmt::format("kubectl get node {} -o json", request_.node)};
        if (!over(object)) {
            const auto json = cluster_.get(kNodes, {}, request_.node, limits());
            if (json) {
                ListText list(kNodes, request_.max_bytes);
                if (!list.add(*json)) object.outcome = Outcome::truncated;
                object.objects = list.objects();
                object.text = list.take();
            } else {
                tell(object, json.error());
            }
        }
        finish(std::move(object), start);
    }

    using Choice = std::function<bool(std::string_view object)>;

    /// Fills everything but the name, the command and the time.
    void fill(NodeObject& object, const ResourceType& type, const ports::ListQuery& query, const Choice& wanted,
              const std::function<void(ListText&)>& at_end = {}) {
        if (over(object)) return;
        ListText list(type, request_.max_bytes);
        const ports::ListSink sink{[&](std::string_view item) {
                                       if (wanted(item)) list.add(item);
                                       return list.full() ? Flow::stop : Flow::go_on;
                                   },
                                   [&] { list.clear(); }};
        const auto answer = cluster_.list(query, sink, limits());
        if (at_end) at_end(list);
        object.objects = list.objects();
        if (!answer) {
            tell(object, answer.error());
        } else if (list.full()) {
            object.outcome = Outcome::truncated;
            object.why =
                fmt::format("more than {} bytes; the first {} objects are there", request_.max_bytes, list.objects());
        } else if (list.objects() == 0) {
            object.outcome = Outcome::absent;
            object.why = fmt::format("there are no {} of this node", type.plural);
        }
        if (list.objects() > 0) object.text = list.take();
    }

    void read_list(std::string_view name, const ResourceType& type, const ports::ListQuery& query,
                   const std::string& selector, const Choice& wanted) {
        const auto start = Clock::now();
        NodeObject object{
            .name = fmt::format("kubernetes/{}.json", name),
            .command = fmt::format("kubectl get {} -A {}{}-o json", name, selector, selector.empty() ? "" : " ")};
        fill(object, type, query, wanted);
        finish(std::move(object), start);
    }

    /// Read before the VMs, since events name VMs that have no VMI; stands behind them.
    NodeObject read_events() {
        const auto start = Clock::now();
        NodeObject object{.name = "kubernetes/events.json", .command = "kubectl get events -A -o json"};
        fill(
            object, kEvents, {.type = kEvents}, [&](std::string_view event) { return selection_.take_event(event); },
            [&](ListText& list) {
                for (const auto& event : selection_.waiting_events()) list.add(event);
            });
        object.took = std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - start);
        return object;
    }

    void read_handler_log() {
        const auto start = Clock::now();
        NodeObject object{.name = "kubernetes/virt-handler.log", .command = {}};
        const auto& handler = selection_.virt_handler();
        if (handler.name.empty()) {
            object.command = fmt::format(
                "kubectl get pods -A -l kubevirt.io=virt-handler --field-selector spec.nodeName={}", request_.node);
            const auto& pods = objects_[1];
            const bool known = pods.outcome == Outcome::ok || pods.outcome == Outcome::absent;
            object.outcome = known ? Outcome::absent : pods.outcome;
            object.why = known ? "no virt-handler pod runs on this node" : "the pods of this node could not be read";
        } else {
            object.command = fmt::format("kubectl logs -n {} {} -c virt-handler", handler.namespace_, handler.name);
            if (!over(object)) read_log(object, handler);
        }
        finish(std::move(object), start);
    }

    void read_log(NodeObject& object, const ObjectName& handler) {
        const ports::LogQuery query{.namespace_ = handler.namespace_,
                                    .pod = handler.name,
                                    .container = "virt-handler",
                                    .since = request_.log_since,
                                    .max_bytes = request_.max_bytes,
                                    .tail_lines = 0};
        const auto answer = cluster_.pod_log(
            query,
            [&](std::string_view piece) {
                object.text += piece;
                return Flow::go_on;
            },
            limits());
        if (!answer) {
            tell(object, answer.error());
        } else if (answer->end == ports::LogAnswer::End::capped) {
            object.outcome = Outcome::truncated;
            object.why = fmt::format("more than {} bytes; the beginning is there", request_.max_bytes);
        } else if (object.text.empty()) {
            object.outcome = Outcome::absent;
            object.why = "the log is empty";
        }
    }

    void finish(NodeObject object, Clock::time_point start) {
        object.took = std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - start);
        objects_.push_back(std::move(object));
    }

    ports::Cluster& cluster_;
    const NodeObjectsRequest& request_;
    NodeSelection selection_;
    Clock::time_point end_;
    std::vector<NodeObject> objects_;
};

}  // namespace

std::vector<NodeObject> read_node_objects(ports::Cluster& cluster, const NodeObjectsRequest& request) {
    return NodeReading(cluster, request).run();
}

}  // namespace gpumedic::adapters::kube
