#include "inspect/view/document/columns.hpp"

#include "inspect/view/document/base64.hpp"
#include "inspect/view/document/deflated.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

namespace dcube::view {

namespace {

// Seven bits per byte, the low ones first; the eighth is set if more follow.
void append_leb128(Bytes& bytes, std::uint64_t value)
{
    while (value >= 0x80) {
        bytes.push_back(static_cast<unsigned char>(value | 0x80));
        value >>= 7;
    }
    bytes.push_back(static_cast<unsigned char>(value));
}

// 0, -1, 1, -2, .. become 0, 1, 2, 3, ..
std::uint64_t zigzag(std::int64_t value)
{
    return (static_cast<std::uint64_t>(value) << 1) ^ static_cast<std::uint64_t>(value >> 63);
}

Json column_json(const std::vector<std::int64_t>& values, Packing packing)
{
    Column column = encoded(values, packing);
    if (column.constant)
        return *column.constant;
    return {{"raw", column.raw}, {"data", std::move(column.data)}};
}

/// The sets of a film as their senders see them, each once.
class RelativeSets {
public:
    using Ranges = std::vector<NodeId>;  // flat: first, last, first, last, ..

    explicit RelativeSets(const Film& film) : film_(film) {}

    std::int64_t number(std::uint32_t set, NodeId sender)
    {
        const auto [place, is_new] = known_.try_emplace({set, sender}, 0);
        if (is_new)
            place->second = numbered(seen_from(film_.sets[set], sender));
        return place->second;
    }

    [[nodiscard]] Json json() const { return sets_; }

private:
    [[nodiscard]] Ranges seen_from(const Contributors& set, NodeId sender) const
    {
        std::vector<NodeId> nodes;
        for (const auto& [first, last] : set.ranges())
            for (NodeId node = first; node <= last; ++node)
                nodes.push_back(film_.relative.seen(node, sender));
        const Contributors seen = Contributors::of(nodes);
        Ranges flat;
        for (const auto& [first, last] : seen.ranges()) {
            flat.push_back(first);
            flat.push_back(last);
        }
        return flat;
    }

    std::int64_t numbered(const Ranges& ranges)
    {
        const auto [place, is_new] = numbers_.try_emplace(ranges, static_cast<std::int64_t>(sets_.size()));
        if (is_new)
            sets_.push_back(ranges);
        return place->second;
    }

    const Film& film_;
    std::map<std::pair<std::uint32_t, NodeId>, std::int64_t> known_;
    std::map<Ranges, std::int64_t> numbers_;
    std::vector<Ranges> sets_;
};

/// Takes the rows of one flight after the other.
class ColumnMaker {
public:
    explicit ColumnMaker(const Film& film) : film_(film), sets_(film) {}

    void add(const Flight& flight, std::span<const Row> rows)
    {
        for (const Row& row : rows) {
            put(step, flight.step);
            put(from, flight.from);
            put(port, flight.port);
            put(start, flight.start);
            put(end, flight.end);
            put(joined, rows.size());
            put(part, row.part);
            put(count, row.count);
            add_message(flight.from, row);
        }
    }

    Columns finished(Packing packing)
    {
        Json of = Json::object();
        for (std::size_t i = 0; i < names.size(); ++i)
            of[names[i]] = column_json(values_[i], packing);
        const Json sets = film_.messages.kind() == MessageKind::sums ? sets_.json() : Json::array();
        return {{{"rows", values_[step].size()}, {"deflate", packing == Packing::deflated}, {"of", std::move(of)}},
                sets};
    }

private:
    enum Name : std::uint8_t { step, from, port, start, end, joined, origin, target, part, count, set };
    static constexpr std::array<const char*, 11> names{"step",   "from",   "port", "start", "end", "joined",
                                                       "origin", "target", "part", "count", "set"};

    template <class Number>
    void put(Name name, Number value)
    {
        values_[name].push_back(static_cast<std::int64_t>(value));
    }

    // A message without an end, or one of a single sum, has a number that is no node.
    void add_message(NodeId sender, const Row& row)
    {
        const MessageEnds ends = film_.messages.ends(row.message);
        const bool sum = film_.messages.kind() == MessageKind::sums;
        const bool several = sum && film_.messages.count() > 1;
        const auto seen = [&](std::optional<NodeId> node, std::int64_t otherwise) {
            return node ? static_cast<std::int64_t>(film_.relative.seen(*node, sender)) : otherwise;
        };
        put(origin, seen(ends.origin, -1));
        put(target, sum && !several ? 0 : seen(ends.target, -1));
        put(set, sum ? sets_.number(row.set, sender) : 0);
    }

    const Film& film_;
    RelativeSets sets_;
    std::array<std::vector<std::int64_t>, names.size()> values_;
};

}  // namespace

Column encoded(std::span<const std::int64_t> values, Packing packing)
{
    if (std::ranges::all_of(values, [&](std::int64_t value) { return value == values.front(); }))
        return {.constant = values.empty() ? 0 : values.front()};
    Bytes bytes;
    std::int64_t before = 0;
    for (const std::int64_t value : values) {
        append_leb128(bytes, zigzag(value - before));
        before = value;
    }
    return {.raw = bytes.size(), .data = base64(packing == Packing::deflated ? deflated(bytes) : bytes)};
}

Columns columns_of(const Film& film, Packing packing)
{
    ColumnMaker maker(film);
    for (std::size_t i = 0; i < film.recording.flights.size(); ++i)
        maker.add(film.recording.flights[i], film.rows_of(i));
    if (film.rejected)
        maker.add(*film.rejected, film.rejected_rows);
    return maker.finished(packing);
}

Json use_json(const Film& film, Packing packing)
{
    const std::vector<std::int64_t> links(film.recording.links_used.begin(), film.recording.links_used.end());
    return {{"links", column_json(links, packing)}, {"deflate", packing == Packing::deflated}};
}

}  // namespace dcube::view
