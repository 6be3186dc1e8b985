#include "emu/tracer.hpp"

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>

namespace dcube::detail {

Tracer::Tracer(const Topology& topology, NodeRange own, std::uint64_t directed_links, std::size_t channel_places,
               const RunOptions& options)
    : sink_(&options.trace), labels_(topology.nodes()), sent_(topology.nodes()), under_way_(directed_links)
{
    for (UnderWay& link : under_way_)
        link.ring.resize(channel_places + 1);  // a place may be filled again before the label of the last one is read
    if (!options.labels)
        return;
    for (NodeId node = own.first; node < own.last; ++node)
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

// The step's, sorted by node and port.
std::vector<Tracer::Sent> Tracer::take_sent()
{
    std::vector<Sent> all;
    for (std::vector<Sent>& sent : sent_) {
        std::sort(sent.begin(), sent.end(),
                  [](const Sent& a, const Sent& b) { return a.transmission.port < b.transmission.port; });
        std::move(sent.begin(), sent.end(), std::back_inserter(all));
        sent.clear();
    }
    return all;
}

void Tracer::hand_over(std::vector<Sent>& sent)
{
    for (Sent& one : sent) {
        if (!sums_are_known_)
            forget_sums(one.pieces);
        one.transmission.pieces = one.pieces;
        if (*sink_)
            (*sink_)(one.transmission);
    }
}

namespace {

void put_id(ValueWriter& told, const std::optional<NodeId>& id)
{
    told.put(id.has_value());
    told.put(id.value_or(0));
}

std::optional<NodeId> id_in(ValueReader& told)
{
    const bool there = told.get<bool>();
    const auto id = told.get<NodeId>();
    return there ? std::optional(id) : std::nullopt;
}

void put_pieces(ValueWriter& told, const Pieces& pieces)
{
    told.put(std::uint64_t{pieces.size()});
    for (const Piece& piece : pieces) {
        put_id(told, piece.origin);
        put_id(told, piece.target);
        told.put(piece.offset);
        told.put(piece.length);
        told.put(piece.sum_of != nullptr);
        if (!piece.sum_of)
            continue;
        told.put(std::uint64_t{piece.sum_of->ranges().size()});
        for (const Contributors::Range& range : piece.sum_of->ranges())
            told.put(range);
    }
}

std::shared_ptr<const Contributors> contributors_in(ValueReader& told)
{
    if (!told.get<bool>())
        return nullptr;
    std::vector<Contributors::Range> ranges(told.get<std::uint64_t>());
    for (Contributors::Range& range : ranges)
        range = told.get<Contributors::Range>();
    return std::make_shared<const Contributors>(std::move(ranges));
}

Pieces pieces_in(ValueReader& told)
{
    Pieces pieces(told.get<std::uint64_t>());
    for (Piece& piece : pieces) {
        piece.origin = id_in(told);
        piece.target = id_in(told);
        piece.offset = told.get<std::uint64_t>();
        piece.length = told.get<std::uint64_t>();
        piece.sum_of = contributors_in(told);
    }
    return pieces;
}

}  // namespace

void Tracer::tell_newest(std::uint64_t link, ValueWriter& told) const
{
    const UnderWay& under_way = under_way_[link];
    put_pieces(told, under_way.ring[(under_way.sent - 1) % under_way.ring.size()]);
}

void Tracer::note_arrival(std::uint64_t link, ValueReader& told)
{
    UnderWay& under_way = under_way_[link];
    under_way.ring[under_way.sent++ % under_way.ring.size()] = pieces_in(told);
}

// Rank 0 hands over all ranks' transmissions, rank after rank: the order of one process.
void Tracer::flush(World& world)
{
    const bool known =
        std::none_of(labels_.begin(), labels_.end(), [](const MemoryLabels& labels) { return labels.changed(); });
    std::vector<Sent> sent = take_sent();
    if (world.ranks() == 1) {
        sums_are_known_ = sums_are_known_ && known;
        return hand_over(sent);
    }
    ValueWriter told;
    told.put(known);
    for (const Sent& one : sent) {
        const Transmission& t = one.transmission;
        told.put(t.step);
        told.put(t.from);
        told.put(t.to);
        told.put(t.port);
        told.put(t.bytes);
        told.put(t.start);
        told.put(t.end);
        told.put_text(t.phase);
        told.put(t.lost);
        put_pieces(told, one.pieces);
    }
    const std::vector<std::vector<std::byte>> all = world.gather(told.bytes());
    std::vector<ValueReader> readers(all.begin(), all.end());
    for (ValueReader& reader : readers)
        sums_are_known_ = reader.get<bool>() && sums_are_known_;
    for (ValueReader& reader : readers)
        while (!reader.ended()) {
            std::vector<Sent> one(1);
            Transmission& t = one.front().transmission;
            t.step = reader.get<Step>();
            t.from = reader.get<NodeId>();
            t.to = reader.get<NodeId>();
            t.port = reader.get<Port>();
            t.bytes = reader.get<std::uint64_t>();
            t.start = reader.get<Time>();
            t.end = reader.get<Time>();
            const std::string phase = reader.get_text();
            t.phase = phase;
            t.lost = reader.get<bool>();
            one.front().pieces = pieces_in(reader);
            hand_over(one);
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
