#include "inspect/view/words/titles.hpp"

#include "base/exact.hpp"
#include "base/numbers.hpp"
#include "collectives/coordinates.hpp"
#include "inspect/explain/arithmetic.hpp"
#include "inspect/view/words/clean.hpp"
#include "run/describe.hpp"
#include "run/report.hpp"

#include <dcube/collective.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

namespace dcube::view {

namespace {

// "graph:networks/campus.txt" as "the network campus"; a file's name that says nothing as "a network of 6 nodes".
std::string file_network(const Topology& topology)
{
    const std::string whole_name = topology.name();
    std::string_view name = whole_name;
    name.remove_prefix(name.find(':') + 1);
    name.remove_prefix(name.rfind('/') + 1);
    if (const std::size_t dot = name.rfind('.'); dot != 0)  // that of ".campus" begins the name
        name = name.substr(0, dot);
    constexpr std::array<std::string_view, 5> nameless{"graph", "network", "edges", "links", "topology"};
    if (std::ranges::find(nameless, name) != nameless.end())
        return fmt::format("a network of {}", grouped(topology.members(), "node"));
    return "the network " + clean(std::string(name), longest_title);
}

// "a 4-cube", "a torus of 6x6", "ring:5*path:4", "the network campus"
std::string whole_network(const Topology& topology)
{
    std::string words = detail::product_words(topology);
    if (words.starts_with("graph:") && topology.dimension() == 1)
        return file_network(topology);
    return clean(words, longest_title);
}

// "node 9", "nodes 3, 9 and 12"; of many only how many.
std::string listed(std::string_view what, const std::vector<std::string>& names)
{
    constexpr std::size_t few = 4;
    if (names.size() > few)
        return grouped(names.size(), what);
    std::string text = plural(names.size(), what);
    for (std::size_t i = 0; i < names.size(); ++i)
        text += (i == 0 ? " " : i + 1 == names.size() ? " and " : ", ") + names[i];
    return text;
}

std::string_view unnamed(const Recording& recording)
{
    return is_program_alone(recording) ? "a program" : "a trace";
}

std::string paper_of(const Entry& algorithm)
{
    return algorithm.paper.empty() ? "" : fmt::format(" ({})", algorithm.paper);
}

std::string ns_text(const Rational& ns)
{
    return explain::text_of(detail::exact(ns));
}

std::string bound_text(const Recording& recording)
{
    const Rational bound = lower_bound(recording);
    if (recording.free || !recording.judged)
        return amount_text(recording, reached(recording));
    if (reached(recording) == bound)
        return fmt::format("{}: the {} there can be", amount_text(recording, reached(recording)),
                           recording.problem.link.bound() ? "least" : "fewest");
    return fmt::format("{}; the lower bound is {}", amount_text(recording, reached(recording)),
                       amount_text(recording, bound));
}

std::string link_use_text(const Recording& recording)
{
    const Topology& topology = recording.topology;
    if (topology.directed_links() == 0)
        return "no links";
    return fmt::format("{:.1f} % of {} in {}",
                       100 * link_utilisation(topology, recording.steps, recording.transmissions),
                       grouped(topology.directed_links(), "directed link"), grouped(recording.steps, "step"));
}

}  // namespace

std::string network_text(const Topology& topology)
{
    const Faults& faults = topology.faults();
    std::vector<std::string> nodes;
    for (const NodeId node : faults.nodes)
        nodes.push_back(std::to_string(node));
    std::vector<std::string> links;
    for (const auto& [a, b] : faults.links)
        links.push_back(fmt::format("{}-{}", a, b));
    std::string missing;
    if (!nodes.empty())
        missing = listed("node", nodes);
    if (!links.empty())
        missing += (nodes.empty() ? "" : " and ") + listed("link", links);
    return whole_network(topology.whole()) + (missing.empty() ? "" : " without " + missing);
}

std::string stage_name(const Topology& topology)
{
    std::string text = network_text(topology);
    for (const std::string_view article : {"a ", "an ", "the "})
        if (text.starts_with(article))
            return text.substr(article.size());
    return text;
}

bool is_program_alone(const Recording& recording)
{
    return recording.free && !recording.report;
}

std::string title_of(const Recording& recording)
{
    return fmt::format("{} {} {}", recording.free ? "A program" : traits(recording.problem.collective).title,
                       recording.problem.within.empty() ? "on" : "in groups on", network_text(recording.topology));
}

std::string subtitle_of(const Recording& recording)
{
    const bool one = recording.ports == PortModel::one;
    std::string links;
    if (const LinkModel& link = recording.problem.link; recording.topology.times_all_links())
        links = ", links with times of their own";
    else if (link.bound())
        links = fmt::format(", {}{} ns per byte and {} ns per packet",
                            link.duplex == Duplex::half ? "half duplex, " : "", ns_text(link.tau), ns_text(link.beta));
    const std::string nodes =
        fmt::format("{}, {}{}", grouped(recording.topology.members(), "node"), one ? "one port" : "all ports", links);
    if (is_program_alone(recording))
        return nodes + ".";
    return fmt::format("{}: {}.", nodes,
                       recording.free ? fmt::format("each has {} to begin with",
                                                    size_text(recording.problem.bytes * recording.problem.packets))
                                      : describe(recording.problem, recording.topology));
}

std::string name_of(const Recording& recording)
{
    if (recording.algorithm == nullptr)
        return std::string(unnamed(recording));
    return std::string(recording.algorithm->name) + paper_of(*recording.algorithm);
}

std::string label_of(const Recording& recording)
{
    return fmt::format("{}: {}, {}", recording.algorithm == nullptr ? unnamed(recording) : recording.algorithm->name,
                       recording.ports == PortModel::one ? "one port" : "all ports",
                       amount_text(recording, reached(recording)));
}

namespace {

/// A row of the report: what it is about, and what there is to say.
using ReportRow = std::pair<std::string, std::string>;

// Who has looked at the result, and has found it right.
ReportRow judgement_row(const Recording& recording)
{
    if (recording.free)
        return {"verified", "nothing: it achieves no collective that is known"};
    if (!recording.judged)
        return {"judged", "no: it is shown as it is"};
    if (recording.report)
        return {"verified", verified_text(*recording.report)};
    return {"judged", "the trace achieves its collective"};
}

}  // namespace

std::vector<std::pair<std::string, std::string>> report_rows(const Recording& recording)
{
    std::vector<ReportRow> rows;
    rows.emplace_back("algorithm", name_of(recording));
    rows.emplace_back("network", recording.topology.name());
    if (recording.ending) {
        rows.emplace_back(recording.ending->what == Ending::What::rejected ? "rejected" : "failed",
                          recording.ending->message);
        if (recording.free || !recording.judged)
            rows.push_back(judgement_row(recording));
        return rows;
    }
    rows.emplace_back(recording.problem.link.bound() ? "virtual time" : "steps", bound_text(recording));
    rows.emplace_back("transmissions", grouped(recording.transmissions));
    rows.emplace_back("link use", link_use_text(recording));
    rows.push_back(judgement_row(recording));
    if (recording.report && !recording.free && recording.judged)
        rows.emplace_back("digest", recording.report->result_digest);
    return rows;
}

Rational reached(const Recording& recording)
{
    if (!recording.problem.link.bound())
        return {recording.steps, 1};
    if (recording.report && recording.report->virtual_time_ns)
        return *recording.report->virtual_time_ns;
    if (recording.verdict)
        return recording.verdict->virtual_time_ns.value_or(Rational{});
    return detail::to_rational(detail::Exact(recording.end) / recording.problem.link.ticks_per_ns());
}

Rational lower_bound(const Recording& recording)
{
    const bool timed = recording.problem.link.bound();
    if (recording.report)
        return timed ? recording.report->time_lower_bound_ns.value_or(Rational{})
                     : Rational{static_cast<std::int64_t>(recording.report->steps_lower_bound), 1};
    if (recording.verdict)
        return timed ? recording.verdict->time_lower_bound_ns.value_or(Rational{})
                     : Rational{static_cast<std::int64_t>(recording.verdict->steps_lower_bound), 1};
    return {};
}

std::string tenths_of_ns(const Rational& amount)
{
    using detail::Integer;
    const Integer tenths = Integer(amount.numerator) * Integer(10) / Integer(amount.denominator);
    const std::string digit = (tenths % Integer(10)).str();
    return explain::text_of(tenths / Integer(10)) + (digit == "0" ? "" : "." + digit) + " ns";
}

std::string amount_text(const Recording& recording, const Rational& amount)
{
    if (recording.problem.link.bound())
        return tenths_of_ns(amount);
    return grouped(static_cast<std::uint64_t>(amount.numerator), "step");
}

}  // namespace dcube::view
