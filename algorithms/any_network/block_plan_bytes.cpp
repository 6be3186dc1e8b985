#include "algorithms/any_network/block_plan_bytes.hpp"

#include "algorithms/programs/link_rules.hpp"
#include "base/bytes.hpp"
#include "base/planning.hpp"
#include "graphs/network_bytes.hpp"

#include <dcube/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <tuple>
#include <vector>

namespace dcube::detail {

namespace {

constexpr unsigned shares_in_a_word = 64;

// Whose shares of one block every node has, a bit each.
class SharesHeld {
public:
    explicit SharesHeld(const Arcs& arcs)
        : arcs_(arcs), words_((arcs.nodes() + shares_in_a_word - 1) / shares_in_a_word), all_(words_),
          held_(std::size_t{words_} * arcs.nodes())
    {
        for (const NodeId node : arcs.members())
            all_[node / shares_in_a_word] |= bit(node);
    }

    // Every node has its own.
    void begin()
    {
        std::ranges::fill(held_, 0);
        for (const NodeId node : arcs_.members())
            held(node)[node / shares_in_a_word] = bit(node);
    }

    // One step's moves: what is sent is what was there before.
    void move(std::span<const BlockMove> moves)
    {
        sent_.clear();
        for (const BlockMove& one : moves) {
            const std::span<const std::uint64_t> sum = held(arcs_.from(one.arc));
            sent_.insert(sent_.end(), sum.begin(), sum.end());
        }
        for (std::size_t i = 0; i < moves.size(); ++i)
            arrive(moves[i], std::span(sent_).subspan(i * words_, words_));
    }

    [[nodiscard]] bool has_all(NodeId node) { return std::ranges::equal(held(node), all_); }

private:
    static std::uint64_t bit(NodeId node) { return std::uint64_t{1} << node % shares_in_a_word; }
    std::span<std::uint64_t> held(NodeId node) { return std::span(held_).subspan(node * words_, words_); }

    void arrive(const BlockMove& move, std::span<const std::uint64_t> sum)
    {
        const bool whole = std::ranges::equal(sum, all_);
        const std::span<std::uint64_t> own = held(arcs_.to(move.arc));
        for (std::size_t word = 0; word < words_; ++word) {
            if (!whole && (own[word] & sum[word]) != 0)
                throw InvalidArgument(fmt::format("step {}, node {} to node {}, block {}: a share comes twice",
                                                  move.step, arcs_.from(move.arc), arcs_.to(move.arc), move.block));
            own[word] |= sum[word];
        }
    }

    const Arcs& arcs_;
    std::size_t words_;
    std::vector<std::uint64_t> all_;
    std::vector<std::uint64_t> held_;
    std::vector<std::uint64_t> sent_{};
};

void require_rules(const BlockPlan& plan, const Arcs& arcs, const BlockQuestion& question)
{
    LinkRules rules(question.topology, question.ports);
    for (const BlockMove& move : plan.moves)
        rules.add(move.step, arcs.from(move.arc), arcs.port(move.arc));
    if (rules.last_step() != plan.steps)
        throw InvalidArgument(fmt::format("the plan claims {} steps but takes {}", plan.steps, rules.last_step()));
    rules.require_kept();
}

void require_sums(std::vector<BlockMove> moves, const Arcs& arcs, const BlockQuestion& question)
{
    std::ranges::stable_sort(moves, {}, [](const BlockMove& move) { return std::tuple(move.block, move.step); });
    SharesHeld shares(arcs);
    auto next = moves.begin();
    for (std::uint32_t block = 0; block < question.blocks; ++block) {
        planning("checking what was kept", static_cast<double>(block) / static_cast<double>(question.blocks));
        shares.begin();
        while (next != moves.end() && next->block == block) {
            const auto first = next;
            while (next != moves.end() && next->block == block && next->step == first->step)
                ++next;
            shares.move({first, next});
        }
        for (const NodeId node : arcs.members())
            if (!shares.has_all(node))
                throw InvalidArgument(fmt::format("node {} lacks shares of block {} in the end", node, block));
    }
}

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

}  // namespace

std::string key_of(const BlockQuestion& question)
{
    ByteWriter key;
    write_network(key, question.topology);
    key.number(static_cast<std::uint64_t>(question.ports));
    key.number(question.blocks);
    return key.take();
}

std::string bytes_of_block_plan(const BlockPlan& plan)
{
    ByteWriter bytes;
    bytes.number(plan.steps);
    bytes.number(plan.moves.size());
    for (const auto& [step, arc, block] : plan.moves) {
        bytes.number(step);
        bytes.number(arc);
        bytes.number(block);
    }
    bytes.number(plan.phases.size());
    for (const AlgorithmPhase& phase : plan.phases) {
        bytes.number(phase.first);
        bytes.number(phase.last);
        bytes.text(phase.name);
        bytes.text(phase.sentence);
    }
    return bytes.take();
}

BlockPlan block_plan_in(std::string_view text, const BlockQuestion& question)
{
    constexpr std::size_t numbers_of_a_move = 3;
    const Arcs arcs(question.topology);
    ByteReader bytes(text);
    BlockPlan plan;
    plan.steps = bytes.number_to<Step>();
    plan.moves.resize(bytes.count(numbers_of_a_move));
    for (auto& [step, arc, block] : plan.moves) {
        step = bytes.number_to<Step>();
        arc = bytes.number_to<ArcId>(arcs.size() - 1);
        block = bytes.number_to<std::uint32_t>(question.blocks - 1);
    }
    plan.phases = phases_in(bytes, plan.steps);
    bytes.end();
    require_rules(plan, arcs, question);
    require_sums(plan.moves, arcs, question);
    return plan;
}

}  // namespace dcube::detail
