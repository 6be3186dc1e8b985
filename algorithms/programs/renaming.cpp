#include "algorithms/programs/renaming.hpp"

#include "algorithms/networks.hpp"
#include "emu/renamed_node.hpp"

#include <dcube/layout.hpp>

#include <fmt/format.h>

#include <memory>
#include <string>
#include <utility>

namespace dcube::detail {

namespace {

// The facts by which a network is one of the algorithm's, or is known as one.
struct Suits {
    Networks networks;
    bool own;

    [[nodiscard]] const Recognition* known(const Topology& topology, const Problem& problem) const
    {
        if (own && is_one_of(networks, topology))
            return nullptr;
        const Recognition* const found = known_for(topology, problem);
        return found && is_one_of(networks, found->network) ? found : nullptr;
    }
};

// ---- The program ----

// Whether input and output have a block for every node, which lies elsewhere under other names.
struct Moved {
    bool input;
    bool output;
};

Moved moved_by(const Recognition& known, Collective collective)
{
    if (!known.renames())
        return {};
    const CollectiveTraits& of = traits(collective);
    return {of.before.share == Share::message_per_node, of.after.share == Share::message_per_node};
}

struct RenamedProgram {
    Topology topology;  // the network that is recognised
    const Recognition* known;
    Moved moved;
    CollectiveProgram program;
    Layout here;
    Layout there;
};

// A node's blocks, which lie in the known network's order there.
template <class Copy>
void for_each_block(const RenamedProgram& renamed, const Copy& copy)
{
    for (NodeId block = 0; block < renamed.topology.nodes(); ++block)
        copy(block, renamed.known->there[block]);
}

Task run_renamed(Node& me, const RenamedProgram& renamed, NodeData data)
{
    RenamedNode node(me, *renamed.known);
    NodeData there = data;
    if (renamed.moved.input && !data.input.empty()) {
        const std::span<std::byte> input = me.allocate(data.input.size());
        for_each_block(renamed, [&](NodeId block, NodeId block_there) {
            const Layout::Part to = renamed.there.from_input(node.id(), block_there);
            me.copy(input.subspan(to.offset, to.bytes),
                    data.input.subspan(renamed.here.from_input(me.id(), block).offset, to.bytes));
        });
        there.input = input;
    }
    const bool moves_output = renamed.moved.output && !data.output.empty();
    if (moves_output)
        there.output = me.allocate(data.output.size());
    Task running = renamed.program(node, there);
    co_await running;
    if (moves_output)
        for_each_block(renamed, [&](NodeId block, NodeId block_there) {
            const Layout::Part to = renamed.here.into_output(me.id(), block);
            me.copy(data.output.subspan(to.offset, to.bytes),
                    there.output.subspan(renamed.there.into_output(node.id(), block_there).offset, to.bytes));
        });
}

// Blocks that lie elsewhere are moved before and after, so that in place the program itself has two arrays.
CollectiveProgram renamed_program(const Prepare& prepare, const Topology& topology, const Problem& problem,
                                  const Recognition& known)
{
    const Moved moved = moved_by(known, problem.collective);
    const bool apart = moved.input || moved.output;
    const Problem here = apart ? out_of_place(problem) : problem;
    const Problem there = renamed(here, known);
    const auto shared = std::make_shared<const RenamedProgram>(RenamedProgram{
        topology, &known, moved, prepare(known.network, there), Layout(here, topology), Layout(there, known.network)});
    return [shared](Node& me, NodeData data) { return run_renamed(me, *shared, data); };
}

// Renaming algorithms are recognised by this type.
struct RenamingPrepare {
    Suits suits;
    Prepare prepare;

    CollectiveProgram operator()(const Topology& topology, const Problem& problem) const
    {
        const Recognition* const known = suits.known(topology, problem);
        return known ? renamed_program(prepare, topology, problem, *known) : prepare(topology, problem);
    }
};

// ---- The questions ----

template <class Answer>
using Ask = std::function<Answer(const Topology&, const Problem&)>;

template <class Answer>
void rename(Ask<Answer>& ask, const Suits& suits)
{
    if (ask)
        ask = [ask = std::move(ask), suits](const Topology& topology, const Problem& problem) {
            const Recognition* const known = suits.known(topology, problem);
            return known ? ask(known->network, renamed(problem, *known)) : ask(topology, problem);
        };
}

Ask<std::string> renamed_obstacle(Ask<std::string> obstacle, const Suits& suits)
{
    return [obstacle = std::move(obstacle), suits](const Topology& topology, const Problem& problem) {
        if (const Recognition* const known = suits.known(topology, problem))
            return obstacle(known->network, renamed(problem, *known));
        if (is_one_of(suits.networks, topology) || !topology.recognised())
            return obstacle(topology, problem);
        return fmt::format("it is for {}, and here the nodes have other numbers than in {}: {}", name(suits.networks),
                           topology.recognised()->network.name(),
                           is_matrix(problem.collective) ? "a matrix is dealt out by them"
                           : is_scan(problem.collective) ? "sums follow their order"
                                                         : "the operation does not commute");
    };
}

// The storage with the moved blocks.
Ask<std::uint64_t> renamed_storage(Ask<std::uint64_t> storage, const Suits& suits)
{
    return [storage = std::move(storage), suits](const Topology& topology, const Problem& problem) {
        const Recognition* const known = suits.known(topology, problem);
        if (!known)
            return storage(topology, problem);
        const Moved moved = moved_by(*known, problem.collective);
        const Layout layout(moved.input || moved.output ? out_of_place(problem) : problem, topology);
        return storage(known->network, renamed(problem, *known)) + (moved.input ? layout.input_bytes : 0) +
               (moved.output ? layout.output_bytes : 0);
    };
}

void rename(Algorithm& algorithm, const Suits& of)
{
    algorithm.obstacle = renamed_obstacle(std::move(algorithm.obstacle), of);
    if (algorithm.storage)
        algorithm.storage = renamed_storage(std::move(algorithm.storage), of);
    rename(algorithm.cost, of);
    algorithm.prepare = RenamingPrepare{of, std::move(algorithm.prepare)};
}

}  // namespace

const Recognition* known_to(const Algorithm& algorithm, const Topology& topology, const Problem& problem)
{
    const auto* const made = algorithm.prepare.target<RenamingPrepare>();
    return made ? made->suits.known(topology, problem) : nullptr;
}

Entry renaming(Entry entry)
{
    const Suits of{entry.networks, entry.origin == Origin::own};
    rename(entry, of);
    rename(entry.time, of);
    rename(entry.run_time, of);
    rename(entry.time_limit, of);
    rename(entry.time_floor, of);
    rename(entry.case_formula, of);
    rename(entry.planning_work, of);
    rename(entry.in_transit, of);
    rename(entry.phases, of);
    return entry;
}

Algorithm renaming(Algorithm own)
{
    rename(own, {own.networks, true});
    return own;
}

bool is_renaming(const Algorithm& algorithm)
{
    return algorithm.prepare.target<RenamingPrepare>() != nullptr;
}

const Prepare& prepare_of(const Algorithm& algorithm)
{
    const auto* const made = algorithm.prepare.target<RenamingPrepare>();
    return made ? made->prepare : algorithm.prepare;
}

}  // namespace dcube::detail
