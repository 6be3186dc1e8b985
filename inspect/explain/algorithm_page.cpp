#include "base/numbers.hpp"
#include "inspect/explain/arithmetic.hpp"
#include "inspect/explain/costs.hpp"
#include "inspect/explain/pages.hpp"

#include <dcube/report.hpp>
#include <dcube/run.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <utility>

namespace dcube::explain {

namespace {

// ---- A small case, really run: who sends what to whom in each step ----

struct Sent {
    Step step;
    NodeId from;
    NodeId to;
    Port port;
    std::uint64_t bytes;
    std::vector<Piece> pieces;
};

bool every_node_acts(Collective collective)
{
    return !has_root(collective) && !has_peer(collective) && !has_permutation(collective) && !is_matrix(collective);
}

// The same step as node 0 sees it, were it the sender.
std::string seen_from_sender(const Topology& topology, const Sent& sent)
{
    std::string text = fmt::format("{}:", sent.port);
    for (const Piece& one : sent.pieces) {
        const auto shown = [&](const std::optional<NodeId>& node) {
            return node ? std::to_string(topology.untranslate(*node, sent.from)) : std::string("*");
        };
        text += fmt::format(" {}>{} {}+{}", shown(one.origin), shown(one.target), one.offset, one.length);
    }
    return text;
}

// Whether every node does in every step what node 0 does, seen from itself.
bool all_alike(const Topology& topology, const std::vector<Sent>& all)
{
    if (!topology.symmetric())
        return false;
    std::map<NodeId, std::multiset<std::pair<Step, std::string>>> of;
    for (const Sent& sent : all)
        of[sent.from].insert({sent.step, seen_from_sender(topology, sent)});
    return of.size() == topology.nodes() &&
           std::ranges::all_of(of, [&](const auto& one) { return one.second == of.begin()->second; });
}

// The details in which packets of this collective differ.
enum class Shown : std::uint8_t { nothing, bytes, both, origin, target, number };

Shown shown_of(const Case& one)
{
    if (is_barrier(one.problem.collective))
        return Shown::nothing;
    if (one.problem.link.bound() || is_matrix(one.problem.collective))
        return Shown::bytes;
    const CollectiveTraits& collective = traits(one.problem.collective);
    if (collective.origin == Who::all)
        return collective.target == Who::all ? Shown::both : Shown::origin;
    return collective.target == Who::all ? Shown::target : Shown::number;
}

std::string packet_text(const Case& one, const Sent& sent)
{
    const Shown shown = shown_of(one);
    if (shown == Shown::nothing)
        return {};
    const Piece& piece = sent.pieces.front();
    switch (shown) {
    case Shown::bytes: return fmt::format("{}B", sent.bytes);
    case Shown::both: return fmt::format("{}>{}", piece.origin.value_or(0), piece.target.value_or(0));
    case Shown::origin: return std::to_string(piece.origin.value_or(0));
    case Shown::target: return std::to_string(piece.target.value_or(0));
    case Shown::nothing:
    case Shown::number: break;
    }
    return std::to_string(piece.offset / one.problem.bytes);
}

std::string_view packet_legend(const Case& one)
{
    switch (shown_of(one)) {
    case Shown::nothing: return "";
    case Shown::bytes: return "bytes";
    case Shown::both: return "origin>target";
    case Shown::origin: return "origin";
    case Shown::target: return "target";
    case Shown::number: break;
    }
    return "packet";
}

// Empty packets have no text.
std::string with_colon(const std::string& text)
{
    return text.empty() ? "" : ":" + text;
}

std::vector<ProofLine> rows_of(const Case& one, const std::vector<Sent>& all, bool node_0_only, std::size_t most)
{
    std::vector<ProofLine> rows;
    for (const Sent& sent : all) {
        if (node_0_only && sent.from != 0)
            continue;
        const std::string label = fmt::format("step {}", sent.step);
        if (rows.empty() || rows.back().words != label) {
            if (rows.size() == most)
                break;
            rows.push_back({label, ""});
        }
        std::string& row = rows.back().number;
        row += row.empty() ? "" : " ";
        row += node_0_only ? std::to_string(sent.port) : fmt::format("{}->{}", sent.from, sent.to);
        row += with_colon(packet_text(one, sent));
    }
    return rows;
}

struct SmallCase {
    Report report;
    std::string legend;           ///< how the rows are to be read
    std::vector<ProofLine> rows;  ///< "step 1", "0->1 0->2"
    std::string cut_off{};        ///< where there are too many steps to show
};

SmallCase run_small(const Entry& algorithm, const Case& one)
{
    constexpr std::size_t most_steps = 12;
    std::vector<Sent> all;
    RunOptions options;
    options.trace = [&](const Transmission& sent) {
        all.push_back({sent.step, sent.from, sent.to, sent.port, sent.bytes, {sent.pieces.begin(), sent.pieces.end()}});
    };
    Machine machine(one.topology, {.ports = one.ports, .link = one.problem.link, .threads = 1});
    SmallCase small{.report = run_verified(machine, algorithm, one.problem, {}, options), .legend = {}, .rows = {}};
    const bool alike = every_node_acts(one.problem.collective) && all_alike(one.topology, all);
    const std::string legend = with_colon(std::string(packet_legend(one)));
    small.legend = alike ? fmt::format("Every node does the same, seen from itself; node 0 sends (port{})", legend)
                         : fmt::format("Who sends (sender->receiver{})", legend);
    small.rows = rows_of(one, all, alike, most_steps);
    if (small.report.counts.steps > most_steps)
        small.cut_off = fmt::format("and so on, up to step {}", small.report.counts.steps);
    return small;
}

// ---- The pages ----

std::string title(const Entry& algorithm)
{
    std::string aliases;
    for (const std::string_view alias : algorithm.aliases)
        aliases += fmt::format("{}{}", aliases.empty() ? "" : ", ", alias);
    return fmt::format("{} by {}{}", name(algorithm.collective), algorithm.name,
                       aliases.empty() ? "" : " (" + aliases + ")");
}

std::string whose(const Entry& algorithm)
{
    switch (algorithm.origin) {
    case Origin::paper: return fmt::format("The paper's, as it stands there: {}.", algorithm.paper);
    case Origin::refinement:
        return fmt::format("A refinement, dcube's own, of what stands in the paper: {}.", algorithm.paper);
    case Origin::dcube:
        if (constexpr std::string_view textbook = "textbook"; algorithm.paper.starts_with(textbook))
            return fmt::format("dcube's own form of a textbook algorithm{}.", algorithm.paper.substr(textbook.size()));
        if (algorithm.paper.starts_with("beyond"))
            return fmt::format("dcube's own, {}.", algorithm.paper);
        return fmt::format("dcube's own. What it starts from: {}.", algorithm.paper);
    case Origin::own: break;
    }
    return "The caller's own.";
}

// For the caller's algorithms only their own description is known.
std::string idea_text(const Entry& algorithm)
{
    if (algorithm.origin != Origin::own)
        return std::string(algorithm.idea);
    const std::string_view said = algorithm.summary.empty() ? algorithm.paper : algorithm.summary;
    return fmt::format("The caller's own{}{}.", said.empty() ? "" : ": ", said);
}

std::string_view order_text(const Entry& algorithm)
{
    if (is_scan(algorithm.collective))
        return algorithm.keeps_order ? " It combines in the order of the nodes, so an operation need not commute." : "";
    if (algorithm.collective != Collective::all_reduce)
        return "";
    return algorithm.same_bits
               ? " All nodes add up in the same order, so that sums of floats have the same bits everywhere."
               : " Nodes may add up in different orders, so that sums of floats may be different.";
}

Section idea(const Entry& algorithm)
{
    return {
        "The idea",
        {paragraph(idea_text(algorithm)),
         paragraph(fmt::format("For {}, {}, {}.{}", name(algorithm.networks),
                               algorithm.ports == PortModel::all ? "all ports" : "one port",
                               algorithm.link == LinkKind::unit ? "steps of the unit model" : "links that take time",
                               order_text(algorithm)))}};
}

std::vector<std::string> equations(const WorkedOut& worked)
{
    std::vector<std::string> lines;
    for (const std::string& line : worked.lines)
        lines.push_back(lines.empty() ? worked.what + " = " + line
                                      : std::string(worked.what.size(), ' ') + " = " + line);
    if (!worked.remark.empty())
        lines.push_back(std::string(worked.what.size(), ' ') + "   " + worked.remark);
    return lines;
}

Section formula(const Entry& algorithm, const Case& one)
{
    Section section{"The formula, with the numbers", {}};
    const std::string given = given_text(algorithm, one);
    section.blocks.push_back(paragraph(description(one) + (given.empty() ? "." : ", with")));
    if (!given.empty())
        section.blocks.push_back(paragraph(given + "."));
    if (const auto cut = chosen_cut(algorithm, one.topology, one.problem))
        section.blocks.push_back(
            paragraph(fmt::format("Here {} message goes as {}: of the numbers of packets tried, this one takes "
                                  "the least time.",
                                  one.problem.counts.empty() ? "every" : "the longest",
                                  packets_of(one.problem.bytes * most_packets(one.problem), cut->bytes))));
    const std::vector<WorkedOut> costs = worked_out(algorithm, one);
    if (costs.empty() && !algorithm.formula.words.empty())
        section.blocks.push_back(paragraph(fmt::format("ns: {}.", algorithm.formula.words)));
    for (const WorkedOut& worked : costs) {
        if (!worked.said.empty())
            section.blocks.push_back(
                paragraph(worked.lines.empty() ? fmt::format("{}: {}.", worked.what, worked.said) : worked.said + "."));
        section.blocks.push_back(
            lines_block(worked.lines.empty() ? std::vector{worked.what + " = " + worked.result} : equations(worked)));
    }
    return section;
}

Section steps_of(const Entry& algorithm, const Case& one, std::string heading)
{
    SmallCase small = run_small(algorithm, one);
    Section section{std::move(heading), {paragraph(description(one) + ". " + small.legend + ":")}};
    if (small.rows.empty())
        section.blocks.push_back(paragraph("Nothing has to move."));
    else
        section.blocks.push_back(rows_block(std::move(small.rows)));
    if (!small.cut_off.empty())
        section.blocks.push_back(paragraph(small.cut_off));
    const Counts& counts = small.report.counts;
    std::string result =
        fmt::format("{}, {}", grouped(counts.steps, "step"), grouped(counts.transmissions, "transmission"));
    if (small.report.virtual_time_ns)
        result += fmt::format(", {} ns", text_of(detail::exact(*small.report.virtual_time_ns)));
    section.blocks.push_back(paragraph(result + ", every byte verified."));
    return section;
}

// "It takes 8 steps, the fewest there can be."
std::string against_the_bound(const Entry& algorithm, const Case& one, const Proof& proof)
{
    const detail::Exact bound = detail::exact(proof.value);
    const bool timed = one.problem.link.bound();
    detail::Exact takes;
    bool at_most = false;
    if (!timed) {
        takes = algorithm.cost(one.topology, one.problem).steps;
    } else if (const auto time = predicted_time(algorithm, one.topology, one.problem)) {
        takes = detail::exact(time->ns);
        at_most = !time->exact;
    } else {
        return "Its time on these links is known only after a run.";
    }
    const std::string amount = timed ? text_of(takes) + " ns" : text_of(takes) + (takes == 1 ? " step" : " steps");
    if (takes == bound)
        return fmt::format("It takes {}: {} there can be.", amount, timed ? "the least time" : "the fewest");
    return fmt::format("It takes {}{}; the lower bound is {}{}.", at_most ? "at most " : "", amount, text_of(bound),
                       timed ? " ns" : "");
}

Section why(const Entry& algorithm, const Case& one)
{
    const Proof proof = proof_of(one);
    return {proof.title,
            {paragraph(fmt::format("The bound that binds is {}: {}.", proof.name, proof.reason)), proof_block(proof),
             paragraph(against_the_bound(algorithm, one, proof))}};
}

Section try_next(const Entry& algorithm, const Case& one)
{
    std::vector<std::string> lines = command_lines({"run"}, example_case(algorithm, Size::small), &algorithm);
    std::ranges::move(command_lines({"compare"}, one), std::back_inserter(lines));
    lines.push_back(fmt::format("dcube explain {}", name(algorithm.collective)));
    lines.push_back(fmt::format("dcube explain {}", proof_of(one).name));
    return {"To try next", {lines_block(std::move(lines))}};
}

}  // namespace

Proof proof_of(const Case& one)
{
    return one.problem.link.bound() ? time_proof(one.topology, one.problem)
                                    : steps_proof(one.topology, one.ports, one.problem);
}

Page reasons_page(const Entry& algorithm, const Case& one)
{
    return {title(algorithm), {idea(algorithm), formula(algorithm, one)}};
}

Page run_page(const Entry& algorithm, const Case& one)
{
    if (algorithm.origin == Origin::own)
        return algorithm_page(algorithm, one);
    Page page = reasons_page(algorithm, one);
    page.sections.push_back(why(algorithm, one));
    return page;
}

Page algorithm_page(const Entry& algorithm, const Case& one)
{
    if (algorithm.origin == Origin::own)
        return {title(algorithm), {idea(algorithm), steps_of(algorithm, one, "The steps"), why(algorithm, one)}};
    return {title(algorithm),
            {idea(algorithm),
             formula(algorithm, one),
             steps_of(algorithm, example_case(algorithm, Size::small), "The steps of a small case"),
             why(algorithm, one),
             {"What the paper says, and what is ours",
              {paragraph(fmt::format("{} {}", whose(algorithm), algorithm.paper_note))}},
             try_next(algorithm, one)}};
}

}  // namespace dcube::explain
