#include <dcube/message_counts.hpp>

#include "base/names.hpp"
#include "base/numbers.hpp"
#include "base/words.hpp"

#include <dcube/error.hpp>
#include <dcube/link.hpp>
#include <dcube/random.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <string>

namespace dcube {

namespace {

constexpr std::string_view laws[] = {"zipf:S[:MEAN]", "sparse:P[:MEAN]", "poisson:MEAN", "block:K[:MEAN]",
                                     "hot:NODE:MEAN"};
constexpr double largest_mean = 1e6;
constexpr double most_drawn = 1e9;                       // which are drawn one by one: some ten seconds
constexpr NodeId most_nodes_of_pairs = NodeId{1} << 14;  // a number for each of 2^28 pairs: 1 GiB

bool is_for_pairs(Collective collective)
{
    return pattern_of(collective) == Pattern::each_to_each;
}

// The messages that travel, as a law sees them.
double messages_of_law(Collective collective, const Topology& topology)
{
    const double members = topology.members();
    return is_for_pairs(collective) ? members * (members - 1) : members;
}

// The law and its parameters, one after the other.
class LawText {
public:
    explicit LawText(std::string_view text) : text_(text), parts_(split(text, ":")) {}

    [[nodiscard]] std::string_view name() const { return parts_.front(); }
    [[nodiscard]] std::size_t parameters() const { return parts_.size() - 1; }

    [[noreturn]] void refuse() const
    {
        throw InvalidArgument(
            is_like_a_file() ? fmt::format("{} is not a law of counts: a file is written as @{}", quoted(text_), text_)
                             : fmt::format("{} is not a law of counts: expected {}, @FILE or numbers", quoted(text_),
                                           fmt::join(laws, ", ")));
    }

    void require_parameters(std::size_t least, std::size_t most) const
    {
        if (parameters() < least || parameters() > most)
            refuse();
    }

    // Parameter 1, 2, ..: a number above `least`, up to `most`.
    [[nodiscard]] double number(std::size_t index, std::string_view what, double least, double most) const
    {
        const auto refuse_it = [&](std::string_view why) {
            throw InvalidArgument(fmt::format("{} of {} is {}: more than {} and at most {} is allowed", what,
                                              quoted(text_), why, least, most));
        };
        double value = 0;
        try {
            value = parse_rational(what, parts_[index]).to_double();
        } catch (const InvalidArgument&) {
            refuse_it("not a number such as 2, 1/3 or 0.5");
        }
        if (!(value > least && value <= most))
            refuse_it("out of range");
        return value;
    }

    [[nodiscard]] double mean(std::size_t index) const
    {
        return index > parameters() ? 1 : number(index, "the mean", 0, largest_mean);
    }

    // Where so many messages have so many packets each, on average.
    void require_few(double messages, double mean) const
    {
        if (messages * mean > most_drawn)
            throw InvalidArgument(fmt::format("{} has too many packets: at most {} in all are allowed", quoted(text_),
                                              grouped(static_cast<std::uint64_t>(most_drawn))));
    }

    [[nodiscard]] std::uint64_t whole(std::size_t index, std::string_view what, NumberRange allowed) const
    {
        const auto value = parsed_number<std::uint64_t>(parts_[index]);
        if (!value || *value < allowed.least || *value > allowed.most)
            throw InvalidArgument(
                fmt::format("{} of {} is not possible: {}", what, quoted(text_), allowed_text(allowed)));
        return *value;
    }

private:
    [[nodiscard]] bool is_like_a_file() const
    {
        return parameters() == 0 && text_.find_first_of("./") != std::string_view::npos;
    }

    std::string_view text_;
    std::vector<std::string> parts_;
};

// Knuth's product of uniform numbers, in parts that do not underflow.
std::uint32_t poisson(double mean, Random& random)
{
    constexpr double part = 16;
    std::uint32_t number = 0;
    for (; mean > 0; mean -= part) {
        const double end = std::exp(-std::min(mean, part));
        for (double product = random.uniform(); product > end; product *= random.uniform())
            ++number;
    }
    return number;
}

// Draws members by popularity: the one of rank r has weight r^-s, and who has which rank is drawn first.
class ByPopularity {
public:
    ByPopularity(const Topology& topology, double s, Random& random) : random_(random)
    {
        for (NodeId number = 0; number < topology.members(); ++number) {
            ranked_.push_back(topology.member(number));
            below_.push_back((below_.empty() ? 0 : below_.back()) + std::pow(number + 1.0, -s));
        }
        random_.shuffle(ranked_);
    }

    NodeId draw()
    {
        const double at = random_.uniform() * below_.back();
        const auto found = std::ranges::upper_bound(below_, at);
        return ranked_[std::min(static_cast<std::size_t>(found - below_.begin()), ranked_.size() - 1)];
    }

private:
    Random& random_;
    std::vector<NodeId> ranked_;
    std::vector<double> below_;  // sums of weights up to each rank
};

std::vector<std::uint32_t> zipf(const LawText& law, Collective collective, const Topology& topology, Random& random)
{
    law.require_parameters(1, 2);
    const NodeId members = topology.members();
    std::vector<std::uint32_t> counts(counts_needed(collective, topology));
    ByPopularity nodes(topology, law.number(1, "S", 0, 10), random);
    const double mean = law.mean(2);
    law.require_few(messages_of_law(collective, topology), mean);
    if (!is_for_pairs(collective)) {
        for (double drawn = 0; drawn < mean * members; ++drawn)
            ++counts[nodes.draw()];
        return counts;
    }
    for (NodeId number = 0; members > 1 && number < members; ++number) {
        const NodeId origin = topology.member(number);
        for (double drawn = 0; drawn < mean * (members - 1);) {
            const NodeId target = nodes.draw();
            if (target == origin)
                continue;
            ++counts[std::size_t{origin} * topology.nodes() + target];
            ++drawn;
        }
    }
    return counts;
}

// Calls packets(origin, target) for every message between members, or packets(node, node) for that of every member.
template <class Packets>
std::vector<std::uint32_t> each_message(Collective collective, const Topology& topology, const Packets& packets)
{
    std::vector<std::uint32_t> counts(counts_needed(collective, topology));
    for (NodeId i = 0; i < topology.members(); ++i) {
        const NodeId origin = topology.member(i);
        if (!is_for_pairs(collective)) {
            counts[origin] = packets(origin, origin);
            continue;
        }
        for (NodeId j = 0; j < topology.members(); ++j)
            if (const NodeId target = topology.member(j); target != origin)
                counts[std::size_t{origin} * topology.nodes() + target] = packets(origin, target);
    }
    return counts;
}

std::uint32_t whole_mean(const LawText& law, std::size_t index)
{
    return index > law.parameters() ? 1
                                    : static_cast<std::uint32_t>(
                                          law.whole(index, "the mean", {1, static_cast<std::uint64_t>(largest_mean)}));
}

}  // namespace

std::span<const std::string_view> count_laws()
{
    return laws;
}

std::size_t counts_needed(Collective collective, const Topology& topology)
{
    const std::size_t nodes = topology.nodes();
    return is_for_pairs(collective) ? nodes * nodes : nodes;
}

std::vector<std::uint32_t> counts_by_law(std::string_view text, Collective collective, const Topology& topology,
                                         std::uint64_t seed)
{
    const LawText law(text);
    if (is_for_pairs(collective) && topology.nodes() > most_nodes_of_pairs)
        throw InvalidArgument(fmt::format("a law of counts for {} is for up to {}, and there are {}", name(collective),
                                          grouped(most_nodes_of_pairs, "node"), grouped(topology.nodes())));
    Random random(seed);
    if (same_name(law.name(), "zipf"))
        return zipf(law, collective, topology, random);
    if (same_name(law.name(), "sparse")) {
        law.require_parameters(1, 2);
        const double share = law.number(1, "P", 0, 1);
        const double mean = law.mean(2) / share;
        law.require_few(std::max(1.0, share * messages_of_law(collective, topology)), mean);
        return each_message(collective, topology,
                            [&](NodeId, NodeId) { return random.uniform() < share ? poisson(mean, random) : 0; });
    }
    if (same_name(law.name(), "poisson")) {
        law.require_parameters(1, 1);
        const double mean = law.mean(1);
        law.require_few(messages_of_law(collective, topology), mean);
        return each_message(collective, topology, [&](NodeId, NodeId) { return poisson(mean, random); });
    }
    if (same_name(law.name(), "block")) {
        law.require_parameters(1, 2);
        if (!is_for_pairs(collective))
            throw InvalidArgument(fmt::format("block is for all-to-all, whose messages are between two nodes: expected "
                                              "another law for {}",
                                              name(collective)));
        const std::uint64_t size = law.whole(1, "K", {1, topology.nodes()});
        const std::uint32_t packets = whole_mean(law, 2);
        return each_message(collective, topology,
                            [&](NodeId origin, NodeId target) { return origin / size == target / size ? packets : 0; });
    }
    if (same_name(law.name(), "hot")) {
        law.require_parameters(2, 2);
        const std::uint64_t hot = law.whole(1, "the node", {0, topology.nodes() - std::uint64_t{1}});
        const double mean = law.mean(2);
        law.require_few(is_for_pairs(collective) ? topology.members() : 1, mean);
        return each_message(collective, topology,
                            [&](NodeId, NodeId target) { return target == hot ? poisson(mean, random) : 1; });
    }
    law.refuse();
}

std::vector<std::uint32_t> parse_counts(std::string_view text, Collective collective, const Topology& topology)
{
    const std::size_t needed = counts_needed(collective, topology);
    const auto refuse = [](std::size_t line, const std::string& what) {
        throw InvalidArgument(fmt::format("line {}: {}", line, what));
    };
    std::vector<std::uint32_t> counts;
    Words words(text, ',');
    for (std::string_view word = words.next(); !word.empty(); word = words.next()) {
        const auto count = parsed_number<std::uint32_t>(word);
        if (!count)
            refuse(words.line(), fmt::format("{} is not a whole number from 0 to {}", quoted(word),
                                             std::numeric_limits<std::uint32_t>::max()));
        if (counts.size() == needed)
            refuse(words.line(), fmt::format("{} is one number too many: {} of {} needs {}", *count, name(collective),
                                             topology.title(), needed));
        counts.push_back(*count);
    }
    if (counts.size() != needed)
        refuse(words.line(), fmt::format("the counts end after {}: {} of {} needs {}", counted(counts.size(), "number"),
                                         name(collective), topology.title(), needed));
    return counts;
}

}  // namespace dcube
