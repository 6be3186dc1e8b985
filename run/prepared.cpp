// Collectives inside node programs.

#include <dcube/run.hpp>

#include <dcube/layout.hpp>

#include "run/ranks.hpp"
#include "run/working_memory.hpp"

#include <fmt/format.h>
#include <xxhash.h>

#include <cstdint>
#include <stdexcept>
#include <string>

namespace dcube {

struct Prepared::State {
    Topology topology;
    PortModel ports;
    Problem problem;
    std::string algorithm;
    Layout layout;
    Step steps;
    std::uint64_t meaning;  // hash of topology, problem and algorithm: the same on all ranks
    CollectiveProgram program;
};

namespace {

std::uint64_t meaning_of(const Topology& topology, const Problem& problem, const Algorithm& algorithm)
{
    const std::string words = fmt::format("{} | {} | {}", topology.name(), words_of(problem), algorithm.name);
    return XXH3_64bits(words.data(), words.size());
}

}  // namespace

Prepared::Prepared(const Topology& topology, PortModel ports, const Problem& problem, const Algorithm& algorithm)
{
    require_suitable(algorithm, topology, ports, problem);
    if (!algorithm.cost)
        throw InvalidArgument(fmt::format("{} does not say how many steps it takes", algorithm.name));
    state_ = std::make_shared<const State>(
        State{topology, ports, problem, std::string(algorithm.name), Layout(problem, topology),
              moves_nothing(problem) ? 0 : static_cast<Step>(cost_of(algorithm, topology, problem).steps),
              meaning_of(topology, problem, algorithm), program_of(algorithm, topology, problem)});
}

Prepared::Prepared(const Topology& topology, PortModel ports, const Problem& problem, std::string_view algorithm)
    : Prepared(topology, ports, problem, find_algorithm(topology, ports, problem, algorithm))
{
}

namespace {

// Memory is asked for before it is prepared, which may take much.
Prepared prepared(const Machine& machine, const Problem& problem, std::string_view algorithm)
{
    World& world = machine.world();
    const Topology& topology = machine.topology();
    require_same(world, "a prepared collective", fmt::format("{} | {}", words_of(problem), algorithm));
    const Entry* best = nullptr;
    together(world, [&] { best = &find_algorithm(topology, machine.ports(), problem, algorithm); });
    machine.require_memory(own_working_memory(machine, *best, problem));
    return agreed(world, [&] { return Prepared(topology, machine.ports(), problem, *best); });
}

}  // namespace

Prepared::Prepared(const Machine& machine, const Problem& problem, std::string_view algorithm)
    : Prepared(prepared(machine, on_links_of(machine, problem), algorithm))
{
}

namespace {

Problem within_groups(const Machine& machine, const Group& groups, Problem problem)
{
    if (groups.topology() != machine.topology())
        throw InvalidArgument(fmt::format("the groups are of {}, and the machine is {}", groups.topology().name(),
                                          machine.topology().name()));
    problem.within = groups.within();
    return problem;
}

}  // namespace

Prepared::Prepared(const Machine& machine, const Group& groups, const Problem& problem, std::string_view algorithm)
    : Prepared(machine, within_groups(machine, groups, problem), algorithm)
{
}

const Problem& Prepared::problem() const
{
    return state_->problem;
}

std::string_view Prepared::algorithm() const
{
    return state_->algorithm;
}

Step Prepared::steps() const
{
    return state_->steps;
}

namespace {

std::string words_of(PortModel ports, const LinkModel& link)
{
    const std::string_view of_ports = ports == PortModel::all ? "all ports" : "one port";
    if (!link.bound())
        return fmt::format("{} and links of one step", of_ports);
    return fmt::format("{}{} and links of {} ns per byte and {} ns per packet, {}", of_ports,
                       link.duplex == Duplex::half ? ", half duplex," : "", to_string(link.tau), to_string(link.beta),
                       name(link.clock));
}

// Whether the smaller of the two arrays is a part of the larger one: all of it, or one of its messages.
bool lies_within(NodeData data)
{
    const bool larger = data.input.size() >= data.output.size();
    const std::byte* const part = larger ? data.output.data() : data.input.data();
    const std::span<const std::byte> whole = larger ? data.input : std::span<const std::byte>(data.output);
    const std::size_t bytes = std::min(data.input.size(), data.output.size());
    const std::less_equal<const std::byte*> not_after;
    return not_after(whole.data(), part) && not_after(part + bytes, whole.data() + whole.size());
}

void check(const Node& me, const Topology& topology, PortModel ports, const Problem& problem, const Layout& layout,
           NodeData data)
{
    if (me.topology() != topology)
        throw InvalidArgument(fmt::format("{} was prepared for {}, and this is {}", name(problem.collective),
                                          topology.name(), me.topology().name()));
    const bool same_links = me.link().bound() ? me.link() == problem.link : !problem.link.bound();
    if (me.port_model() != ports || !same_links)
        throw InvalidArgument(fmt::format("{} was prepared for a machine with {}, and this one has {}",
                                          name(problem.collective), words_of(ports, problem.link),
                                          words_of(me.port_model(), me.link())));
    const std::size_t input = layout.input(me.id()).bytes;
    const std::size_t output = layout.output(me.id()).bytes;
    if (data.input.size() != input || data.output.size() != output)
        throw InvalidArgument(fmt::format("{} is given an input of {} and an output of {} bytes, where this node has "
                                          "{} and {}",
                                          name(problem.collective), data.input.size(), data.output.size(), input,
                                          output));
    if (problem.in_place ? !lies_within(data) : overlap(data))
        throw InvalidArgument(fmt::format("{} is given an input and an output that {}", name(problem.collective),
                                          problem.in_place ? "are not one array: in place they must be"
                                                           : "overlap: they must lie apart"));
}

}  // namespace

// Nodes that have nothing more to do wait for the others, so that what comes next begins together too.
Task Prepared::operator()(Node& me, std::span<const std::byte> input, std::span<std::byte> output) const
{
    const State& state = *state_;
    check(me, state.topology, state.ports, state.problem, state.layout, {input, output});
    const Step end = me.step() + state.steps;
    if (state.steps != 0)
        me.begin_together(&state, name(state.problem.collective), state.meaning);
    Task program = state.program(me, {input, output});
    co_await program;
    if (me.step() > end)
        throw std::logic_error(
            fmt::format("the algorithm {} has taken more than its {} steps", state.algorithm, state.steps));
    co_await me.until(end);
}

}  // namespace dcube
