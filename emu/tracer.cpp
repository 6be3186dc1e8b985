#include "emu/tracer.hpp"

#include <algorithm>
#include <utility>

namespace dcube::detail {

Tracer::Tracer(const Topology& topology, std::uint64_t directed_links, std::size_t channel_places,
               const RunOptions& options)
    : sink_(&options.trace), labels_(topology.nodes()), sent_(topology.nodes()), under_way_(directed_links)
{
    for (UnderWay& link : under_way_)
        link.ring.resize(channel_places + 1);  // a place may be filled again before the label of the last one is read
    if (!options.labels)
        return;
    for (NodeId node = 0; node < topology.nodes(); ++node)
        for (const Label& label : options.labels(node)) {
            labels_[node].write(label.bytes.data(), {label.piece}, label.bytes.size());
            labels_[node].keep(label.bytes);
        }
}

std::size_t Tracer::bytes(const Topology& topology, std::uint64_t directed_links, std::size_t channel_places)
{
    return directed_links * (sizeof(UnderWay) + (channel_places + 1) * sizeof(Pieces)) +
           topology.nodes() * (sizeof(MemoryLabels) + sizeof(std::vector<Sent>));
}

void Tracer::sent(std::uint64_t link, Transmission transmission, Parts parts)
{
    for (const std::span<const std::byte> part : parts)
        transmission.bytes += part.size();
    Pieces pieces = labels_[transmission.from].read(parts);
    if (!transmission.lost) {
        UnderWay& under_way = under_way_[link];
        under_way.ring[under_way.sent++ % under_way.ring.size()] = pieces;
    }
    sent_[transmission.from].push_back({transmission, std::move(pieces)});
}

const Pieces& Tracer::arrived(std::uint64_t link)
{
    UnderWay& under_way = under_way_[link];
    return under_way.ring[under_way.received++ % under_way.ring.size()];
}

void Tracer::received(NodeId node, std::uint64_t link, Parts into)
{
    const Pieces& pieces = arrived(link);
    std::size_t at = 0;
    for (const std::span<const std::byte> part : into) {
        labels_[node].write(part.data(), take(pieces, at, part.size()), part.size());
        at += part.size();
    }
}

void Tracer::copied(NodeId node, std::span<const std::byte> into, std::span<const std::byte> from)
{
    labels_[node].write(into.data(), labels_[node].read({&from, 1}), into.size());
}

void Tracer::received_sum(NodeId node, std::uint64_t link, std::span<const std::byte> into,
                          std::span<const std::byte> base)
{
    labels_[node].write(into.data(), detail::combined(labels_[node].read({&base, 1}), arrived(link)), into.size());
}

void Tracer::combined(NodeId node, std::span<const std::byte> into, std::span<const std::byte> base,
                      std::span<const std::byte> from)
{
    MemoryLabels& labels = labels_[node];
    labels.write(into.data(), detail::combined(labels.read({&base, 1}), labels.read({&from, 1})), into.size());
}

void Tracer::flush()
{
    sums_are_known_ = sums_are_known_ && std::none_of(labels_.begin(), labels_.end(),
                                                      [](const MemoryLabels& labels) { return labels.changed(); });
    for (std::vector<Sent>& sent : sent_) {
        std::sort(sent.begin(), sent.end(),
                  [](const Sent& a, const Sent& b) { return a.transmission.port < b.transmission.port; });
        for (Sent& one : sent) {
            if (!sums_are_known_)
                forget_sums(one.pieces);
            one.transmission.pieces = one.pieces;
            (*sink_)(one.transmission);
        }
        sent.clear();
    }
}

void Tracer::forget_sums(Pieces& pieces)
{
    Pieces untold;
    for (Piece& piece : pieces) {
        piece.sum_of = nullptr;
        append(untold, std::move(piece));
    }
    pieces = std::move(untold);
}

}  // namespace dcube::detail
