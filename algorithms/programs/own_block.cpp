#include "algorithms/programs/own_block.hpp"

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
    const std::size_t message = problem.bytes * problem.packets;
    const std::size_t own = me.id() * message;
    switch (problem.collective) {
    case Collective::broadcast:
    case Collective::reduce:
        if (me.id() == problem.root)
            copy(data.output, data.input, message, 0, 0);
        break;
    case Collective::scatter:
        if (me.id() == problem.root)
            copy(data.output, data.input, message, 0, own);
        break;
    case Collective::gather:
        if (me.id() == problem.root)
            copy(data.output, data.input, message, own, 0);
        break;
    case Collective::all_gather: copy(data.output, data.input, message, own, 0); break;
    case Collective::reduce_scatter: copy(data.output, data.input, message, 0, own); break;
    case Collective::all_to_all: copy(data.output, data.input, message, own, own); break;
    case Collective::all_reduce:
        if (me.topology().nodes() == 1)
            copy(data.output, data.input, message, 0, 0);
        break;
    case Collective::permute:
        if (problem.permutation[me.id()] == me.id())
            copy(data.output, data.input, message, 0, 0);
        break;
    default: break;  // ends of a send hold nothing already, and matrices are packed by their own program
    }
}

}  // namespace dcube::detail
