// The algorithm that a name means, and the one that "auto" takes.

#include <dcube/bounds.hpp>
#include <dcube/catalogue.hpp>

#include "algorithms/own_algorithms.hpp"
#include "algorithms/programs/composed.hpp"
#include "algorithms/programs/cut_messages.hpp"
#include "algorithms/programs/link_costs.hpp"
#include "algorithms/programs/renaming.hpp"
#include "base/names.hpp"

#include <dcube/error.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace dcube {

namespace {

// Letters and digits only, in lower case: "O.C. SEND 4" and "oc-send-4" are the same name.
std::string folded(std::string_view name)
{
    std::string plain;
    for (const char c : name)
        if (std::isalnum(static_cast<unsigned char>(c)) != 0)
            plain += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return plain;
}

bool is_named(const Entry& algorithm, std::string_view name)
{
    const std::string wanted = folded(name);
    return folded(algorithm.name) == wanted ||
           std::ranges::any_of(algorithm.aliases, [&](std::string_view alias) { return folded(alias) == wanted; });
}

using Candidates = std::vector<const Entry*>;

// More is planned only if it is asked for by name: about ten seconds.
constexpr std::uint64_t most_automatic_work = 10'000'000'000;

using WorkAndAlgorithm = std::pair<std::uint64_t, const Entry*>;

// On all ports what has to be planned is planned for all ports, where that can be: plans for one port take as long to
// make, and have not been seen to be shorter.
void drop_plans_for_one_port(std::vector<WorkAndAlgorithm>& candidates)
{
    const auto is_planned_for = [](PortModel ports) {
        return [ports](const WorkAndAlgorithm& one) { return one.first > 0 && one.second->ports == ports; };
    };
    if (std::ranges::any_of(candidates, is_planned_for(PortModel::all)))
        std::erase_if(candidates, is_planned_for(PortModel::one));
}

// Whether a composed algorithm may take fewer steps; if not, the best algorithm for its part is not looked for.
bool may_take_fewer(std::uint64_t steps, const Entry& algorithm, const Topology& topology, const Problem& problem)
{
    const auto* const composed = detail::prepare_of(algorithm).target<detail::Composed>();
    return composed == nullptr || detail::least_steps(*composed, topology, problem) < steps;
}

// Among algorithms with equally few steps, the one with fewer transmissions. Plans are made only while the best result
// so far is above the bound, those that take less work first.
const Entry* of_fewest_steps(const Candidates& candidates, const Topology& topology, PortModel ports,
                             const Problem& problem)
{
    std::vector<WorkAndAlgorithm> in_order;
    for (const Entry* const algorithm : candidates)
        in_order.emplace_back(algorithm->planning_work(topology, problem), algorithm);
    drop_plans_for_one_port(in_order);
    std::ranges::stable_sort(in_order, {}, &WorkAndAlgorithm::first);
    const Entry* chosen = nullptr;
    Cost least{};
    std::optional<std::uint64_t> bound;
    for (const auto& [work, algorithm] : in_order) {
        if (chosen && work > 0) {
            if (!bound)
                bound = steps_bound(topology, ports, problem).value;
            if (least.steps <= *bound || work > most_automatic_work)
                break;
            if (!may_take_fewer(least.steps, *algorithm, topology, problem))
                continue;
        }
        const Cost here = algorithm->cost(topology, problem);
        if (!chosen || std::tuple(here.steps, here.transmissions) < std::tuple(least.steps, least.transmissions)) {
            chosen = algorithm;
            least = here;
        }
    }
    return chosen;
}

// A time below which no algorithm of the unit model can go: its packets are of one size, and it takes at least the
// steps of the lower bound.
detail::Exact least_of_equal_packets(const Topology& topology, const Problem& problem)
{
    const std::uint64_t steps = steps_bound(topology, PortModel::all, problem).value;
    return detail::LinkCosts(problem.link).packets(steps, packet_size(problem));
}

// Times below which algorithms cannot go, as far as these are known without their plans.
class LeastTimes {
public:
    LeastTimes(const Topology& topology, const Problem& problem) : topology_(topology), problem_(problem) {}

    detail::Exact operator()(const Entry& algorithm)
    {
        const bool equal = algorithm.link == LinkKind::unit && !is_matrix(problem_.collective) &&
                           !detail::may_cut(algorithm, topology_, problem_);
        const detail::Exact& least = equal ? of_equal_packets() : of_any_packets();
        if (!algorithm.time_floor)
            return least;
        return std::max(least, if_it_fits([&] { return algorithm.time_floor(topology_, problem_); }));
    }

private:
    const detail::Exact& of_any_packets()
    {
        if (!of_any_packets_)
            of_any_packets_ = if_it_fits([&] { return time_bound(topology_, problem_).value; });
        return *of_any_packets_;
    }

    const detail::Exact& of_equal_packets()
    {
        if (!of_equal_packets_)
            of_equal_packets_ = least_of_equal_packets(topology_, problem_);
        return *of_equal_packets_;
    }

    // 0 if the value does not fit in 64 bits.
    template <class Find>
    static detail::Exact if_it_fits(const Find& find)
    {
        try {
            return detail::exact(find());
        } catch (const InvalidArgument&) {
            return 0;
        }
    }

    const Topology& topology_;
    const Problem& problem_;
    std::optional<detail::Exact> of_any_packets_{};
    std::optional<detail::Exact> of_equal_packets_{};
};

// A candidate on links that take time.
struct Timed {
    const Entry* algorithm;
    detail::Exact least;  // it takes no less
    // The rank of equally fast candidates: those made for such links come first, then those that are planned for all
    // ports, as they are all used there, or not planned at all, then those whose plans take less work.
    std::tuple<bool, bool, std::uint64_t, std::size_t> rank;

    [[nodiscard]] bool takes_long() const { return std::get<2>(rank) > most_automatic_work; }
};

// The candidates, those that may be fastest first, so that none is planned, or walked through, that cannot be.
std::vector<Timed> most_promising_first(const Candidates& candidates, const Topology& topology, const Problem& problem)
{
    LeastTimes least(topology, problem);
    std::vector<Timed> all;
    for (const Entry* const algorithm : candidates) {
        const std::uint64_t work = algorithm->planning_work(topology, problem);
        const bool for_one_port = algorithm->ports == PortModel::one && work > 0;
        all.push_back(
            {algorithm, least(*algorithm), {algorithm->link != problem.link.kind, for_one_port, work, all.size()}});
    }
    std::ranges::sort(all, [](const Timed& a, const Timed& b) {
        return std::tuple(a.takes_long(), a.least, a.rank) < std::tuple(b.takes_long(), b.least, b.rank);
    });
    return all;
}

const Entry* of_least_time(const Candidates& candidates, const Topology& topology, PortModel ports,
                           const Problem& problem)
{
    const std::vector<Timed> all = most_promising_first(candidates, topology, problem);
    const Timed* chosen = nullptr;
    detail::Exact least;
    for (const Timed& one : all) {
        if (chosen && (one.takes_long() || std::tie(one.least, one.rank) >= std::tie(least, chosen->rank)))
            continue;
        const std::optional<PredictedTime> time = predicted_time(*one.algorithm, topology, problem);
        if (!time)
            continue;
        detail::Exact found = detail::exact(time->ns);
        if (!chosen || std::tie(found, one.rank) < std::tie(least, chosen->rank)) {
            chosen = &one;
            least = std::move(found);
        }
    }
    return chosen ? chosen->algorithm : of_fewest_steps(candidates, topology, ports, problem);
}

// Tuning choices are for algorithms made for links that take time: where any choice is set, others are not taken.
void drop_those_without_choices(Candidates& candidates, const Tuning& tuning)
{
    std::erase_if(candidates, [&](const Entry* algorithm) {
        return algorithm->link == LinkKind::unit && !ignored_choice(*algorithm, tuning).empty();
    });
}

// Where nodes or links differ, some collectives have no algorithm at all.
[[noreturn]] void refuse_collective(const Topology& topology, Collective collective)
{
    std::vector<std::string_view> possible;
    for (const Entry& algorithm : catalogue())
        if (contains(algorithm.networks, topology) &&
            (possible.empty() || possible.back() != name(algorithm.collective)))
            possible.push_back(name(algorithm.collective));
    throw InvalidArgument(fmt::format("{} has no algorithm for {}, whose nodes or links differ: expected one of {}",
                                      name(collective), topology.title(), fmt::join(possible, ", ")));
}

// A reason, and the algorithms that have it: many share one.
using Obstacles = std::vector<std::pair<std::string, std::vector<std::string_view>>>;

void add(Obstacles& obstacles, const std::string& reason, std::string_view algorithm)
{
    auto same = std::ranges::find(obstacles, reason, &Obstacles::value_type::first);
    if (same == obstacles.end())
        same = obstacles.insert(same, {reason, {}});
    same->second.push_back(algorithm);
}

[[noreturn]] void refuse_all(Collective collective, const Obstacles& obstacles)
{
    std::vector<std::string> texts;
    for (const auto& [reason, algorithms] : obstacles)
        texts.push_back(fmt::format("{}: {}", fmt::join(algorithms, ", "), reason));
    throw InvalidArgument(fmt::format("no algorithm can do this {}: {}", name(collective), fmt::join(texts, "; ")));
}

const Entry& best(const Topology& topology, PortModel ports, const Problem& problem)
{
    if (const Recognition* const known = detail::known_for(topology, problem))
        return best(known->network, ports, detail::renamed(problem, *known));
    Candidates candidates;
    Obstacles obstacles;
    bool made_for_these_links = false;
    for (const Entry& algorithm : catalogue()) {
        if (algorithm.collective != problem.collective || !contains(algorithm.networks, topology))
            continue;
        made_for_these_links = made_for_these_links || (algorithm.link == problem.link.kind &&
                                                        ignored_choice(algorithm, problem.tuning).empty());
        if (const std::string obstacle = obstacle_of(algorithm, topology, ports, problem); !obstacle.empty())
            add(obstacles, obstacle, algorithm.name);
        else if (algorithm.automatic && !leaves_ports_idle(algorithm, topology, ports))
            candidates.push_back(&algorithm);
    }
    if (problem.link.bound() && made_for_these_links)
        drop_those_without_choices(candidates, problem.tuning);
    const auto least = problem.link.bound() ? of_least_time : of_fewest_steps;
    const Entry* const chosen = least(candidates, topology, ports, problem);
    if (!chosen && obstacles.empty())
        refuse_collective(topology, problem.collective);
    if (!chosen)
        refuse_all(problem.collective, obstacles);
    return *chosen;
}

const Entry& named(const Topology& topology, PortModel ports, const Problem& problem, std::string_view wanted)
{
    constexpr std::string_view unit_only = "unit:";
    const bool only_unit = wanted.starts_with(unit_only);
    const std::string_view plain = only_unit ? wanted.substr(unit_only.size()) : wanted;
    std::vector<std::string_view> names;
    const Entry* found = nullptr;
    for (const Entry* const algorithm : algorithms_for(problem.collective)) {
        const bool suits =
            contains(algorithm->networks, topology) && (algorithm->link == LinkKind::unit || problem.link.bound());
        if (suits && std::ranges::find(names, algorithm->name) == names.end())
            names.push_back(algorithm->name);
        const bool preferred = algorithm->link == (only_unit ? LinkKind::unit : problem.link.kind);
        if (is_named(*algorithm, plain) && (preferred || (!found && !only_unit)))
            found = algorithm;
    }
    if (detail::is_file(wanted))
        found = &detail::algorithm_in_file(problem.collective, ports, wanted);
    if (!found)
        throw InvalidArgument(
            "algorithm",
            fmt::format("{} has no algorithm {}: {}", name(problem.collective), quoted(wanted),
                        suggestion(plain, names, fmt::format("expected one of auto, {}", fmt::join(names, ", ")))));
    if (const std::string obstacle = obstacle_of(*found, topology, ports, problem); !obstacle.empty())
        throw InvalidArgument(
            "algorithm", fmt::format("{} by {} is not possible here: {}", name(problem.collective), wanted, obstacle));
    return *found;
}

}  // namespace

bool leaves_ports_idle(const Algorithm& algorithm, const Topology& topology, PortModel ports)
{
    return topology.is_hypercube() && ports == PortModel::all && algorithm.ports == PortModel::one &&
           algorithm.link == LinkKind::link_bound;
}

const Entry& find_algorithm(const Topology& topology, PortModel ports, const Problem& problem, std::string_view name)
{
    validate(problem, topology);
    if (const auto groups = groups_of(problem, topology))
        return find_algorithm(groups->network(), ports, in_group(problem), name);
    return name == "auto" ? best(topology, ports, problem) : named(topology, ports, problem, name);
}

}  // namespace dcube
