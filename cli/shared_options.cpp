#include "cli/shared_options.hpp"

#include "base/names.hpp"
#include "base/numbers.hpp"
#include "base/sizes.hpp"
#include "cli/files/files.hpp"
#include "cli/output.hpp"
#include "cli/ranks.hpp"
#include "cli/sweep.hpp"

#include <dcube/error.hpp>
#include <dcube/matrix.hpp>
#include <dcube/permutation.hpp>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <cstring>
#include <iterator>
#include <limits>
#include <span>
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

Faults faults_in(const std::string& file)
{
    const std::vector<std::byte> bytes = read_file(file, largest_fault_file, "a list of faults has at most");
    return prefixed(file, [&] { return parse_faults({reinterpret_cast<const char*>(bytes.data()), bytes.size()}); });
}

Fabric fabric_in(const std::string& file)
{
    const std::vector<std::byte> bytes = read_file(file, largest_fault_file, "a list of links has at most");
    return fabric_from_lines({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, file);
}

double parse_fault_rate(const std::string& given)
{
    try {
        if (const double rate = parse_rational("--fault-rate", given).to_double(); rate <= 1)
            return rate;
    } catch (const InvalidArgument&) {
    }
    throw InvalidArgument(fmt::format("--fault-rate {} is not a probability: 0 to 1 are allowed, e.g. 0.05 or 1/20",
                                      dcube::quoted(given)));
}

constexpr Spelling<ColourMode> colour_modes[]{
    {ColourMode::automatic, "auto"},
    {ColourMode::always, "always"},
    {ColourMode::never, "never"},
};

constexpr NumberRange numbers_of_threads{1, 1024};

// "a,b" names two, where several are swept over.
template <class Value, class Parse>
void add_listed(CLI::App& app, Sweep sweep, const OptionText& text, std::vector<Value>& into, Parse parse)
{
    add_option(app, text, [name = text.name, sweep, &into, parse](const std::string& given) {
        into.clear();
        for (const std::string& one : sweep == Sweep::yes ? split(given, ",") : std::vector{given})
            into.push_back(about(name, [&] { return parse(one); }));
    });
}

}  // namespace

// Neighbours that are no names are one list: "none,0,2,4-7" are two pinnings, "0-1/2,3" too.
std::vector<Pinning> parse_pinnings(const std::string& text)
{
    std::vector<Pinning> all;
    for (const std::string& part : split(text, "/")) {
        std::string list;
        const auto end_list = [&] {
            if (!list.empty())
                all.push_back(parse_pinning(list));
            list.clear();
        };
        for (const std::string& one : split(part, ",")) {
            if (!one.empty() && one.find_first_not_of("0123456789-") == std::string::npos) {
                list += (list.empty() ? "" : ",") + one;
                continue;
            }
            end_list();
            all.push_back(parse_pinning(one));
        }
        end_list();
    }
    return all;
}

void add_rank_options(CLI::App& app)
{
    constexpr NumberRange rank_numbers{1, 65'536};
    constexpr NumberRange seconds{1, 1'000'000};
    RankOptions& asked = rank_options();
    add_number(app, {"--ranks", "P", "processes that share the nodes, by MPI [1]", "Machine"}, rank_numbers,
               asked.ranks);
    // The option takes effect before it is parsed, in cli/ranks.cpp; here its value is checked.
    add_number(app, {"--rank-timeout", "S", "abort if a rank does not respond for S seconds [never]", "Machine"},
               seconds, asked.timeout);
}

namespace {

// How many of its host's threads each rank can have, on the host that has the fewest for a rank.
unsigned share_of_threads(World& world)
{
    const unsigned own = std::max(1U, available_threads() / world.ranks_on_host());
    unsigned least = own;
    for (const std::vector<std::byte>& bytes : world.gather_everywhere(std::as_bytes(std::span(&own, 1)))) {
        unsigned share = 0;
        std::memcpy(&share, bytes.data(), sizeof share);
        least = std::min(least, share);
    }
    return least;
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

void add_failing(CLI::App& app, std::vector<Failing>& into)
{
    add_parsed(app, {"--fail-link", "A-B@STEP", "link A-B loses all packets from that step on; repeatable", "Faults"},
               into, parse_failing_link);
    add_parsed(app, {"--fail-node", "V@STEP", "all links of node V do so; repeatable", "Faults"}, into,
               parse_failing_node);
}

CLI::Option* add_ports(CLI::App& app, std::optional<PortModel>& into)
{
    return add_parsed(app, text_for(*find_key("ports")), into, parse_ports);
}

CLI::Option* add_colour(CLI::App& app, ColourMode& into)
{
    return add_choice(app, {"--color", "WHEN", "", "Output"}, colour_modes, "a choice", into);
}

NetworkOptions::NetworkOptions(CLI::App& app, Sweep sweep, Seed seed) : app_(app)
{
    CLI::Option* const dim = add_numbers(
        app, sweep, {"--dim", "D", fmt::format("dimension of the hypercube, 0 to {}", dimensions.most), "Network"},
        dimensions, dimensions_);
    add_option(app, text_for(*find_key("topology")), [this, sweep](const std::string& given) {
        for (const std::string& one : sweep == Sweep::yes ? networks_in(given) : std::vector<std::string>{given})
            topologies_.push_back(about("topology", [&] { return Topology::parse(one); }));
    })->excludes(dim);
    add_repeated_option(
        app, {"--link-file", "FILE", "file of links that have their own tau and beta; repeatable", "Network"},
        [this](const std::string& given) {
            const Fabric more = about("--link-file", [&] { return fabric_in(given); });
            fabric_.switches.insert(fabric_.switches.end(), more.switches.begin(), more.switches.end());
            fabric_.links.insert(fabric_.links.end(), more.links.begin(), more.links.end());
        });
    add_faults(app, seed);
}

void NetworkOptions::add_faults(CLI::App& app, Seed seed)
{
    add_parsed(app, {"--without-link", "A-B", "a link that is missing; may be repeated", "Faults"}, faults_.links,
               parse_link_between);
    add_parsed(app, {"--without-node", "V", "a node that is missing; may be repeated", "Faults"}, faults_.nodes,
               parse_node_id);
    add_repeated_option(app, {"--faults", "FILE", "file of missing links a-b, nodes v; repeatable", "Faults"},
                        [this](const std::string& given) { about("faults", [&] { faults_.add(faults_in(given)); }); });
    add_option(app, {"--fault-rate", "P", "each link is missing with probability P, by --seed", "Faults"},
               [this](const std::string& given) { fault_rate_ = parse_fault_rate(given); });
    if (seed == Seed::of_problem)
        return;
    add_number(app, {"--seed", "S", "seed of --fault-rate [1]", "Faults"}, any_number, seed_);
    need(app, "--seed", "--fault-rate");
}

// The network with the links of --link-file, and without its faults.
Topology NetworkOptions::changed(const Topology& given) const
{
    const Topology network = about("--link-file", [&] { return given.with(fabric_); });
    Faults faults = faults_;
    if (fault_rate_) {
        const CLI::Option* const seed = app_.get_option_no_throw("--seed");
        const bool has_seed = seed != nullptr && seed->count() > 0;
        faults.add(random_faults(network.without(faults_), *fault_rate_,
                                 has_seed ? parse_number("seed", seed->results().front(), any_number) : 1));
    }
    return network.without(faults);
}

// Says which node is which where a file's ids have gaps.
void NetworkOptions::note_ids() const
{
    constexpr std::size_t most_shown = 16;
    if (std::exchange(ids_noted_, true))
        return;
    for (const Topology& network : topologies_)
        for (unsigned i = 0; i < network.dimension(); ++i)
            if (const std::vector<NodeId>& ids = network.factor(i).ids(); !ids.empty())
                note(fmt::format("{}: the ids of its nodes have gaps; nodes 0 to {} are, in ascending order, {}{}",
                                 network.factor(i).name(), ids.size() - 1,
                                 fmt::join(std::span(ids).first(std::min(most_shown, ids.size())), ", "),
                                 ids.size() > most_shown ? fmt::format(", .. {}", ids.back()) : ""));
}

std::vector<Topology> NetworkOptions::all() const
{
    if (dimensions_.empty() && topologies_.empty())
        refuse_no_network();
    note_ids();
    std::vector<Topology> networks = topologies_;
    for (const std::uint64_t dimension : dimensions_)
        networks.push_back(Topology::hypercube(static_cast<unsigned>(dimension)));
    for (Topology& network : networks)
        network = changed(network);
    return networks;
}

Topology NetworkOptions::over(const Topology& known) const
{
    return given() ? only() : changed(known.whole());
}

bool NetworkOptions::has(std::string_view option)
{
    constexpr std::string_view all[] = {"--dim",          "--topology", "--link-file", "--without-link",
                                        "--without-node", "--faults",   "--fault-rate"};
    return std::ranges::find(all, option) != std::end(all);
}

void add_keys(CLI::App& app, Key::Group group, Given& into)
{
    for (const Key& key : question_keys())
        if (key.group == group)
            add_key(app, key, into);
}

CLI::Option* add_key(CLI::App& app, const Key& key, Given& into)
{
    const OptionText text = text_for(key);
    if (key.kind == Key::Kind::flag)
        return app
            .add_flag_callback(
                text.name, [&key, &into] { into.read(key, true); }, text.help)
            ->multi_option_policy(CLI::MultiOptionPolicy::Throw)
            ->group(text.heading);
    return add_option(app, text, [&key, &into](const std::string& given) { into.read(key, given); });
}

LinkOptions::LinkOptions(CLI::App& app)
{
    add_keys(app, Key::Group::links, given_);
}

TuningOptions::TuningOptions(CLI::App& app)
{
    add_keys(app, Key::Group::tuning, given_);
}

Tuning TuningOptions::tuning(const LinkModel& link, const Topology& topology) const
{
    return given_.fields.tuning(link, topology);
}

MachineSettings::MachineSettings(CLI::App& app, Sweep sweep, Over over)
{
    constexpr NumberRange capacities{1, 65536};
    const char* const meaning = sweep == Sweep::no ? "threads at most [as many as the computer has]"
                                                   : "threads at most; all: 1, 2, 4, ... [as many as the computer has]";
    const OptionText threads{"--threads", "T", meaning, "Machine"};
    if (sweep == Sweep::no)
        add_numbers(app, sweep, threads, numbers_of_threads, threads_);
    else
        add_option(app, threads, [this](const std::string& given) {
            all_threads_ = same_name(given, "all");
            if (!all_threads_)
                threads_ = parse_numbers("threads", given, numbers_of_threads);
        });
    const char* const pins = sweep == Sweep::no ? "" : "; several kinds are separated by commas, several lists by /";
    add_option(app, {"--pin", "PIN", std::string(meaning_of_pin) + pins, "Machine"},
               [this, sweep](const std::string& given) {
                   pinnings_ = about("--pin", [&] {
                       return sweep == Sweep::yes ? parse_pinnings(given) : std::vector{parse_pinning(given)};
                   });
               });
    add_listed(app, sweep, {"--channel", "slots|spsc", "queue behind each link [slots]", "Machine"}, channels_,
               parse_channel);
    add_number(app, {"--capacity", "C", "queue capacity of a link, in packets [1]", "Machine"}, capacities, capacity_);
    add_option(app, {"--memory-limit", "SIZE", "memory limit per rank [all available]", "Machine"},
               [this](const std::string& given) { memory_limit_ = parse_size("memory_limit", given, 1); });
    if (over == Over::all_ranks)
        add_rank_options(app);
}

bool MachineSettings::has(std::string_view option)
{
    constexpr std::string_view all[] = {"--threads", "--pin", "--channel", "--capacity", "--memory-limit"};
    return std::ranges::find(all, option) != std::end(all);
}

void MachineSettings::spread_over(std::shared_ptr<World> world)
{
    if (world->ranks() == 1)
        return;
    world_ = std::move(world);
    share_ = share_of_threads(*world_);
}

// The numbers of threads to run with; empty: the machine chooses.
std::vector<std::uint64_t> MachineSettings::thread_numbers() const
{
    if (all_threads_)
        return doubled_up_to(share_ != 0 ? share_ : available_threads());
    if (threads_.empty() && share_ != 0)
        return {share_};
    return threads_;
}

std::vector<MachineOptions> MachineSettings::all(PortModel ports, const LinkModel& link) const
{
    MachineOptions machine;
    machine.ports = ports;
    machine.link = link;
    machine.watch_lent_bytes = false;  // the catalogue's algorithms are tested for that
    machine.channel_capacity = as_size(capacity_.value_or(machine.channel_capacity));
    machine.memory_limit = memory_limit_;
    machine.world = world_;
    std::vector<std::uint64_t> numbers = thread_numbers();
    if (numbers.empty())
        numbers.push_back(machine.threads);
    std::vector<MachineOptions> machines;
    for (const Pinning& pinning : pinnings_)
        for (const ChannelKind channel : channels_)
            for (const std::uint64_t threads : numbers) {
                machines.push_back(machine);
                machines.back().pinning = pinning;
                machines.back().channel = channel;
                machines.back().threads = static_cast<unsigned>(threads);
            }
    return machines;
}

}  // namespace dcube::cli
