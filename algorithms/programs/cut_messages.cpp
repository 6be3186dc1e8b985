#include "algorithms/programs/cut_messages.hpp"

#include "algorithms/programs/composed.hpp"
#include "algorithms/programs/cut.hpp"
#include "algorithms/programs/in_place.hpp"
#include "algorithms/programs/link_costs.hpp"
#include "algorithms/programs/phases.hpp"
#include "algorithms/programs/renaming.hpp"
#include "algorithms/programs/walked_time.hpp"
#include "base/arithmetic.hpp"
#include "base/exact.hpp"
#include "base/memo.hpp"
#include "base/numbers.hpp"
#include "base/planning.hpp"
#include "base/sizes.hpp"

#include <dcube/bounds.hpp>
#include <dcube/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <memory>
#include <span>
#include <unordered_map>
#include <utility>

namespace dcube::detail {

namespace {

// ---- A schedule's packets as pieces ----

class CutSchedule {
public:
    CutSchedule(const Schedule& schedule, const Topology& topology, const Problem& cut, const Problem& whole)
        : schedule_(in_order(schedule)), topology_(topology), of_(traits(cut.collective)),
          dealt_(cut.collective == Collective::all_reduce), root_(cut.root), bytes_(cut.bytes), whole_(whole)
    {
    }

    PieceSchedule operator()(std::uint32_t rounds) &&
    {
        for (std::uint32_t round = 0; round < rounds; ++round)
            for (const Hop& hop : schedule_.hops)
                add_all(hop, round);
        return std::move(pieces_);
    }

private:
    void add_all(const Hop& hop, std::uint32_t round)
    {
        switch (schedule_.symmetry) {
        case Symmetry::none: return add(hop, round);
        case Symmetry::rooted: {
            Hop moved = translated(topology_, hop, root_);
            moved.from = topology_.translate(hop.from, root_);
            return add(moved, round);
        }
        case Symmetry::translated:
            for (NodeId node = 0; node < topology_.nodes(); ++node)
                if (kind_of(topology_, schedule_.alternating, node) == hop.from)
                    add(translated(topology_, hop, node), round);
        }
    }

    void add(const Hop& hop, std::uint32_t round)
    {
        const std::size_t offset = number(hop, round) * bytes_;
        const std::size_t message =
            as_size(packets_between(whole_, topology_, hop.packet.origin, hop.packet.target)) * whole_.bytes;
        if (offset >= message)
            return;  // a block that the vector of an all-reduce lacks
        Piece piece{{}, {}, offset, std::min(bytes_, message - offset), {}};
        if (of_.origin == Who::all || of_.origin == Who::ends)
            piece.origin = hop.packet.origin;
        if (of_.target == Who::all)
            piece.target = hop.packet.target;
        pieces_.add(hop.step + round * schedule_.steps, hop.from, hop.port, std::span(&piece, 1));
    }

    // The packet's index in its message.
    [[nodiscard]] std::size_t number(const Hop& hop, std::uint32_t round) const
    {
        const std::size_t copy = std::size_t{hop.packet.copy} + round;
        if (!dealt_)
            return copy;
        return copy * topology_.nodes() + (hop.arrival == Arrival::added ? hop.packet.target : hop.packet.origin);
    }

    Schedule schedule_;
    const Topology& topology_;
    const CollectiveTraits& of_;
    bool dealt_;
    NodeId root_;
    std::size_t bytes_;
    const Problem& whole_;
    PieceSchedule pieces_;
};

// ---- Their virtual time ----

struct PieceAt {
    NodeId node;
    std::uint64_t message;
    std::uint64_t offset;

    friend bool operator==(const PieceAt&, const PieceAt&) = default;
};

struct PieceAtHash {
    std::size_t operator()(const PieceAt& piece) const
    {
        const std::uint64_t key =
            (piece.message * 0x9e3779b97f4a7c15U ^ piece.offset) * 0xff51afd7ed558ccdU ^ piece.node;
        return static_cast<std::size_t>((key ^ key >> 29) * 0x9e3779b97f4a7c15U);
    }
};

class PieceWalk {
public:
    PieceWalk(const PieceSchedule& schedule, const Topology& topology, const Problem& problem)
        : schedule_(schedule), topology_(topology), adding_(is_reduction(problem.collective)),
          ports_(topology.max_ports()), links_(problem.link, std::size_t{topology.nodes()} * ports_, topology.nodes())
    {
    }

    Rational operator()()
    {
        Step step = 0;
        for (std::size_t hop = 0; hop < schedule_.hops().size(); ++hop) {
            if (schedule_.hops()[hop].step != std::exchange(step, schedule_.hops()[hop].step))
                end_step();
            send(hop);
        }
        return links_.finish_in_ns();
    }

private:
    void send(std::size_t number)
    {
        const auto& [step, from, port, first] = schedule_.hops()[number];
        const Piece& piece = schedule_.pieces(number).front();
        const std::uint64_t message =
            std::uint64_t{piece.origin.value_or(0)} * topology_.nodes() + piece.target.value_or(0);
        const auto held = held_.find({from, message, piece.offset});
        const NodeId to = topology_.neighbour(from, port);
        const Time end = links_.depart(std::size_t{from} * ports_ + port, as_size(piece.length),
                                       held == held_.end() ? 0 : held->second, from, to);
        arrived_.push_back({{to, message, piece.offset}, end});
    }

    // A sum is as usable as the last of its terms; what comes again may have been there earlier.
    void end_step()
    {
        links_.end_step();
        for (const auto& [piece, end] : arrived_) {
            const auto [place, is_first] = held_.try_emplace(piece, end);
            if (!is_first)
                place->second = adding_ ? std::max(place->second, end) : std::min(place->second, end);
        }
        arrived_.clear();
    }

    const PieceSchedule& schedule_;
    const Topology& topology_;
    bool adding_;
    Port ports_;
    WalkedLinks links_;
    std::unordered_map<PieceAt, Time, PieceAtHash> held_;  // since when what has come is usable
    std::vector<std::pair<PieceAt, Time>> arrived_;        // in this step
};

// ---- How many packets ----

// The most work to find the number of packets: a fraction of a second, for all numbers together.
constexpr std::uint64_t most_search_work = 3'000'000'000;
constexpr std::uint64_t work_of_a_hop = 1'000;  // makes it a piece, and walks through it
constexpr std::uint64_t most_cut_hops = 1 << 16;

// The bytes of a message, of the longest one.
std::size_t longest_message(const Problem& problem)
{
    return as_size(most_packets(problem)) * problem.bytes;
}

// The problem with messages in that many packets, or the longest one.
Problem in_packets(const Problem& problem, std::size_t packets)
{
    const std::size_t unit = unit_of(problem);
    Problem cut = problem;
    cut.bytes = ceil_div(longest_message(problem) / unit, packets) * unit;
    for (std::uint32_t& count : cut.counts)
        count = static_cast<std::uint32_t>(ceil_div(count * problem.bytes, cut.bytes));
    if (cut.counts.empty())
        cut.packets = ceil_div(problem.bytes, cut.bytes);
    return cut;
}

// The same with a packet less in every message: those that are surely full.
Problem of_full_packets(Problem cut)
{
    for (std::uint32_t& count : cut.counts)
        count -= std::min(count, std::uint32_t{1});
    if (cut.counts.empty())
        --cut.packets;
    return cut;
}

// Unless the caller has cut them. Hypercubes have entries that were made for cutting, but for scans and permutations of
// few bytes.
bool may_be_cut(const Topology& topology, const Problem& problem)
{
    const bool has_better = topology.is_hypercube() && problem.counts.empty() &&
                            problem.collective != Collective::permute && !is_scan(problem.collective);
    const bool in_order = is_reduction(problem.collective) && !is_scan(problem.collective) && problem.own_operation &&
                          !problem.own_operation->commutative;
    return problem.link.bound() && problem.packets == 1 && !is_matrix(problem.collective) && !has_better && !in_order &&
           topology.members() > 1 && longest_message(problem) > unit_of(problem);
}

std::uint64_t bytes_over_links(const PieceSchedule& schedule)
{
    std::uint64_t bytes = 0;
    for (std::size_t hop = 0; hop < schedule.hops().size(); ++hop)
        for (const Piece& piece : schedule.pieces(hop))
            bytes += piece.length;
    return bytes;
}

class Cutter {
public:
    Cutter(Entry whole, MakePieces pieces) : whole_(std::move(whole)), pieces_(std::move(pieces)) {}

    [[nodiscard]] const Entry& whole() const { return whole_; }

    // Where all ports are used, what has to be planned is cut where it is planned for them: plans for one port take as
    // long to make, and have not been seen to be better.
    [[nodiscard]] bool may_cut(const Topology& topology, const Problem& problem) const
    {
        return may_be_cut(topology, problem) && (whole_.ports == PortModel::all || problem.link.one_port() ||
                                                 whole_.planning_work(topology, problem) == 0);
    }

    [[nodiscard]] std::optional<MessageCut> chosen(const Topology& topology, const Problem& problem) const
    {
        if (!may_cut(topology, problem))
            return std::nullopt;
        return *known_.get(walk_key(topology, problem), [&] { return Search(*this, topology, problem)(); });
    }

    // The problem as it is planned.
    [[nodiscard]] Problem planned(const Topology& topology, const Problem& problem) const
    {
        const std::optional<MessageCut> cut = chosen(topology, problem);
        return cut ? in_packets(problem, cut->packets) : problem;
    }

    [[nodiscard]] CollectiveProgram program(const Topology& topology, const Problem& problem) const
    {
        const std::optional<MessageCut> cut = chosen(topology, problem);
        if (!cut)
            return whole_.prepare(topology, problem);
        const Problem whole = out_of_place(problem);
        CollectiveProgram in_pieces =
            program_of(pieces_(topology, in_packets(whole, cut->packets), whole), topology, whole);
        return problem.in_place ? aside(std::move(in_pieces)) : in_pieces;
    }

private:
    // Twice as many, again and again, until that is worse; then between the best and those beside it.
    class Search {
    public:
        Search(const Cutter& cutter, const Topology& topology, const Problem& problem)
            : cutter_(cutter), topology_(topology), problem_(problem),
              most_(longest_message(problem) / unit_of(problem)), as_given_(as_size(most_packets(problem))),
              work_of_whole_(cutter.whole_.planning_work(topology, problem))
        {
        }

        std::optional<MessageCut> operator()()
        {
            const std::optional<PredictedTime> whole = predicted_time(cutter_.whole_, topology_, problem_);
            if (!whole)
                return std::nullopt;
            tried_[as_given_] = exact(whole->ns);
            best_ = {as_given_, problem_.bytes, whole->ns, 0};
            least_ = least();
            if (as_given_ == 1 || attempt(1))
                double_up();
            for (unsigned round = 0; round < 3; ++round)
                refine();
            return best_.packets == as_given_ ? std::nullopt : std::optional(best_);
        }

    private:
        // A time below which no cut can go; 0 if that does not fit in 64 bits.
        [[nodiscard]] Exact least() const
        {
            try {
                return exact(time_bound(topology_, problem_).value);
            } catch (const InvalidArgument&) {
                return 0;
            }
        }

        // The time of the packets of full size, by steps.
        [[nodiscard]] Exact least_in(const Problem& cut) const
        {
            return LinkCosts(problem_.link)
                .packets(steps_bound(topology_, PortModel::all, of_full_packets(cut)).value, cut.bytes);
        }

        void double_up()
        {
            constexpr unsigned most_in_vain = 2;
            unsigned in_vain = 0;
            for (std::size_t packets = 1; packets < most_ && in_vain < most_in_vain;) {
                packets = std::min(2 * packets, most_);
                const std::size_t best = best_.packets;
                if (!attempt(packets))
                    return;
                in_vain = best_.packets == best ? in_vain + 1 : 0;
            }
        }

        void refine()
        {
            const auto here = tried_.find(best_.packets);
            const std::size_t middle = here->first;
            const std::size_t below = here == tried_.begin() ? middle : std::prev(here)->first;
            const std::size_t above = std::next(here) == tried_.end() ? middle : std::next(here)->first;
            attempt((below + middle) / 2);
            attempt((middle + above + 1) / 2);
        }

        // False if that cannot be planned, or not with so little work, or cannot be better.
        bool attempt(std::size_t packets)
        {
            if (tried_.at(best_.packets) <= least_)
                return false;
            const Problem cut = in_packets(problem_, packets);
            const std::size_t number = as_size(most_packets(cut));
            if (tried_.contains(number))
                return true;
            if (Exact least = least_in(cut); least >= tried_.at(best_.packets)) {
                tried_[number] = std::move(least);
                return true;
            }
            const Entry& whole = cutter_.whole_;
            if (!whole.obstacle(topology_, cut).empty())
                return false;
            // Work that does not grow with the packets has been done for the whole message, unless packets are joined.
            const std::uint64_t work = whole.planning_work(topology_, cut);
            worked_ += as_given_ > 1 ? work : work - std::min(work, work_of_whole_);
            if (worked_ > most_search_work)
                return false;
            planning("number of packets", static_cast<double>(worked_) / most_search_work);
            const Cost cost = whole.cost(topology_, cut);
            worked_ += cost.transmissions * work_of_a_hop;
            return cost.transmissions <= most_cut_hops && worked_ <= most_search_work && walk(cut);
        }

        bool walk(const Problem& cut)
        {
            try {
                const PieceSchedule pieces = cutter_.pieces_(topology_, cut, problem_);
                const std::optional<Rational> time = walked_time(pieces, topology_, problem_);
                if (!time)
                    return false;
                const std::size_t number = as_size(most_packets(cut));
                tried_[number] = exact(*time);
                if (exact(*time) < tried_.at(best_.packets))
                    best_ = {number, cut.bytes, *time, bytes_over_links(pieces)};
                return true;
            } catch (const InvalidArgument&) {
                return false;  // a time that does not fit in 64 bits
            }
        }

        const Cutter& cutter_;
        const Topology& topology_;
        const Problem& problem_;
        std::size_t most_;
        std::size_t as_given_;  // packets
        std::uint64_t work_of_whole_;
        std::uint64_t worked_ = 0;
        Exact least_ = 0;
        std::map<std::size_t, Exact> tried_{};  // virtual times, or what they are not below, by packets
        MessageCut best_{1, 0, {}, 0};
    };

    Entry whole_;
    MakePieces pieces_;
    mutable Memo<WalkKey, std::optional<MessageCut>> known_{64};
};

// Programs that cut messages are recognised by this type.
struct CuttingProgram {
    std::shared_ptr<const Cutter> cutter;

    CollectiveProgram operator()(const Topology& topology, const Problem& problem) const
    {
        return cutter->program(topology, problem);
    }
};

}  // namespace

PieceSchedule cut_pieces(const Schedule& schedule, std::uint32_t rounds, const Topology& topology, const Problem& cut,
                         const Problem& whole)
{
    return CutSchedule(schedule, topology, cut, whole)(rounds);
}

std::optional<Rational> walked_time(const PieceSchedule& schedule, const Topology& topology, const Problem& problem)
{
    if (schedule.hops().size() > most_walked)
        return std::nullopt;
    return PieceWalk(schedule, topology, problem)();
}

Entry cutting(Entry entry, MakePieces pieces)
{
    const auto cutter = std::make_shared<const Cutter>(entry, std::move(pieces));
    entry.cost = [cutter](const Topology& topology, const Problem& problem) {
        return cutter->whole().cost(topology, cutter->planned(topology, problem));
    };
    entry.storage = [cutter](const Topology& topology, const Problem& problem) {
        return cutter->whole().storage(topology, cutter->planned(topology, problem));
    };
    entry.phases = [cutter](const Topology& topology, const Problem& problem) {
        const Problem planned = cutter->planned(topology, problem);
        Phases phases = cutter->whole().phases(topology, planned);
        if (planned.bytes != problem.bytes && !phases.empty())
            phases.front().sentence.insert(
                0, fmt::format("{} goes as {}. ", problem.counts.empty() ? "Every message" : "The longest message",
                               packets_of(longest_message(problem), planned.bytes)));
        return phases;
    };
    entry.prepare = CuttingProgram{cutter};
    return entry;
}

bool may_cut(const Entry& entry, const Topology& topology, const Problem& problem)
{
    if (const Recognition* const known = known_to(entry, topology, problem))
        return may_cut(entry, known->network, renamed(problem, *known));
    const Prepare& prepare = prepare_of(entry);
    if (prepare.target<Composed>() != nullptr)
        return problem.link.bound();  // its part may, and may join packets
    const auto* const cutting = prepare.target<CuttingProgram>();
    return cutting != nullptr && cutting->cutter->may_cut(topology, problem);
}

}  // namespace dcube::detail

namespace dcube {

std::optional<MessageCut> chosen_cut(const Entry& entry, const Topology& topology, const Problem& problem)
{
    if (const auto groups = groups_of(problem, topology)) {
        std::optional<MessageCut> cut = chosen_cut(entry, groups->network(), in_group(problem));
        if (cut)
            cut->link_bytes *= groups->count();
        return cut;
    }
    if (const Recognition* const known = detail::known_to(entry, topology, problem))
        return chosen_cut(entry, known->network, detail::renamed(problem, *known));
    const detail::Prepare& prepare = detail::prepare_of(entry);
    if (const auto* const composed = prepare.target<detail::Composed>())
        return detail::cut_of_part(*composed, topology, problem);
    const auto* const cutting = prepare.target<detail::CuttingProgram>();
    return cutting != nullptr ? cutting->cutter->chosen(topology, problem) : std::nullopt;
}

}  // namespace dcube
