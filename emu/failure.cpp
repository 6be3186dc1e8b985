#include "emu/failure.hpp"

#include <fmt/format.h>

#include <utility>

namespace dcube::detail {

Failure Failure::of_rule(Rule rule, NodeId node, Port port, Step step, const std::string& detail,
                         std::optional<RuleViolation::Packet> packet)
{
    RuleViolation violation(rule, step, node, port, detail);
    violation.packet = packet;
    const bool found_by_others = rule == Rule::channel_full || rule == Rule::lent_bytes_changed;
    return {step, node, std::make_exception_ptr(violation), found_by_others ? port : 0};
}

Failure Failure::of_deadlock(NodeId node, Port port, Step step, const std::string& detail,
                             std::vector<RuleViolation::Waits> waiting)
{
    RuleViolation violation(Rule::deadlock, step, node, port, detail);
    violation.waiting = std::move(waiting);
    return {step, node, std::make_exception_ptr(violation)};
}

Failure Failure::of_program(const std::exception_ptr& error, Step step, NodeId node)
{
    try {
        try {
            std::rethrow_exception(error);
        } catch (const std::exception& exception) {
            std::throw_with_nested(ProgramError(step, node, exception.what()));
        } catch (...) {
            std::throw_with_nested(ProgramError(step, node, "an exception that is not a std::exception"));
        }
    } catch (const ProgramError&) {
        return {step, node, std::current_exception()};
    }
}

Failure Failure::of_machine(const std::exception_ptr& error, Step step, NodeId node) noexcept
{
    try {
        try {
            std::rethrow_exception(error);
        } catch (const Error&) {
            return {step, node, error};
        } catch (const std::exception& exception) {
            std::throw_with_nested(
                Error(fmt::format("the machine failed in step {} at node {}: {}", step, node, exception.what())));
        }
    } catch (const Error&) {
        return {step, node, std::current_exception()};
    } catch (...) {  // no std::exception, or no memory for words either
        return {step, node, error};
    }
}

}  // namespace dcube::detail
