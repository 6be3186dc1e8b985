#include "export/msccl_chunks.hpp"

#include <dcube/error.hpp>

#include <fmt/format.h>

#include <numeric>

namespace dcube {

namespace {

// Empty for those that MSCCL does not know.
std::string_view msccl_name(Collective collective)
{
    switch (collective) {
    case Collective::broadcast: return "broadcast";
    case Collective::reduce: return "reduce";
    case Collective::all_gather: return "allgather";
    case Collective::reduce_scatter: return "reducescatter";
    case Collective::all_reduce: return "allreduce";
    case Collective::all_to_all: return "alltoall";
    case Collective::scatter:
    case Collective::gather:
    case Collective::send:
    case Collective::exchange:
    case Collective::permute:
    case Collective::matrix_transpose:
    case Collective::matrix_quarter_turn:
    case Collective::matrix_half_turn:
    case Collective::matrix_relayout: return "";
    }
    return "";
}

std::uint64_t messages(Share share, NodeId nodes)
{
    return share == Share::message_per_node ? nodes : 1;
}

}  // namespace

MscclChunks::MscclChunks(const Recording& recording)
    : collective_(recording.problem.collective), root_(recording.problem.root), name_(msccl_name(collective_)),
      input_messages_(messages(traits(collective_).before.share, recording.topology.nodes())),
      output_messages_(messages(traits(collective_).after.share, recording.topology.nodes()))
{
    if (name_.empty())
        throw InvalidArgument(fmt::format("MSCCL does not know {}: broadcast, reduce, all-gather, reduce-scatter, "
                                          "all-reduce and all-to-all are possible",
                                          name(collective_)));
    const std::uint64_t message = std::uint64_t{recording.problem.bytes} * recording.problem.packets;
    bytes_ = message;
    for (const Piece& piece : recording.pieces)
        bytes_ = std::gcd(std::gcd(bytes_, piece.offset), piece.length);
    of_message_ = message / bytes_;
}

ChunkPlace MscclChunks::input(const Piece& piece, std::uint64_t chunk) const
{
    const std::uint64_t message = input_messages_ == 1 ? 0 : piece.target.value_or(0);
    return {'i', message * of_message_ + chunk};
}

ChunkPlace MscclChunks::output(const Piece& piece, std::uint64_t chunk) const
{
    const std::uint64_t message = output_messages_ == 1 ? 0 : piece.origin.value_or(0);
    return {'o', message * of_message_ + chunk};
}

bool MscclChunks::wanted_by(NodeId node, const Piece& piece) const
{
    if (collective_ == Collective::reduce)
        return node == root_;
    return !piece.target || *piece.target == node;
}

}  // namespace dcube
