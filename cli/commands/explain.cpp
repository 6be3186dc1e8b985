// dcube explain: what an algorithm, a collective, a bound or a word of the glossary is, with the numbers of a case.

#include "cli/output.hpp"
#include "cli/plan_options.hpp"
#include "cli/problem_options.hpp"
#include "cli/shared_options.hpp"
#include "cli/text/describe.hpp"
#include "cli/text/explanation.hpp"
#include "cli/trace_options.hpp"
#include "inspect/explain/lookup.hpp"
#include "inspect/explain/pages.hpp"

#include <dcube/error.hpp>
#include <dcube/judge.hpp>
#include <dcube/world.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <istream>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace dcube::cli {

namespace {

using explain::Case;
using explain::Found;

struct ExplainOptions {
    explicit ExplainOptions(CLI::App& app);

    [[nodiscard]] explain::Page page() const;

    const CLI::App& app_;
    std::optional<std::string> wanted;
    NetworkOptions network;
    ProblemOptions problem;
    LinkOptions links;
    TuningOptions tuning;
    PlanOptions plans;
    Format format = Format::text;

private:
    void reject_options(std::string_view what) const;
    [[nodiscard]] explain::Page page_of_file() const;
    [[nodiscard]] explain::Page bound_page(const explain::BoundText& bound) const;
    [[nodiscard]] Found found() const;
    [[nodiscard]] explain::Page overview() const;
    [[nodiscard]] explain::Page page_of(const Found& found) const;
    [[nodiscard]] explain::Page list(const Found& found) const;
    [[nodiscard]] Case case_of(const Entry& algorithm) const;
    [[nodiscard]] Case case_of(Collective collective) const;
    [[nodiscard]] Case with_options(Case one) const;
};

ExplainOptions::ExplainOptions(CLI::App& app)
    : app_(app),
      network(
          (add_text(app, {"WORD", "", "an algorithm, a collective, a bound, or a word of the glossary"}, wanted), app),
          Sweep::no),
      problem(app, Sweep::no, ProblemOptions::Reductions::with_operation, ProblemOptions::Named::as_option), links(app),
      tuning(app), plans(app)
{
    add_format(app, {Format::text, Format::markdown}, format);
}

// An example, changed where the options say otherwise.
Case ExplainOptions::with_options(Case one) const
{
    const LinkModel link = links.model(one.topology, one.ports);
    if (link.bound())
        one.problem.link = link;
    one.problem = problem.over(one.problem, one.topology);
    one.problem.tuning = tuning.tuning(one.problem.link, one.topology);
    validate(one.problem, one.topology);
    return one;
}

Case ExplainOptions::case_of(const Entry& algorithm) const
{
    if (!network.given())
        return with_options(explain::example_case(algorithm, explain::Size::usual));
    const Topology topology = network.only();
    Case one = with_options(explain::example_case(algorithm, topology, explain::Size::usual));
    return one;
}

// The example of the catalogue's first algorithm for the collective that is made for the network and the kind of links.
Case ExplainOptions::case_of(Collective collective) const
{
    const Topology topology = network.given() ? network.only() : Topology::hypercube(4);
    const bool timed = links.model(topology, problem.ports()).bound();
    const auto suits = [&](const Entry& algorithm, LinkKind link) {
        return algorithm.collective == collective && algorithm.link == link && contains(algorithm.networks, topology);
    };
    // Where none is made for links that take time, those for unit steps run there, too.
    for (const LinkKind link : {timed ? LinkKind::link_bound : LinkKind::unit, LinkKind::unit})
        for (const Entry& algorithm : catalogue())
            if (suits(algorithm, link)) {
                Case one = explain::example_case(algorithm, topology, explain::Size::usual);
                one.ports = problem.ports();
                one.problem.link.duplex = Duplex::per_link;
                one.problem.link = topology.links(one.problem.link, one.ports);
                return with_options(std::move(one));
            }
    throw InvalidArgument(fmt::format("no algorithm for {} is made for {} links on {}", name(collective),
                                      timed ? "link-bound" : "unit", topology.name()));
}

// The things that have this name; of algorithms, only those that the options allow.
Found ExplainOptions::found() const
{
    std::string_view name = *wanted;
    const bool unit_only = name.starts_with("unit:");
    Found found = explain::find(unit_only ? name.substr(5) : name);
    if (const std::optional<Collective> collective = problem.named()) {
        std::erase_if(found.algorithms, [&](const Entry* one) { return one->collective != *collective; });
        if (found.algorithms.empty())
            throw InvalidArgument(fmt::format("{} has no algorithm {}", dcube::name(*collective), *wanted));
        found = {{}, std::move(found.algorithms), {}, {}};
    }
    const bool timed = links.model(network.given() ? network.only() : Topology::hypercube(0), problem.ports()).bound();
    const auto other_links = [&](const Entry* one) { return (one->link == LinkKind::link_bound) != timed; };
    if (timed || unit_only || problem.named())
        if (!std::ranges::all_of(found.algorithms, other_links))
            std::erase_if(found.algorithms, other_links);
    if (!found.collectives.empty())  // a collective's own name means the collective
        return {std::move(found.collectives), {}, {}, std::move(found.words)};
    return found;
}

// The words that have the name, in a line each.
std::vector<explain::ProofLine> word_rows(const Found& found)
{
    std::vector<explain::ProofLine> rows;
    for (const explain::WordText* word : found.words)
        rows.push_back({word->of.empty() ? "a word" : "a value", explain::meaning_of(*word)});
    return rows;
}

// More than one thing has that name: how to ask for each.
explain::Page ExplainOptions::list(const Found& found) const
{
    std::vector<explain::ProofLine> rows;
    const std::string asked = fmt::format("dcube explain {}", dcube::quoted(*wanted));
    for (const Collective collective : found.collectives)
        rows.push_back({"a collective", fmt::format("dcube explain {}", name(collective))});
    for (const Entry* one : found.algorithms)
        rows.push_back({fmt::format("{}, {} links", name(one->collective), name(one->link)),
                        fmt::format("dcube explain {}{} --collective {}{}: {}",
                                    one->link == LinkKind::unit ? "unit:" : "", one->name, name(one->collective),
                                    one->link == LinkKind::unit ? "" : " --tau 1 --beta 10", one->summary)});
    for (const explain::BoundText* bound : found.bounds)
        rows.push_back({"a bound", std::string(bound->title)});
    std::ranges::move(word_rows(found), std::back_inserter(rows));
    return {fmt::format("{} is the name of several things", *wanted), {{"", {explain::rows_block(std::move(rows))}}}};
}

// The page for no word: the kinds of words.
explain::Page ExplainOptions::overview() const
{
    reject_options("the list of all words: name a WORD");
    std::vector<explain::ProofLine> rows{
        {"collectives", "all-to-all, \"total exchange\": what is done, the bound that binds, the algorithms"},
        {"algorithms", "balanced-tree, B4: the idea, the formula with numbers, the steps, why it is optimal"},
        {"bounds", "L5, cut, antipode: the argument, with the numbers of a case"},
        {"words", "status, virtual-time, opposite-corner: of reports, textbooks and the papers"},
        {"letters", "N, tau, rho: of formulas"},
        {"values", "scatter, spsc, data-driven, torus, submatrices, float: of options"}};
    return {"What dcube explain knows",
            {{"", {explain::rows_block(std::move(rows))}},
             {"Try",
              {explain::lines_block({"dcube explain all-to-all", "dcube explain balanced-tree --dim 5",
                                     "dcube explain link-use", "dcube explain spsc"})}}}};
}

// The schedule in a file, whose first line or the options say what it is of.
explain::Page ExplainOptions::page_of_file() const
{
    const std::string file = wanted->substr(1);
    reject_if(file == "-", "@- is not possible here, where a schedule is read twice: give a file's name");
    std::optional<TraceQuestion> header;
    try {
        with_trace(file, *world_alone(), [&](std::istream& trace) { header = question_of(trace); });
    } catch (const TraceFormatError& error) {
        throw InvalidArgument(error.what());
    }
    Case one{Topology::hypercube(0), problem.ports(), {}};
    if (header)
        one = {header->topology, header->ports, header->problem};
    else if (!problem.named() || !network.given())
        throw InvalidArgument(fmt::format("{} has no header line: give --collective and --dim or --topology", file));
    else
        one.problem.collective = *problem.named();
    if (network.given())
        one.topology = network.only();
    one = with_options(one);
    return explain::algorithm_page(find_algorithm(one.topology, one.ports, one.problem, *wanted), one);
}

// Refuses options that would describe a case, because `what` is explained without one.
void ExplainOptions::reject_options(std::string_view what) const
{
    constexpr std::string_view allowed[] = {"WORD", "--format", "--plan-cache"};
    for (const std::string& option : given_options(app_))
        reject_if(std::ranges::find(allowed, option) == std::end(allowed),
                  fmt::format("{} does not apply to {}", option, what));
}

explain::Page ExplainOptions::bound_page(const explain::BoundText& bound) const
{
    problem.reject_foreign(bound.collective);
    if (!network.given()) {
        reject_options("a bound without a network: give --dim or --topology");
        return explain::bound_page(bound, std::nullopt);
    }
    Case one = case_of(bound.collective);
    if (!problem.has_ports())
        one.ports = bound.ports;
    return explain::bound_page(bound, one);
}

// The page of the one algorithm, collective or bound that was found.
explain::Page ExplainOptions::page_of(const Found& found) const
{
    if (!found.algorithms.empty()) {
        const Entry& algorithm = *found.algorithms.front();
        const Case one = case_of(algorithm);
        require_suitable(algorithm, one.topology, one.ports, one.problem);
        return explain::algorithm_page(algorithm, one);
    }
    if (!found.collectives.empty())
        return explain::collective_page(case_of(found.collectives.front()));
    return bound_page(*found.bounds.front());
}

explain::Page ExplainOptions::page() const
{
    if (!wanted)
        return overview();
    if (wanted->starts_with('@'))
        return page_of_file();
    const Found all = found();
    const std::size_t pages = all.size() - all.words.size();
    if (pages == 1) {
        explain::Page page = page_of(all);
        if (std::vector<explain::ProofLine> others = word_rows(all); !others.empty())
            page.sections.push_back({"The name's other meanings", {explain::rows_block(std::move(others))}});
        return page;
    }
    if (all.algorithms.empty())
        reject_options("a word");
    if (all.size() > 1)
        return list(all);
    return explain::word_page(*all.words.front());
}

explain::Page planned_page(const ExplainOptions& options, const Interrupt& interrupt)
{
    options.plans.use();
    const PlanningWatch watch(interrupt);
    return options.page();
}

Execution define_explain(CLI::App& app)
{
    const auto options = std::make_shared<ExplainOptions>(app);
    return [options](const Interrupt& interrupt) {
        print(page_text(planned_page(*options, interrupt), options->format));
        return 0;
    };
}

std::string bound_names()
{
    std::string names;
    for (const explain::BoundText& bound : explain::bound_texts())
        names += fmt::format("{}{}", names.empty() ? "" : ", ", bound.name);
    return names;
}

const std::string explain_footer = fmt::format(R"(Examples:
  dcube explain balanced-tree --collective scatter --dim 5
  dcube explain all-to-all --topology torus:6x6
  dcube explain B4 --dim 6 --bytes 64KiB --tau 1 --beta 1000
  dcube explain L5
  dcube explain antipode --dim 8 --packets 100
  dcube explain status
  dcube explain opposite-corner

  dcube explain link-use

WORD is a name or alias from dcube list, a schedule in a file (@FILE), a collective, one of the bounds ({}), or a word or )"
                                               R"(letter of the glossary. Without --dim or --topology it shows the )"
                                               R"(numbers of a small example. On links that take time --bytes is )"
                                               R"(192 unless it is given.)",
                                               bound_names());

}  // namespace

extern const Command explain_command{.name = "explain",
                                     .usage = "explain [WORD] [OPTIONS]",
                                     .summary = "why and how: an algorithm, a bound, a glossary word",
                                     .footer = explain_footer.c_str(),
                                     .define = define_explain,
                                     .heading = to_begin};

}  // namespace dcube::cli
