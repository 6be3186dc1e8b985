#include "inspect/view/film/film.hpp"

#include "inspect/view/film/holdings.hpp"

#include <dcube/collective.hpp>
#include <dcube/error.hpp>
#include <dcube/layout.hpp>
#include <dcube/matrix.hpp>

#include <algorithm>
#include <map>
#include <tuple>

namespace dcube::view {

namespace {

MessageKind kind_of(Collective collective)
{
    if (is_reduction(collective) || is_barrier(collective))
        return MessageKind::sums;
    return traits(collective).target == Who::nobody ? MessageKind::copies : MessageKind::moves;
}

constexpr std::uint64_t most_parts = 4096;                     // of one message
constexpr std::uint64_t most_places = std::uint64_t{1} << 24;  // places of parts, in all nodes that may have them
constexpr std::size_t most_pairs = std::size_t{1} << 16;       // in one list

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

/// Makes rows of pieces; if a sum does not say who is in it, finds that out by playing the sums.
class RowMaker {
public:
    RowMaker(const Film& film, std::vector<Contributors>& sets)
        : film_(film), numbers_(sets),
          sums_(film.recording.topology, film.messages.count() * film.parts.count(), film.messages.sharing())
    {
    }

    void add(const Flight& flight, std::vector<Row>& rows)
    {
        first_ = rows.size();
        for (const Piece& piece : film_.recording.pieces_of(flight))
            if (const auto message = film_.messages.number_of(piece))
                add(flight, piece, *message, rows);
        if (film_.messages.sharing() == Sharing::overlapping)
            add_signal(flight, rows);
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
            if (!flight.lost)
                sums_.arrive(flight.to, place, sum);
            join({static_cast<std::uint32_t>(message), part, 1, numbers_(sum)}, rows);
        }
    }

    // Packets of a barrier have no pieces: each says of whom its sender has heard.
    void add_signal(const Flight& flight, std::vector<Row>& rows)
    {
        Piece all;
        all.length = film_.messages.most_bytes();
        add(flight, all, 0, rows);
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

std::optional<NodeId> root_of(const Problem& problem)
{
    return has_root(problem.collective) && problem.within.empty() ? std::optional(problem.root) : std::nullopt;
}

Messages::Messages(const Problem& problem, const Topology& topology)
    : collective_(problem.collective), kind_(kind_of(problem.collective)), topology_(topology),
      nodes_(topology.nodes()), groups_(groups_of(problem, topology)),
      bytes_(is_barrier(problem.collective) ? 1 : Layout(problem, topology).message)
{
    const CollectiveTraits& of = traits(problem.collective);
    if (of.origin == Who::root || of.target == Who::root)
        list_roots(problem);
    one_ = (kind_ == MessageKind::copies && of.origin == Who::root) ||
           (kind_ == MessageKind::sums && of.target != Who::all);
    if (is_matrix(problem.collective))
        list_matrix(problem, topology);
    else if (is_point_to_point(problem.collective))
        list_ends(problem);
    else if (kind_ == MessageKind::moves && !roots_.empty())
        pairs_ = of.origin == Who::root ? Pairs::from_root : Pairs::to_root;
    if ((topology.lacks_nodes() || groups_) && kind_ == MessageKind::moves && pairs_ != Pairs::list)
        list_members();
    if (!problem.counts.empty())
        list_uneven(problem);
}

// Messages of no packets are left out where they are pairs.
void Messages::list_uneven(const Problem& problem)
{
    const Topology& network = groups_ ? groups_->network() : topology_;
    const auto number_in = [&](NodeId node) { return groups_ ? groups_->rank(node) : node; };
    const auto bytes_of = [&](std::uint64_t number) {
        const NodeId origin = number_in(ends(number).origin.value_or(0));
        const NodeId target = number_in(ends(number).target.value_or(0));
        return packets_between(problem, network, origin, target) * problem.bytes;
    };
    std::vector<std::pair<NodeId, NodeId>> list;
    for (std::uint64_t number = 0; number < count(); ++number) {
        const std::uint64_t bytes = bytes_of(number);
        if (kind_ == MessageKind::moves && bytes == 0)
            continue;
        lengths_.push_back(bytes);
        if (kind_ == MessageKind::moves)
            list.emplace_back(*ends(number).origin, *ends(number).target);
    }
    if (kind_ != MessageKind::moves)
        return;
    list_ = std::move(list);
    pairs_ = Pairs::list;
}

void Messages::list_roots(const Problem& problem)
{
    if (!groups_)
        roots_ = {problem.root};
    for (NodeId number = 0; groups_ && number < groups_->count(); ++number)
        roots_.push_back(groups_->node(number, problem.root));
}

// The messages between nodes that are there, and in one group.
void Messages::list_members()
{
    const auto is_root = [&](NodeId node) { return std::ranges::binary_search(roots_, node); };
    const NodeId targets = groups_ ? groups_->size() : nodes_;
    for (NodeId i = 0; i < topology_.members(); ++i) {
        const NodeId origin = topology_.member(i);
        for (NodeId j = 0; j < targets; ++j) {
            const NodeId target = groups_ ? groups_->node(groups_->number(origin), j) : j;
            if (topology_.is_member(target) && (pairs_ != Pairs::from_root || is_root(origin)) &&
                (pairs_ != Pairs::to_root || is_root(target)))
                list_.emplace_back(origin, target);
        }
    }
    pairs_ = Pairs::list;
}

bool Messages::are_together(NodeId a, NodeId b) const
{
    return !groups_ || groups_->number(a) == groups_->number(b);
}

void Messages::list_ends(const Problem& problem)
{
    pairs_ = Pairs::list;
    for (NodeId number = 0; number < (groups_ ? groups_->count() : 1); ++number)
        list_ends_in(problem, number);
    std::ranges::sort(list_);
}

// Of one group, or of all nodes.
void Messages::list_ends_in(const Problem& problem, NodeId number)
{
    const auto node_of = [&](NodeId rank) { return groups_ ? groups_->node(number, rank) : rank; };
    if (has_permutation(problem.collective)) {
        for (NodeId rank = 0; rank < problem.permutation.size(); ++rank)
            if (topology_.is_member(node_of(rank)))
                list_.emplace_back(node_of(rank), node_of(problem.permutation[rank]));
        return;
    }
    list_.emplace_back(node_of(problem.root), node_of(problem.peer));
    if (traits(problem.collective).origin == Who::ends)
        list_.emplace_back(node_of(problem.peer), node_of(problem.root));
}

// Nodes may have more elements for one node than for another, and none for a third.
void Messages::list_matrix(const Problem& problem, const Topology& topology)
{
    const MatrixMove move(problem, topology);
    for (NodeId i = 0; i < topology.members(); ++i)
        for (NodeId j = 0; j < topology.members(); ++j)
            if (const NodeId origin = topology.member(i), target = topology.member(j);
                const std::size_t elements = move.elements(origin, target)) {
                list_.emplace_back(origin, target);
                lengths_.push_back(elements * size_of(problem.type));
            }
    bytes_ = lengths_.empty() ? 1 : std::ranges::max(lengths_);
    if (std::ranges::all_of(lengths_, [&](std::uint64_t length) { return length == bytes_; }))
        lengths_.clear();
    const bool all = lengths_.empty() && list_.size() == std::size_t{nodes_} * nodes_;
    if (all)
        list_.clear();
    pairs_ = all ? Pairs::all : Pairs::list;
}

std::uint64_t Messages::count() const
{
    if (one_)
        return std::max<std::uint64_t>(1, roots_.size());
    if (kind_ == MessageKind::copies)
        return topology_.members();
    if (kind_ == MessageKind::sums)
        return nodes_;  // also those for nodes that are missing, which no node needs
    switch (pairs_) {
    case Pairs::all: return std::uint64_t{nodes_} * nodes_;
    case Pairs::from_root:
    case Pairs::to_root: return nodes_;
    case Pairs::list: break;
    }
    return list_.size();
}

MessageEnds Messages::ends(std::uint64_t number) const
{
    const auto node = static_cast<NodeId>(number);
    if (kind_ == MessageKind::copies)
        return {one_ ? roots_[node] : topology_.member(node), std::nullopt};
    if (kind_ == MessageKind::sums && one_)
        return {std::nullopt, roots_.empty() ? std::nullopt : std::optional(roots_[node])};
    if (kind_ == MessageKind::sums)
        return {std::nullopt, node};
    switch (pairs_) {
    case Pairs::all: return {static_cast<NodeId>(number / nodes_), static_cast<NodeId>(number % nodes_)};
    case Pairs::from_root: return {roots_.front(), node};
    case Pairs::to_root: return {node, roots_.front()};
    case Pairs::list: break;
    }
    return {list_[as_size(number)].first, list_[as_size(number)].second};
}

std::optional<std::uint64_t> Messages::number_of(const MessageEnds& wanted) const
{
    std::uint64_t number = 0;
    if (kind_ == MessageKind::moves && pairs_ == Pairs::list) {
        if (!wanted.origin || !wanted.target)
            return std::nullopt;
        const auto found = std::ranges::lower_bound(list_, std::pair(*wanted.origin, *wanted.target));
        number = static_cast<std::uint64_t>(found - list_.begin());
    } else if (kind_ == MessageKind::moves && pairs_ == Pairs::all) {
        number = std::uint64_t{wanted.origin.value_or(0)} * nodes_ + wanted.target.value_or(0);
    } else if (one_) {
        const NodeId root = (kind_ == MessageKind::copies ? wanted.origin : wanted.target).value_or(0);
        number =
            roots_.size() < 2 ? 0 : static_cast<std::uint64_t>(std::ranges::lower_bound(roots_, root) - roots_.begin());
    } else {
        const bool by_origin = kind_ == MessageKind::copies || pairs_ == Pairs::to_root;
        const NodeId node = (by_origin ? wanted.origin : wanted.target).value_or(0);
        if (kind_ == MessageKind::copies && node >= nodes_)
            return std::nullopt;
        number = kind_ == MessageKind::copies ? topology_.member_number(node) : node;
    }
    return number < count() && ends(number) == wanted ? std::optional(number) : std::nullopt;
}

std::optional<std::uint64_t> Messages::number_of(const Piece& piece) const
{
    const std::optional<std::uint64_t> number = number_of(MessageEnds{piece.origin, piece.target});
    if (!number || piece.length == 0 || piece.length > bytes(*number) || piece.offset > bytes(*number) - piece.length)
        return std::nullopt;
    return number;
}

bool Messages::needs(NodeId node, std::uint64_t number) const
{
    const auto [origin, target] = ends(number);
    return topology_.is_member(node) && (!target || *target == node) && are_together(node, origin.value_or(node));
}

Contributors Messages::terms(NodeId node) const
{
    if (!groups_)
        return terms_of(collective_, topology_, node);
    std::vector<NodeId> nodes;
    const NodeId number = groups_->number(node);
    const Contributors ranks = terms_of(collective_, groups_->network(), groups_->rank(node));
    for (const auto& [first, last] : ranks.ranges())
        for (NodeId rank = first; rank <= last; ++rank)
            nodes.push_back(groups_->node(number, rank));
    return Contributors::of(nodes);
}

bool Messages::starts_with(NodeId node, std::uint64_t number) const
{
    const auto [origin, target] = ends(number);
    return origin ? *origin == node : topology_.is_member(node) && are_together(node, target.value_or(node));
}

Parts::Parts(const Messages& messages, std::span<const Piece> pieces) : cuts_{0, messages.most_bytes()}
{
    for (const Piece& piece : pieces) {
        if (!messages.number_of(piece))
            continue;
        cuts_.push_back(piece.offset);
        cuts_.push_back(piece.offset + piece.length);
        if (cuts_.size() == cuts_.capacity())
            sort_cuts();
    }
    for (std::uint64_t number = 0; messages.are_uneven() && number < messages.count(); ++number)
        cuts_.push_back(messages.bytes(number));
    sort_cuts();
}

void Parts::sort_cuts()
{
    std::ranges::sort(cuts_);
    const auto rest = std::ranges::unique(cuts_);
    cuts_.erase(rest.begin(), rest.end());
}

std::uint32_t Parts::part_at(std::uint64_t offset) const
{
    return static_cast<std::uint32_t>(std::ranges::lower_bound(cuts_, offset) - cuts_.begin());
}

namespace {

// The messages that are shown: of a total exchange all, or the first node's, which are a scatter.
Messages shown_messages(const Recording& recording)
{
    Problem problem = recording.problem;
    if (recording.detail == Detail::one_node) {
        problem.collective = Collective::scatter;
        problem.root = 0;
    }
    return {problem, recording.topology};
}

}  // namespace

Film::Film(Recording recorded)
    : recording(std::move(recorded)), messages(shown_messages(recording)), parts(messages, recording.pieces),
      relative(recording.topology)
{
    if (moves_nothing(recording.problem))
        throw InvalidArgument("there is nothing to show: 0 bytes are moved");
    if (!few_places(messages, parts, recording.topology.nodes()))
        recording.detail = Detail::counts;
    if (!has_rows())
        return;
    sort_flights();
    make_rows();
}

// An event long after the last packet, such as in a program that never ends, is shown right behind it.
Step Film::ending_step() const
{
    const Step told = rejected ? rejected->step : recording.ending->step;
    return told == 0 ? recording.steps : std::min(told, recording.steps + 1);
}

Step Film::steps() const
{
    return recording.ending ? std::max(recording.steps, ending_step()) : recording.steps;
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
    const std::optional<Flight> offending = recording.ending ? recording.ending->flight : std::nullopt;
    // A rejected line that goes back in time, or far ahead, cannot be shown in its place.
    if (!offending || offending->step < recording.steps || offending->step > recording.steps + 1)
        return;
    begin(offending->step);
    maker.add(*offending, rejected_rows);
    if (!rejected_rows.empty())
        rejected = offending;
}

}  // namespace dcube::view
