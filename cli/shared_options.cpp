#include "cli/shared_options.hpp"

#include "cli/files/files.hpp"
#include "cli/sweep.hpp"
#include "cli/text/numbers.hpp"

#include <dcube/error.hpp>
#include <dcube/link.hpp>
#include <dcube/matrix.hpp>
#include <dcube/permutation.hpp>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <iterator>
#include <limits>
#include <utility>

namespace dcube::cli {

namespace {

constexpr NumberRange dimensions{0, Topology::max_dimension};
constexpr NumberRange any_number{0, std::numeric_limits<std::uint64_t>::max()};
constexpr std::size_t largest_fault_file = std::size_t{16} << 20;

// "torus:4x4,circulant:13,1,5,ring:8": a comma ends a network where the next one's name begins.
std::vector<std::string> networks_in(const std::string& text)
{
    std::vector<std::string> networks{""};
    for (std::size_t i = 0; i < text.size(); ++i) {
        const bool name_follows = i + 1 < text.size() && std::isalpha(static_cast<unsigned char>(text[i + 1])) != 0;
        if (text[i] == ',' && name_follows && !networks.back().empty())
            networks.emplace_back();
        else
            networks.back() += text[i];
    }
    return networks;
}

ColourMode parse_colour(std::string_view text)
{
    for (const auto& [name, mode] : {std::pair{"auto", ColourMode::automatic}, std::pair{"always", ColourMode::always},
                                     std::pair{"never", ColourMode::never}})
        if (same_name(text, name))
            return mode;
    throw InvalidArgument(fmt::format("{} is not allowed: expected auto, always or never", dcube::quoted(text)));
}

}  // namespace

CLI::Option* add_numbers(CLI::App& app, Sweep sweep, const OptionText& text, NumberRange allowed,
                         std::vector<std::uint64_t>& into)
{
    if (sweep == Sweep::yes)
        return add_numbers(app, text, allowed, into);
    return add_option(app, text, [name = text.name, allowed, &into](const std::string& given) {
        into = {parse_number(name, given, allowed)};
    });
}

CLI::Option* add_ports(CLI::App& app, std::optional<PortModel>& into)
{
    return add_parsed(app, {"--ports", "all|one", "ports a node may use in a step [all]", "Network"}, into,
                      parse_ports);
}

CLI::Option* add_colour(CLI::App& app, std::optional<ColourMode>& into)
{
    return add_parsed(app, {"--color", "WHEN", "auto, always, never [auto]", "Output"}, into, parse_colour);
}

NetworkOptions::NetworkOptions(CLI::App& app, Sweep sweep) : app_(app)
{
    CLI::Option* const dim = add_numbers(app, sweep, {"--dim", "D", "dimension of the hypercube, 0 to 24", "Network"},
                                         dimensions, dimensions_);
    const OptionText text{"--topology", "NETWORK", "torus:8x8, mesh:4x6, ring:5*path:4, ..: see dcube help info",
                          "Network"};
    add_option(app, text, [this, sweep](const std::string& given) {
        for (const std::string& one : sweep == Sweep::yes ? networks_in(given) : std::vector<std::string>{given})
            try {
                topologies_.push_back(Topology::parse(one));
            } catch (const InvalidArgument& error) {
                throw InvalidArgument(fmt::format("--topology: {}", error.what()));
            }
    })->excludes(dim);
    add_faults(app);
}

// Errors of `read` are told with the option's name.
void NetworkOptions::add_faults(CLI::App& app)
{
    const auto named = [](const char* name, auto read) {
        return [name, read](const std::string& given) {
            try {
                read(given);
            } catch (const InvalidArgument& error) {
                throw InvalidArgument(fmt::format("{}: {}", name, error.what()));
            }
        };
    };
    add_repeated_option(app, {"--without-link", "A-B", "a link that is missing; may be repeated", "Faults"},
                        named("--without-link", [this](const std::string& given) {
                            faults_.links.push_back(parse_link_between(given));
                        }));
    add_repeated_option(
        app, {"--without-node", "V", "a node that is missing; may be repeated", "Faults"},
        named("--without-node", [this](const std::string& given) { faults_.nodes.push_back(parse_node_id(given)); }));
    add_repeated_option(app, {"--faults", "FILE", "a file of missing links a-b and nodes v", "Faults"},
                        named("--faults", [this](const std::string& given) {
                            const std::vector<std::byte> file =
                                read_file(given, largest_fault_file, "a list of faults has at most");
                            faults_.add(parse_faults({reinterpret_cast<const char*>(file.data()), file.size()}));
                        }));
    add_option(app, {"--fault-rate", "P", "each link is missing with probability P, by --seed", "Faults"},
               [this](const std::string& given) { fault_rate_ = parse_rational("--fault-rate", given).to_double(); });
}

Topology NetworkOptions::without_faults_of(const Topology& network) const
{
    Faults faults = faults_;
    if (fault_rate_) {
        const CLI::Option* const seed = app_.get_option_no_throw("--seed");
        const bool given = seed != nullptr && seed->count() > 0;
        faults.add(random_faults(network.without(faults_), *fault_rate_,
                                 given ? parse_number("--seed", seed->results().front(), any_number) : 1));
    }
    return network.without(faults);
}

std::vector<Topology> NetworkOptions::all() const
{
    if (dimensions_.empty() && topologies_.empty())
        throw InvalidArgument(fmt::format(
            "--dim is missing: give the hypercube's dimension, {} to {}, or another network with --topology",
            dimensions.least, dimensions.most));
    std::vector<Topology> networks = topologies_;
    for (const std::uint64_t dimension : dimensions_)
        networks.push_back(Topology::hypercube(static_cast<unsigned>(dimension)));
    for (Topology& network : networks)
        network = without_faults_of(network);
    return networks;
}

Topology NetworkOptions::over(const Topology& known) const
{
    return given() ? only() : without_faults_of(known.whole());
}

bool NetworkOptions::has(std::string_view option)
{
    constexpr std::string_view all[] = {"--dim",          "--topology", "--without-link",
                                        "--without-node", "--faults",   "--fault-rate"};
    return std::ranges::find(all, option) != std::end(all);
}

LinkOptions::LinkOptions(CLI::App& app)
{
    const auto rational = [](const char* name) {
        return [name](const std::string& given) { return parse_rational(name, given); };
    };
    add_parsed(app, {"--link", "unit|link-bound", "a packet takes one step, or time by its size [unit]", "Links"},
               kind_, parse_link);
    add_option(app, {"--tau", "NS", "link-bound: ns per byte, e.g. 2, 5/2 or 0.5", "Links"},
               [this, rational](const std::string& given) { tau_ = rational("--tau")(given); });
    add_option(app, {"--beta", "NS", "link-bound: ns a packet", "Links"},
               [this, rational](const std::string& given) { beta_ = rational("--beta")(given); });
    add_option(app, {"--machine", "NAME", "tau and beta of ncube2, ipsc860, ..: see dcube list machines", "Links"},
               [this](const std::string& given) { machine_ = find_preset(given).name; });
    add_parsed(app, {"--clock", "CLOCK", "data-driven, lockstep [data-driven]", "Links"}, clock_, parse_clock);
}

LinkModel LinkOptions::unit_model() const
{
    const auto reject = [](const char* option, bool given) {
        if (given)
            throw InvalidArgument(
                fmt::format("{} is for the link-bound model: it cannot be combined with --link unit", option));
    };
    reject("--tau", tau_.has_value());
    reject("--beta", beta_.has_value());
    reject("--machine", machine_.has_value());
    if (clock_)
        throw InvalidArgument("--clock is for the link-bound model: --tau and --beta, or --machine");
    return {};
}

LinkModel LinkOptions::model() const
{
    const bool implied = tau_ || beta_ || machine_;
    if (kind_.value_or(implied ? LinkKind::link_bound : LinkKind::unit) == LinkKind::unit)
        return unit_model();
    if (!machine_ && (!tau_ || !beta_))
        throw InvalidArgument("the link-bound model needs --tau and --beta, in ns, or a --machine");
    if (machine_ && tau_ && beta_)
        throw InvalidArgument("--machine cannot be combined with both --tau and --beta: they are what it stands for");
    LinkModel link{.kind = LinkKind::link_bound};
    if (machine_) {
        link.tau = find_preset(*machine_).tau;
        link.beta = find_preset(*machine_).beta;
    }
    link.tau = tau_.value_or(link.tau);
    link.beta = beta_.value_or(link.beta);
    link.clock = clock_.value_or(LinkClock::data_driven);
    return link;
}

TuningOptions::TuningOptions(CLI::App& app)
{
    constexpr NumberRange group_numbers{1, std::uint64_t{1} << 31};
    add_number(app, {"--groups", "G", "pipelined algorithms: number of groups [the best]", "Tuning"}, group_numbers,
               groups_);
    add_number(app, {"--detour-groups", "G", "subcubes: number of groups on detours [the best]", "Tuning"},
               group_numbers, detour_groups_);
    add_text(app, {"--waves", "PLAN", "waves: the dimensions of each, e.g. 432|1 or 7..3|2|1 [the best]", "Tuning"},
             waves_);
    add_number(app, {"--halvings", "Q", "halving-doubling: how often it halves [the best]", "Tuning"}, dimensions,
               halvings_);
}

Tuning TuningOptions::tuning(const LinkModel& link, const Topology& topology) const
{
    const std::pair<const char*, bool> given[] = {{"--groups", groups_.has_value()},
                                                  {"--detour-groups", detour_groups_.has_value()},
                                                  {"--waves", waves_.has_value()},
                                                  {"--halvings", halvings_.has_value()}};
    for (const auto& [option, there] : given)
        if (there && !link.bound())
            throw InvalidArgument(
                fmt::format("{} is for the link-bound model: --tau and --beta, or --machine", option));
    if (waves_ && waves_->empty())
        throw InvalidArgument("--waves '' is not a wave plan; examples: 432|1, 7..3|2|1");
    if (halvings_ > topology.dimension())
        throw InvalidArgument(fmt::format("--halvings {} is too large: 0 to {} are allowed on {}", *halvings_,
                                          topology.dimension(), topology.name()));
    Tuning tuning;
    tuning.groups = groups_.value_or(0);
    tuning.extended_groups = detour_groups_.value_or(0);
    tuning.waves = waves_.value_or("");
    if (halvings_)
        tuning.halvings = static_cast<unsigned>(*halvings_);
    return tuning;
}

}  // namespace dcube::cli
