#include "run/heard_in_run.hpp"

#include <dcube/error.hpp>

#include <fmt/format.h>

#include <utility>

namespace dcube {

HeardInRun::HeardInRun(const Machine& machine, const Problem& barrier, TraceSink sink)
    : topology_(machine.topology()), groups_(groups_of(barrier, topology_)), links_(machine.link().kind),
      sink_(std::move(sink)), heard_(topology_, links_)
{
}

TraceSink HeardInRun::trace()
{
    heard_ = Heard(topology_, links_);
    return [this](const Transmission& one) {
        add(one);
        if (sink_)
            sink_(one);
    };
}

void HeardInRun::add(const Transmission& one)
{
    if (one.lost)
        return;
    const bool timed = links_ == LinkKind::link_bound;
    heard_.carry(one.step, one.from, one.to, timed ? one.start : one.step, timed ? one.end : one.step);
}

std::uint64_t HeardInRun::check(std::span<const Failing> failing, Step steps) const
{
    std::uint64_t checked = 0;
    for (NodeId number = 0; number < topology_.members(); ++number) {
        const NodeId node = topology_.member(number);
        if (has_failed(failing, node, steps))
            continue;
        const auto counts = [&](NodeId other) { return !groups_ || groups_->number(other) == groups_->number(node); };
        if (const auto other = heard_.first_unheard(node, counts)) {
            VerificationError error(
                fmt::format("node {}: it goes on, and has not heard that node {} has begun", node, *other));
            error.node = node;
            error.origin = other;
            throw error;
        }
        ++checked;
    }
    return checked;
}

}  // namespace dcube
