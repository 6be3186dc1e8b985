#include "algorithms/programs/own_block.hpp"

#include "algorithms/programs/cut.hpp"

#include <cstring>
#include <span>

namespace dcube::detail {

namespace {

void copy(std::span<std::byte> into, std::span<const std::byte> from, std::size_t bytes, std::size_t into_at,
          std::size_t from_at)
{
    if (into_at < into.size() && from_at < from.size())
        std::memcpy(into.data() + into_at, from.data() + from_at, bytes);
}

}  // namespace

void copy_own_block(const Node& me, const Problem& problem, NodeData data)
{
    const std::size_t message = message_bytes(problem);
    const std::size_t own = me.id() * message;
    const CollectiveTraits& of = traits(problem.collective);
    if (is_matrix(problem.collective) || has_peer(problem.collective))
        return;  // matrices are packed by their own program, and the ends of a send hold nothing already
    if (has_permutation(problem.collective) && problem.permutation[me.id()] != me.id())
        return;
    if (problem.collective == Collective::all_reduce && me.topology().nodes() > 1)
        return;  // sums begin where blocks are added
    copy(data.output, data.input, message, of.after.share == Share::message_per_node ? own : 0,
         of.before.share == Share::message_per_node ? own : 0);
}

void copy_own_block(const Node& me, const Problem& problem, const Layout& layout, NodeData data)
{
    if (problem.counts.empty())
        return copy_own_block(me, problem, data);
    const Layout::Part from = layout.from_input(me.id(), me.id());
    copy(data.output, data.input, from.bytes, layout.into_output(me.id(), me.id()).offset, from.offset);
}

}  // namespace dcube::detail
