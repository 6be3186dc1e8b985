#include <dcube/error.hpp>

#include <fmt/format.h>

namespace dcube {

std::string_view name(Rule rule)
{
    switch (rule) {
    case Rule::no_such_port: return "no-such-port";
    case Rule::link_busy: return "link-busy";
    case Rule::second_send: return "second-send";
    case Rule::second_receive: return "second-receive";
    case Rule::channel_full: return "channel-full";
    case Rule::nothing_arrived: return "nothing-arrived";
    case Rule::size_mismatch: return "size-mismatch";
    case Rule::never_received: return "never-received";
    case Rule::lent_bytes_changed: return "lent-bytes-changed";
    case Rule::deadlock: return "deadlock";
    case Rule::empty_packet: return "empty-packet";
    case Rule::time_overflow: return "time-overflow";
    case Rule::too_many_steps: return "too-many-steps";
    case Rule::not_together: return "not-together";
    case Rule::task_not_awaited: return "task-not-awaited";
    case Rule::no_such_task: return "no-such-task";
    case Rule::packet_lost: return "packet-lost";
    case Rule::stray_packet: return "stray-packet";
    }
    return "unknown-rule";
}

RuleViolation::RuleViolation(Rule broken, std::uint32_t in_step, std::uint32_t at_node, std::uint32_t at_port,
                             const std::string& detail)
    : Error(fmt::format("{} in step {} at node {}{}: {}", dcube::name(broken), in_step, at_node,
                        at_port == no_port ? std::string() : fmt::format(", port {}", at_port), detail)),
      rule(broken), step(in_step), node(at_node), port(at_port)
{
}

ProgramError::ProgramError(std::uint32_t in_step, std::uint32_t at_node, const std::string& what)
    : Error(fmt::format("the program of node {} failed in step {}: {}", at_node, in_step, what)), step(in_step),
      node(at_node)
{
}

}  // namespace dcube
