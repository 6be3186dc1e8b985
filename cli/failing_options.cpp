#include "cli/failing_options.hpp"

#include <dcube/error.hpp>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <string_view>
#include <utility>

namespace dcube::cli {

namespace {

// An option that may be given several times.
void add_failing(CLI::App& app, const OptionText& text, Failing (*parse)(std::string_view), std::vector<Failing>& into)
{
    add_repeated_option(app, text, [name = text.name, parse, &into](const std::string& given) {
        try {
            into.push_back(parse(given));
        } catch (const InvalidArgument& error) {
            throw InvalidArgument(fmt::format("{}: {}", name, error.what()));
        }
    });
}

}  // namespace

FailingOptions::FailingOptions(CLI::App& app)
{
    add_failing(
        app, {"--fail-link", "A-B@STEP", "lose what is sent between A and B from that step on; repeatable", "Machine"},
        parse_failing_link, links_);
    add_failing(app, {"--fail-node", "V@STEP", "the same of all links of node V; repeatable", "Machine"},
                parse_failing_node, nodes_);
}

std::vector<Failing> FailingOptions::all() const
{
    std::vector<Failing> all = links_;
    all.insert(all.end(), nodes_.begin(), nodes_.end());
    return all;
}

void FailingOptions::reject_dry_run() const
{
    for (const auto& [option, given] :
         {std::pair{"--fail-link", !links_.empty()}, std::pair{"--fail-node", !nodes_.empty()}})
        if (given)
            throw InvalidArgument(fmt::format("--dry-run runs nothing: it cannot be combined with {}", option));
}

}  // namespace dcube::cli
