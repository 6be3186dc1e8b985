#pragma once
// Options that several commands share, in groups: those of the network, the links, the tuning and the machine. A group
// declares its options when it is made; when it is asked for their values later, it checks that they go together.

#include "cli/arguments.hpp"
#include "cli/requests.hpp"
#include "run/question.hpp"

#include <dcube/link.hpp>
#include <dcube/machine.hpp>
#include <dcube/problem.hpp>
#include <dcube/topology.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace dcube::cli {

/// Whether options take several values: a list or a range.
enum class Sweep : std::uint8_t { no, yes };

/// --dim, --topology and --link-file, and what the network lacks: --without-link, --without-node, --faults and
/// --fault-rate, whose seed is --seed.
class NetworkOptions {
public:
    /// The owner of --seed: the problem, which then declares it, or the faults.
    enum class Seed : std::uint8_t { of_problem, of_faults };

    NetworkOptions(CLI::App& app, Sweep sweep, Seed seed = Seed::of_problem);
    NetworkOptions(const NetworkOptions&) = delete;
    NetworkOptions& operator=(const NetworkOptions&) = delete;

    /// The networks, at least one. Throws InvalidArgument if neither option is given.
    [[nodiscard]] std::vector<Topology> all() const;
    [[nodiscard]] Topology only() const { return all().front(); }
    [[nodiscard]] bool given() const { return !dimensions_.empty() || !topologies_.empty(); }
    /// The known network, changed where the options say otherwise.
    [[nodiscard]] Topology over(const Topology& known) const;
    /// Whether `option` is one of these.
    [[nodiscard]] static bool has(std::string_view option);

private:
    void add_faults(CLI::App& app, Seed seed);
    void note_ids() const;
    [[nodiscard]] Topology changed(const Topology& network) const;

    const CLI::App& app_;
    std::vector<std::uint64_t> dimensions_;
    std::vector<Topology> topologies_;
    Fabric fabric_;
    Faults faults_;
    std::optional<double> fault_rate_;
    std::optional<std::uint64_t> seed_;  // of the faults alone
    mutable bool ids_noted_ = false;
};

/// --link, --tau, --beta, --machine, --clock and --duplex
class LinkOptions {
public:
    explicit LinkOptions(CLI::App& app);
    LinkOptions(const LinkOptions&) = delete;
    LinkOptions& operator=(const LinkOptions&) = delete;

    /// Throws InvalidArgument: options of the link-bound model with the unit model, or not all that it needs.
    [[nodiscard]] LinkModel model(const Topology& topology, PortModel ports) const
    {
        return given_.links.model(topology, ports);
    }

private:
    Given given_;
};

/// --groups, --detour-groups, --waves and --halvings
class TuningOptions {
public:
    explicit TuningOptions(CLI::App& app);
    TuningOptions(const TuningOptions&) = delete;
    TuningOptions& operator=(const TuningOptions&) = delete;

    /// Throws InvalidArgument where one is given for the unit model, or is out of the topology's range.
    [[nodiscard]] Tuning tuning(const LinkModel& link, const Topology& topology) const;

private:
    Given given_;
};

/// The meaning of --pin, without what stands for several. Completion reads the words from it.
inline constexpr std::string_view meaning_of_pin =
    "none, compact, scatter, no-smt, one-per-l3 [none], or processors: 0,2,4-7";

/// Several pinnings: "none,compact", "no-smt,0,2,4-7", "0,1/0,2". Throws InvalidArgument.
std::vector<Pinning> parse_pinnings(const std::string& text);

/// --threads, --pin, --channel, --capacity and --memory-limit; for commands that all ranks execute together also
/// --ranks and --rank-timeout, which rank_options() keeps
class MachineSettings {
public:
    MachineSettings(CLI::App& app, Sweep sweep, Over over = Over::first_rank);
    MachineSettings(const MachineSettings&) = delete;
    MachineSettings& operator=(const MachineSettings&) = delete;

    /// The machines, at least one, which differ in their threads, pins and channels. Throws InvalidArgument if the port
    /// model does not go with the links.
    [[nodiscard]] std::vector<MachineOptions> all(PortModel ports, const LinkModel& link) const;
    [[nodiscard]] MachineOptions only(PortModel ports, const LinkModel& link) const { return all(ports, link).front(); }
    [[nodiscard]] bool threads_given() const { return all_threads_ || !threads_.empty(); }
    /// Has the effect of --threads all.
    void set_all_threads() { all_threads_ = true; }
    /// The machines are spread over these ranks, all of which call it. Unless options say it, each rank has its share
    /// of its host's threads, and all have the same number.
    void spread_over(std::shared_ptr<World> world);
    /// Whether `option` is one of these, without those of several ranks.
    [[nodiscard]] static bool has(std::string_view option);

private:
    [[nodiscard]] std::vector<std::uint64_t> thread_numbers() const;

    std::shared_ptr<World> world_;  // null: one rank
    unsigned share_ = 0;            // threads of each rank; 0: not shared
    bool all_threads_ = false;
    std::vector<std::uint64_t> threads_;
    std::vector<Pinning> pinnings_{Pinning::none};
    std::vector<ChannelKind> channels_{ChannelKind::slots};
    std::optional<std::uint64_t> capacity_;
    std::size_t memory_limit_ = 0;  // none
};

/// The option of a question's key.
CLI::Option* add_key(CLI::App& app, const Key& key, Given& into);
/// The options of all keys of a group.
void add_keys(CLI::App& app, Key::Group group, Given& into);

/// Numbers, of which only one is allowed where there is no sweep.
CLI::Option* add_numbers(CLI::App& app, Sweep sweep, const OptionText& text, NumberRange allowed,
                         std::vector<std::uint64_t>& into);

/// --ranks and --rank-timeout, which rank_options() keeps: for commands that all ranks execute together.
void add_rank_options(CLI::App& app);

/// --fail-link and --fail-node: the key failing.
void add_failing(CLI::App& app, std::vector<Failing>& into);

/// --ports
CLI::Option* add_ports(CLI::App& app, std::optional<PortModel>& into);

/// --color
CLI::Option* add_colour(CLI::App& app, ColourMode& into);

}  // namespace dcube::cli
