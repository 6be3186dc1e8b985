#include "algorithms/beyond/any_network/block_plan.hpp"

#include "algorithms/programs/cut.hpp"
#include "algorithms/programs/cut_messages.hpp"
#include "algorithms/programs/entry.hpp"
#include "algorithms/programs/kept_schedule.hpp"
#include "algorithms/programs/members.hpp"
#include "algorithms/programs/plan.hpp"
#include "base/bytes.hpp"
#include "base/memo.hpp"
#include "base/plan_files.hpp"
#include "base/sizes.hpp"
#include "collectives/graphs/network_bytes.hpp"

#include <dcube/bounds.hpp>
#include <dcube/error.hpp>
#include <dcube/layout.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <tuple>
#include <utility>

namespace dcube::detail {

std::string key_of(const BlockQuestion& question)
{
    ByteWriter key;
    write_network(key, question.topology);
    key.number(static_cast<std::uint64_t>(question.ports));
    key.number(question.blocks);
    return key.take();
}

namespace {

// ---- Plans of blocks in the files of a plan cache ----

bool can_be_read(std::string_view text)
{
    return std::ranges::all_of(text, [](char c) { return c >= ' ' && c <= '~'; });
}

Phases phases_in(ByteReader& bytes, Step steps)
{
    constexpr std::size_t parts_of_a_phase = 4;
    Phases phases(bytes.count(parts_of_a_phase));
    for (AlgorithmPhase& phase : phases) {
        phase.first = bytes.number_to<Step>(steps);
        phase.last = bytes.number_to<Step>(steps);
        phase.name = bytes.text();
        phase.sentence = bytes.text();
        if (phase.first == 0 || phase.last < phase.first || !can_be_read(phase.name) || !can_be_read(phase.sentence))
            throw InvalidArgument("a phase is none");
    }
    return phases;
}

std::string bytes_of_block_plan(const BlockPlan& plan)
{
    ByteWriter bytes;
    write_moves(bytes, plan);
    bytes.number(plan.phases.size());
    for (const AlgorithmPhase& phase : plan.phases) {
        bytes.number(phase.first);
        bytes.number(phase.last);
        bytes.text(phase.name);
        bytes.text(phase.sentence);
    }
    return bytes.take();
}

// Throws InvalidArgument if the bytes are no plan. Like schedules (programs/kept_schedule.hpp), plans are trusted for
// their checksum and key.
BlockPlan block_plan_in(std::string_view text, const BlockQuestion& question)
{
    const Arcs arcs(question.topology);
    ByteReader bytes(text);
    BlockPlan plan{read_moves(bytes, arcs.size(), question.blocks), {}};
    plan.phases = phases_in(bytes, plan.steps);
    bytes.end();
    return plan;
}

// A program for more would take gigabytes, and planning for more would take minutes.
constexpr std::uint64_t most_block_moves = std::uint64_t{1} << 23;
constexpr double most_planning_work = 1e11;

// Measured on PieceSchedule: what it takes of a piece, and its actions at both ends while they are made.
constexpr std::size_t bytes_of_a_move = 500;

std::string block_plan_obstacle(const Topology& topology, const Problem& problem, std::uint64_t work)
{
    if (const std::uint64_t moves = moves_of_blocks(topology, problem.packets); moves > most_block_moves)
        return fmt::format("it would have to plan {} moves of blocks: at most {} are allowed", moves, most_block_moves);
    return too_much_planning(work, most_planning_work);
}

}  // namespace

PieceSchedule pieces_of(const BlockPlan& plan, const Topology& topology, std::size_t bytes, std::size_t vector)
{
    const Arcs arcs(topology.of_members());
    std::vector<TimedMove> moves = plan.moves;
    std::ranges::sort(moves, {}, [](const TimedMove& move) { return std::tuple(move.step, move.arc); });
    PieceSchedule schedule;
    for (const auto& [step, arc, block] : moves) {
        const std::size_t offset = std::size_t{block} * bytes;
        const Piece piece{{}, {}, offset, std::min(bytes, vector - offset), {}};
        schedule.add(step, topology.member(arcs.from(arc)), arcs.port(arc), std::span(&piece, 1));
    }
    return schedule;
}

std::uint64_t moves_of_blocks(const Topology& topology, std::uint64_t blocks)
{
    return 2 * blocks * (topology.nodes() - std::uint64_t{1});
}

std::uint64_t all_reduce_bound(const BlockQuestion& question)
{
    return steps_bound(question.topology, question.ports,
                       {.collective = Collective::all_reduce, .bytes = 1, .packets = as_size(question.blocks)})
        .value;
}

Entry block_plan_entry(Entry head, MakeBlockPlan make)
{
    const auto known = std::make_shared<Memo<BlockQuestion, BlockPlan>>(4);
    const auto plan = [known, make = std::move(make), ports = head.ports, kind = head.name,
                       work = head.planning_work](const Topology& topology, const Problem& problem) {
        const Topology& members = topology.of_members();
        const BlockQuestion question{members, ports, problem.packets};
        return known->get(question, [&] {
            return kept_in_file(
                kind, work(members, problem), [&] { return key_of(question); }, [&] { return make(question); },
                bytes_of_block_plan, [&](std::string_view bytes) { return block_plan_in(bytes, question); });
        });
    };
    head.obstacle = [own = head.obstacle, work = head.planning_work](const Topology& topology, const Problem& problem) {
        std::string obstacle = own(topology, problem);
        return obstacle.empty() ? block_plan_obstacle(topology, problem, work(topology, problem)) : obstacle;
    };
    head.cost = [plan](const Topology& topology, const Problem& problem) {
        const auto made = plan(topology, problem);
        return Cost{made->steps, made->moves.size()};
    };
    // Every sum that is added to takes a place of its own for a while.
    head.storage = [](const Topology& topology, const Problem& problem) {
        const std::uint64_t moves = moves_of_blocks(topology, problem.packets);
        return moves / 2 * problem.bytes + moves * bytes_of_a_move;
    };
    head.phases = [plan](const Topology& topology, const Problem& problem) { return plan(topology, problem)->phases; };
    const MakePieces pieces = [plan](const Topology& topology, const Problem& problem, const Problem& whole) {
        return pieces_of(*plan(topology, problem), topology, problem.bytes, message_bytes(whole));
    };
    head.prepare = [pieces](const Topology& topology, const Problem& problem) {
        return program_of(pieces(topology, problem, problem), topology, problem);
    };
    head = restricted_to_members(std::move(head));
    head.run_time = kept([pieces](const Topology& topology, const Problem& problem) -> std::optional<Rational> {
        if (moves_of_blocks(topology, problem.packets) > most_walked)
            return std::nullopt;
        return walked_time(pieces(topology, problem, problem), topology, problem);
    });
    return cutting(std::move(head), pieces);
}

}  // namespace dcube::detail
