// Which algorithm a name means, and which one "auto" takes.

#include <dcube/catalogue.hpp>

#include "base/names.hpp"

#include <dcube/error.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <string>
#include <tuple>

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

bool is_named(const Algorithm& algorithm, std::string_view name)
{
    const std::string wanted = folded(name);
    return folded(algorithm.name) == wanted ||
           std::ranges::any_of(algorithm.aliases, [&](std::string_view alias) { return folded(alias) == wanted; });
}

// What "auto" compares: virtual time under the link-bound model, else steps and transmissions.
struct Rank {
    Rational time;
    Cost cost{};

    friend bool operator<(const Rank& a, const Rank& b)
    {
        return std::tuple(a.time, a.cost.steps, a.cost.transmissions) <
               std::tuple(b.time, b.cost.steps, b.cost.transmissions);
    }
};

std::optional<Rank> rank(const Algorithm& algorithm, const Topology& topology, const Problem& problem, bool by_time)
{
    if (!by_time)
        return Rank{{}, algorithm.cost(topology, problem)};
    if (const std::optional<Rational> time = algorithm.time(topology, problem))
        return Rank{*time};
    return std::nullopt;
}

const Algorithm* best_of(const std::vector<const Algorithm*>& candidates, const Topology& topology,
                         const Problem& problem, bool by_time)
{
    const Algorithm* chosen = nullptr;
    Rank least{};
    for (const Algorithm* const algorithm : candidates) {
        const std::optional<Rank> here = rank(*algorithm, topology, problem, by_time);
        if (here && (!chosen || *here < least)) {
            chosen = algorithm;
            least = *here;
        }
    }
    return chosen;
}

const Algorithm& best(const Topology& topology, PortModel ports, const Problem& problem)
{
    std::vector<const Algorithm*> candidates;
    std::vector<std::string> obstacles;
    bool made_for_these_links = false;
    for (const Algorithm& algorithm : catalogue()) {
        if (algorithm.collective != problem.collective || !contains(algorithm.networks, topology))
            continue;
        made_for_these_links = made_for_these_links || algorithm.link == problem.link.kind;
        if (const std::string obstacle = obstacle_of(algorithm, topology, ports, problem); !obstacle.empty())
            obstacles.push_back(fmt::format("{}: {}", algorithm.name, obstacle));
        else if (algorithm.automatic)
            candidates.push_back(&algorithm);
    }
    // On networks for which no algorithm was made for links that take time, one for the unit model will do.
    const bool by_time = problem.link.bound() && made_for_these_links;
    const Algorithm* const chosen = best_of(candidates, topology, problem, by_time);
    if (!chosen)
        throw InvalidArgument(
            fmt::format("no algorithm can do this {}: {}", name(problem.collective), fmt::join(obstacles, "; ")));
    return *chosen;
}

const Algorithm& named(const Topology& topology, PortModel ports, const Problem& problem, std::string_view wanted)
{
    constexpr std::string_view unit_only = "unit:";
    const bool only_unit = wanted.starts_with(unit_only);
    const std::string_view plain = only_unit ? wanted.substr(unit_only.size()) : wanted;
    std::vector<std::string_view> names;
    const Algorithm* found = nullptr;
    for (const Algorithm& algorithm : catalogue()) {
        if (algorithm.collective != problem.collective)
            continue;
        const bool suits =
            contains(algorithm.networks, topology) && (algorithm.link == LinkKind::unit || problem.link.bound());
        if (suits && std::ranges::find(names, algorithm.name) == names.end())
            names.push_back(algorithm.name);
        const bool preferred = algorithm.link == (only_unit ? LinkKind::unit : problem.link.kind);
        if (is_named(algorithm, plain) && (preferred || (!found && !only_unit)))
            found = &algorithm;
    }
    if (!found)
        throw InvalidArgument(fmt::format("{} is no algorithm for {}: {}auto, {} are", quoted(wanted),
                                          name(problem.collective), suggestion(plain, names), fmt::join(names, ", ")));
    if (const std::string obstacle = obstacle_of(*found, topology, ports, problem); !obstacle.empty())
        throw InvalidArgument(
            fmt::format("{} by {} is not possible here: {}", name(problem.collective), wanted, obstacle));
    return *found;
}

}  // namespace

const Algorithm& find_algorithm(const Topology& topology, PortModel ports, const Problem& problem,
                                std::string_view name)
{
    validate(problem, topology);
    return name == "auto" ? best(topology, ports, problem) : named(topology, ports, problem, name);
}

}  // namespace dcube
