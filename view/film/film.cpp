#include "view/film/film.hpp"

#include "view/film/sums.hpp"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace dcube::view {

namespace {

constexpr std::uint64_t most_parts = 4096;                     // of a message
constexpr std::uint64_t most_places = std::uint64_t{1} << 24;  // of parts, in all nodes that may have copies of them
constexpr std::size_t most_pairs = std::size_t{1} << 16;       // in a list

// Whether a page can tell all parts of all messages apart.
bool few_places(const Messages& messages, const Parts& parts, NodeId nodes)
{
    if (parts.count() > most_parts || messages.list().size() > most_pairs)
        return false;
    const std::uint64_t holders = messages.kind() == MessageKind::moves ? 1 : nodes;
    return messages.count() <= most_places / parts.count() / holders;
}

struct ByRanges {
    bool operator()(const Contributors& a, const Contributors& b) const
    {
        return std::ranges::lexicographical_compare(a.ranges(), b.ranges(), [](const auto& x, const auto& y) {
            return std::pair(x.first, x.last) < std::pair(y.first, y.last);
        });
    }
};

/// Gives every set its number.
class SetNumbers {
public:
    explicit SetNumbers(std::vector<Contributors>& sets) : sets_(sets) {}

    std::uint32_t operator()(const Contributors& set)
    {
        const auto [place, is_new] = numbers_.try_emplace(set, static_cast<std::uint32_t>(sets_.size()));
        if (is_new)
            sets_.push_back(set);
        return place->second;
    }

private:
    std::vector<Contributors>& sets_;
    std::map<Contributors, std::uint32_t, ByRanges> numbers_;
};

/// Makes rows of pieces; of sums that do not say who is in them it knows it by playing them.
class RowMaker {
public:
    RowMaker(const Film& film, std::vector<Contributors>& sets)
        : film_(film), numbers_(sets), sums_(film.messages.count() * film.parts.count())
    {
    }

    void add(const Flight& flight, std::vector<Row>& rows)
    {
        first_ = rows.size();
        for (const Piece& piece : film_.recording.pieces_of(flight))
            if (const auto message = film_.messages.number_of(piece))
                add(flight, piece, *message, rows);
    }

    void end_step() { sums_.end_step(); }

private:
    void add(const Flight& flight, const Piece& piece, std::uint64_t message, std::vector<Row>& rows)
    {
        const std::uint32_t first = film_.parts.part_at(piece.offset);
        const std::uint32_t last = film_.parts.part_at(piece.offset + piece.length);
        if (film_.messages.kind() != MessageKind::sums)
            return join({static_cast<std::uint32_t>(message), first, last - first, 0}, rows);
        for (std::uint32_t part = first; part < last; ++part) {
            const std::uint64_t place = message * film_.parts.count() + part;
            const Contributors sum = piece.sum_of ? *piece.sum_of : sums_.held(flight.from, place);
            sums_.arrive(flight.to, place, sum);
            join({static_cast<std::uint32_t>(message), part, 1, numbers_(sum)}, rows);
        }
    }

    void join(const Row& row, std::vector<Row>& rows) const
    {
        if (rows.size() > first_) {
            Row& before = rows.back();
            if (before.message == row.message && before.set == row.set && before.part + before.count == row.part) {
                before.count += row.count;
                return;
            }
        }
        rows.push_back(row);
    }

    const Film& film_;
    SetNumbers numbers_;
    Sums sums_;
    std::size_t first_ = 0;
};

}  // namespace

Film::Film(Recording recorded)
    : recording(std::move(recorded)), messages(recording.problem, recording.topology),
      parts(messages, recording.pieces), relative(recording.topology)
{
    if (!few_places(messages, parts, recording.topology.nodes()))
        recording.detail = Detail::counts;
    if (!has_rows())
        return;
    sort_flights();
    make_rows();
}

void Film::sort_flights()
{
    std::ranges::stable_sort(recording.flights, {},
                             [](const Flight& flight) { return std::tuple(flight.step, flight.from, flight.port); });
    first_flight.assign(recording.steps + std::size_t{1}, 0);
    for (const Flight& flight : recording.flights)
        ++first_flight[flight.step];
    for (std::size_t step = 1; step < first_flight.size(); ++step)
        first_flight[step] += first_flight[step - 1];
}

void Film::make_rows()
{
    RowMaker maker(*this, sets);
    Step step = 0;
    const auto begin = [&](Step next) {
        if (next != step)
            maker.end_step();
        step = next;
    };
    for (const Flight& flight : recording.flights) {
        begin(flight.step);
        maker.add(flight, rows);
        first_row.push_back(static_cast<std::uint32_t>(rows.size()));
    }
    const std::optional<Flight> offending = recording.rejection ? recording.rejection->flight : std::nullopt;
    // One that goes back in time, or far ahead, cannot be shown where it stands.
    if (!offending || offending->step < recording.steps || offending->step > recording.steps + 1)
        return;
    begin(offending->step);
    maker.add(*offending, rejected_rows);
    if (!rejected_rows.empty())
        rejected = offending;
}

}  // namespace dcube::view
