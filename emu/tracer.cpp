#include "emu/tracer.hpp"

#include "base/sizes.hpp"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <string>
#include <utility>

namespace dcube::detail {

namespace {

bool continues(const Piece& piece, const Piece& before)
{
    return before.origin == piece.origin && before.target == piece.target &&
           before.offset + before.length == piece.offset && same_sum(before, piece);
}

// The contributors of base + from, two pieces that begin with the same byte of a message.
std::shared_ptr<const Contributors> union_of(const Piece& base, const Piece& from)
{
    const bool one_sum = !base.origin && !from.origin && base.target == from.target && base.offset == from.offset;
    if (!one_sum || !base.sum_of || !from.sum_of || !base.sum_of->disjoint(*from.sum_of))
        return nullptr;
    auto both = std::make_shared<Contributors>(*base.sum_of);
    both->unite(*from.sum_of);
    return both;
}

Piece part(const Piece& piece, std::uint64_t skipped, std::uint64_t length)
{
    return {piece.origin, piece.target, piece.offset + skipped, length, piece.sum_of};
}

// Bytes offset .. offset + bytes of what the pieces make up.
Pieces cut_out(const Pieces& pieces, std::size_t offset, std::size_t bytes)
{
    Pieces taken;
    std::size_t at = 0;
    for (const Piece& piece : pieces) {
        const std::size_t first = std::max<std::size_t>(at, offset);
        const std::size_t end = std::min<std::size_t>(as_size(at + piece.length), offset + bytes);
        if (first < end)
            taken.push_back(part(piece, first - at, end - first));
        at += piece.length;
    }
    return taken;
}

// Neighbours that continue one another become one piece.
void append_piece(Pieces& pieces, Piece piece)
{
    if (!pieces.empty() && continues(piece, pieces.back()))
        pieces.back().length += piece.length;
    else
        pieces.push_back(std::move(piece));
}

// The pieces of the sum when the second of two equally long packets is combined with the first: the second's pieces,
// cut where contributors change. They are known if the contributors of both are known, and no node is in both.
Pieces combined_pieces(const Pieces& base, const Pieces& from)
{
    Pieces sums;
    auto at = base.begin();
    std::uint64_t skipped = 0;  // bytes of the piece at `at`
    for (const Piece& piece : from)
        for (std::uint64_t done = 0; done < piece.length;) {
            const bool alone = at == base.end();
            const std::uint64_t length = std::min(piece.length - done, alone ? piece.length : at->length - skipped);
            Piece sum = part(piece, done, length);
            sum.sum_of = alone ? nullptr : union_of(part(*at, skipped, length), sum);
            append_piece(sums, std::move(sum));
            done += length;
            skipped += length;
            if (!alone && skipped == at->length) {
                ++at;
                skipped = 0;
            }
        }
    return sums;
}

}  // namespace

Tracer::Tracer(const Topology& topology, NodeRange own, std::uint64_t directed_links, std::size_t channel_places,
               const RunOptions& options)
    : sink_(&options.trace), labels_(topology.nodes()), sent_(topology.nodes()), under_way_(allocatable(directed_links))
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

std::uint64_t Tracer::bytes(const Topology& topology, std::uint64_t directed_links, std::size_t channel_places)
{
    return directed_links * (sizeof(UnderWay) + (channel_places + 1) * sizeof(Pieces)) +
           std::uint64_t{topology.nodes()} * (sizeof(MemoryLabels) + sizeof(std::vector<Sent>));
}

void Tracer::sent(std::uint64_t link, Transmission transmission, Parts parts)
{
    for (const std::span<const std::byte> part : parts)
        transmission.bytes += part.size();
    Pieces pieces = labels_[transmission.from].read(parts);
    if (!transmission.lost) {
        UnderWay& under_way = under_way_[as_size(link)];
        under_way.ring[under_way.sent++ % under_way.ring.size()] = pieces;
    }
    sent_[transmission.from].push_back({transmission, std::move(pieces)});
}

const Pieces& Tracer::arrived(std::uint64_t link)
{
    UnderWay& under_way = under_way_[as_size(link)];
    return under_way.ring[under_way.received++ % under_way.ring.size()];
}

void Tracer::received(NodeId node, std::uint64_t link, Parts into)
{
    const Pieces& pieces = arrived(link);
    std::size_t at = 0;
    for (const std::span<const std::byte> part : into) {
        labels_[node].write(part.data(), cut_out(pieces, at, part.size()), part.size());
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
    labels_[node].write(into.data(), combined_pieces(labels_[node].read({&base, 1}), arrived(link)), into.size());
}

void Tracer::combined(NodeId node, std::span<const std::byte> into, std::span<const std::byte> base,
                      std::span<const std::byte> from)
{
    MemoryLabels& labels = labels_[node];
    labels.write(into.data(), combined_pieces(labels.read({&base, 1}), labels.read({&from, 1})), into.size());
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

void put_id(ValueWriter& message, const std::optional<NodeId>& id)
{
    message.put(id.has_value());
    message.put(id.value_or(0));
}

std::optional<NodeId> id_in(ValueReader& message)
{
    const bool there = message.get<bool>();
    const auto id = message.get<NodeId>();
    return there ? std::optional(id) : std::nullopt;
}

void put_pieces(ValueWriter& message, const Pieces& pieces)
{
    message.put(std::uint64_t{pieces.size()});
    for (const Piece& piece : pieces) {
        put_id(message, piece.origin);
        put_id(message, piece.target);
        message.put(piece.offset);
        message.put(piece.length);
        message.put(piece.sum_of != nullptr);
        if (!piece.sum_of)
            continue;
        message.put(std::uint64_t{piece.sum_of->ranges().size()});
        for (const Contributors::Range& range : piece.sum_of->ranges())
            message.put(range);
    }
}

std::shared_ptr<const Contributors> contributors_in(ValueReader& message)
{
    if (!message.get<bool>())
        return nullptr;
    std::vector<Contributors::Range> ranges(as_size(message.get<std::uint64_t>()));
    for (Contributors::Range& range : ranges)
        range = message.get<Contributors::Range>();
    return std::make_shared<const Contributors>(std::move(ranges));
}

Pieces pieces_in(ValueReader& message)
{
    Pieces pieces(as_size(message.get<std::uint64_t>()));
    for (Piece& piece : pieces) {
        piece.origin = id_in(message);
        piece.target = id_in(message);
        piece.offset = message.get<std::uint64_t>();
        piece.length = message.get<std::uint64_t>();
        piece.sum_of = contributors_in(message);
    }
    return pieces;
}

}  // namespace

void Tracer::write_newest(std::uint64_t link, ValueWriter& message) const
{
    const UnderWay& under_way = under_way_[as_size(link)];
    put_pieces(message, under_way.ring[(under_way.sent - 1) % under_way.ring.size()]);
}

void Tracer::note_arrival(std::uint64_t link, ValueReader& message)
{
    UnderWay& under_way = under_way_[as_size(link)];
    under_way.ring[under_way.sent++ % under_way.ring.size()] = pieces_in(message);
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
    ValueWriter message;
    message.put(known);
    for (const Sent& one : sent) {
        const Transmission& t = one.transmission;
        message.put(t.step);
        message.put(t.from);
        message.put(t.to);
        message.put(t.port);
        message.put(t.bytes);
        message.put(t.start);
        message.put(t.end);
        message.put_text(t.phase);
        message.put(t.lost);
        put_pieces(message, one.pieces);
    }
    const std::vector<std::vector<std::byte>> all = world.gather(message.bytes());
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
        append_piece(untold, std::move(piece));
    }
    pieces = std::move(untold);
}

void MemoryLabels::write(const std::byte* begin, const Pieces& pieces, std::size_t bytes)
{
    erase(begin, bytes);
    for (const Piece& piece : pieces) {
        labels_.insert_or_assign(begin, Labelled{as_size(piece.length), piece, nullptr});
        begin += piece.length;
    }
}

void MemoryLabels::keep(std::span<const std::byte> bytes)
{
    const std::byte* const end = bytes.data() + bytes.size();
    std::shared_ptr<std::byte[]> copy;
    for (auto at = labels_.lower_bound(bytes.data()); at != labels_.end() && at->first < end; ++at) {
        if (!at->second.piece.sum_of)
            continue;
        if (!copy) {
            copy = std::make_shared_for_overwrite<std::byte[]>(bytes.size());
            std::memcpy(copy.get(), bytes.data(), bytes.size());
        }
        at->second.kept = {copy, copy.get() + (at->first - bytes.data())};
    }
}

void MemoryLabels::erase(const std::byte* begin, std::size_t bytes)
{
    const std::byte* const end = begin + bytes;
    auto at = labels_.upper_bound(begin);
    if (at != labels_.begin())
        --at;
    while (at != labels_.end() && at->first < end) {
        const auto [start, old] = *at;
        if (start + old.bytes <= begin) {
            ++at;
            continue;
        }
        at = labels_.erase(at);
        if (start < begin)  // the part before the erased stretch stays
            labels_[start] = part(old, 0, static_cast<std::size_t>(begin - start));
        if (start + old.bytes > end) {  // and what stands behind it
            const auto cut = static_cast<std::size_t>(end - start);
            labels_[end] = part(old, cut, old.bytes - cut);
        }
    }
}

Pieces MemoryLabels::read(Parts parts)
{
    Pieces pieces;
    for (const std::span<const std::byte> part : parts)
        if (!read(part, pieces))
            return {};
    return pieces;
}

bool MemoryLabels::read(std::span<const std::byte> bytes, Pieces& pieces)
{
    const std::byte* at = bytes.data();
    const std::byte* const end = at + bytes.size();
    while (at != end) {
        auto found = labels_.upper_bound(at);
        if (found == labels_.begin())
            return false;
        --found;
        const auto& [start, label] = *found;
        if (start + label.bytes <= at)
            return false;
        const auto skipped = static_cast<std::size_t>(at - start);
        const std::size_t length = std::min(label.bytes - skipped, static_cast<std::size_t>(end - at));
        Labelled here = part(label, skipped, length);
        if (here.kept && std::memcmp(here.kept.get(), at, length) != 0) {
            here.piece.sum_of = nullptr;
            changed_ = true;
        }
        append_piece(pieces, std::move(here.piece));
        at += length;
    }
    return true;
}

MemoryLabels::Labelled MemoryLabels::part(const Labelled& whole, std::size_t skipped, std::size_t bytes)
{
    return {bytes, detail::part(whole.piece, skipped, bytes),
            whole.kept ? std::shared_ptr<const std::byte>(whole.kept, whole.kept.get() + skipped) : nullptr};
}

}  // namespace dcube::detail
