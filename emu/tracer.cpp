#include "emu/tracer.hpp"

#include <algorithm>

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
        for (const Label& label : options.labels(node))
            write(labels_[node], label.bytes.data(), {label.piece}, label.bytes.size());
}

std::size_t Tracer::bytes(const Topology& topology, std::uint64_t directed_links, std::size_t channel_places)
{
    return directed_links * (sizeof(UnderWay) + (channel_places + 1) * sizeof(Pieces)) +
           topology.nodes() * (sizeof(Labels) + sizeof(std::vector<Sent>));
}

void Tracer::sent(std::uint64_t link, Transmission transmission, Parts parts)
{
    for (const std::span<const std::byte> part : parts)
        transmission.bytes += part.size();
    Pieces pieces = read(labels_[transmission.from], parts);
    UnderWay& under_way = under_way_[link];
    under_way.ring[under_way.sent++ % under_way.ring.size()] = pieces;
    sent_[transmission.from].push_back({transmission, std::move(pieces)});
}

void Tracer::received(NodeId node, std::uint64_t link, Parts into)
{
    UnderWay& under_way = under_way_[link];
    const Pieces& pieces = under_way.ring[under_way.received++ % under_way.ring.size()];
    std::size_t at = 0;
    for (const std::span<const std::byte> part : into) {
        write(labels_[node], part.data(), take(pieces, at, part.size()), part.size());
        at += part.size();
    }
}

void Tracer::copied(NodeId node, std::span<const std::byte> into, std::span<const std::byte> from)
{
    write(labels_[node], into.data(), read(labels_[node], {&from, 1}), into.size());
}

void Tracer::flush()
{
    for (std::vector<Sent>& sent : sent_) {
        std::sort(sent.begin(), sent.end(),
                  [](const Sent& a, const Sent& b) { return a.transmission.port < b.transmission.port; });
        for (Sent& one : sent) {
            one.transmission.pieces = one.pieces;
            (*sink_)(one.transmission);
        }
        sent.clear();
    }
}

// Labels `bytes` bytes from `begin` anew. Pieces that do not cover them leave the rest without a label.
void Tracer::write(Labels& labels, const std::byte* begin, const Pieces& pieces, std::size_t bytes)
{
    erase(labels, begin, bytes);
    for (const Piece& piece : pieces) {
        labels.insert_or_assign(begin, Labelled{piece.length, piece});
        begin += piece.length;
    }
}

void Tracer::erase(Labels& labels, const std::byte* begin, std::size_t bytes)
{
    const std::byte* const end = begin + bytes;
    auto at = labels.upper_bound(begin);
    if (at != labels.begin())
        --at;
    while (at != labels.end() && at->first < end) {
        const auto [start, old] = *at;
        if (start + old.bytes <= begin) {
            ++at;
            continue;
        }
        at = labels.erase(at);
        if (start < begin)  // what stands before the erased stretch stays
            labels[start] = {
                static_cast<std::size_t>(begin - start),
                {old.piece.origin, old.piece.target, old.piece.offset, static_cast<std::size_t>(begin - start)}};
        if (start + old.bytes > end) {  // and what stands behind it
            const auto cut = static_cast<std::size_t>(end - start);
            labels[end] = {old.bytes - cut,
                           {old.piece.origin, old.piece.target, old.piece.offset + cut, old.bytes - cut}};
        }
    }
}

// Bytes offset .. offset + bytes of what the pieces make up.
Tracer::Pieces Tracer::take(const Pieces& pieces, std::size_t offset, std::size_t bytes)
{
    Pieces taken;
    std::size_t at = 0;
    for (const Piece& piece : pieces) {
        const std::size_t first = std::max<std::size_t>(at, offset);
        const std::size_t end = std::min<std::size_t>(at + piece.length, offset + bytes);
        if (first < end)
            taken.push_back({piece.origin, piece.target, piece.offset + (first - at), end - first});
        at += piece.length;
    }
    return taken;
}

// The labels of a packet's bytes; neighbours that continue one another are one piece. Empty unless all are labelled.
Tracer::Pieces Tracer::read(const Labels& labels, Parts parts)
{
    Pieces pieces;
    for (const std::span<const std::byte> part : parts)
        if (!read(labels, part, pieces))
            return {};
    return pieces;
}

bool Tracer::read(const Labels& labels, std::span<const std::byte> bytes, Pieces& pieces)
{
    const std::byte* at = bytes.data();
    const std::byte* const end = at + bytes.size();
    while (at != end) {
        auto found = labels.upper_bound(at);
        if (found == labels.begin())
            return false;
        --found;
        const auto& [start, label] = *found;
        if (start + label.bytes <= at)
            return false;
        const auto skipped = static_cast<std::size_t>(at - start);
        const std::size_t length = std::min(label.bytes - skipped, static_cast<std::size_t>(end - at));
        const Piece piece{label.piece.origin, label.piece.target, label.piece.offset + skipped, length};
        if (!pieces.empty() && pieces.back().origin == piece.origin && pieces.back().target == piece.target &&
            pieces.back().offset + pieces.back().length == piece.offset)
            pieces.back().length += length;
        else
            pieces.push_back(piece);
        at += length;
    }
    return true;
}

}  // namespace dcube::detail
