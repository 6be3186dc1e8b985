#pragma once
// Options that several commands have, in groups: what is said of the network, the problem, the links, the tuning and
// the machine. A group declares its options when it is made; asked afterwards, it checks what belongs together.

#include "cli/arguments.hpp"
#include "cli/requests.hpp"

#include <dcube/collective.hpp>
#include <dcube/elements.hpp>
#include <dcube/machine.hpp>
#include <dcube/matrix.hpp>
#include <dcube/ports.hpp>
#include <dcube/problem.hpp>
#include <dcube/topology.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace dcube::cli {

/// Whether options take several values: a list or a range.
enum class Sweep : std::uint8_t { no, yes };

/// --dim and --topology
class NetworkOptions {
public:
    NetworkOptions(CLI::App& app, Sweep sweep);
    NetworkOptions(const NetworkOptions&) = delete;
    NetworkOptions& operator=(const NetworkOptions&) = delete;

    /// At least one. Throws InvalidArgument where neither option is given.
    [[nodiscard]] std::vector<Topology> all() const;
    [[nodiscard]] Topology only() const { return all().front(); }
    [[nodiscard]] bool given() const { return !dimensions_.empty() || !topologies_.empty(); }

private:
    std::vector<std::uint64_t> dimensions_;
    std::vector<Topology> topologies_;
};

/// --link, --tau, --beta, --machine and --clock
class LinkOptions {
public:
    explicit LinkOptions(CLI::App& app);
    LinkOptions(const LinkOptions&) = delete;
    LinkOptions& operator=(const LinkOptions&) = delete;

    /// Throws InvalidArgument: options of the link-bound model with the unit model, or not all that it needs.
    [[nodiscard]] LinkModel model() const;

private:
    [[nodiscard]] LinkModel unit_model() const;

    std::optional<LinkKind> kind_;
    std::optional<Rational> tau_;
    std::optional<Rational> beta_;
    std::optional<std::string> machine_;
    std::optional<LinkClock> clock_;
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
    std::optional<std::uint64_t> groups_;
    std::optional<std::uint64_t> detour_groups_;
    std::optional<std::string> waves_;
    std::optional<std::uint64_t> halvings_;
};

/// --threads, --channel and --capacity
class MachineSettings {
public:
    MachineSettings(CLI::App& app, Sweep sweep);
    MachineSettings(const MachineSettings&) = delete;
    MachineSettings& operator=(const MachineSettings&) = delete;

    /// At least one: they differ in their number of threads. Throws InvalidArgument where the port model does not go
    /// with the links.
    [[nodiscard]] std::vector<MachineOptions> all(PortModel ports, const LinkModel& link) const;
    [[nodiscard]] MachineOptions only(PortModel ports, const LinkModel& link) const { return all(ports, link).front(); }

private:
    std::vector<std::uint64_t> threads_;
    std::optional<ChannelKind> channel_;
    std::optional<std::uint64_t> capacity_;
};

/// The collective and what belongs to it, but for its links and tuning.
class ProblemOptions {
public:
    enum class Reductions : std::uint8_t { without_operation, with_operation };  ///< whether there is --op

    ProblemOptions(CLI::App& app, Sweep sweep, Reductions reductions);
    ProblemOptions(const ProblemOptions&) = delete;
    ProblemOptions& operator=(const ProblemOptions&) = delete;

    /// Throws InvalidArgument: no collective, or options that do not apply to it.
    [[nodiscard]] Collective collective() const;

    /// The problems, not yet validated: one for each number of packets and size. Throws InvalidArgument: what is not
    /// there or out of the topology's range.
    [[nodiscard]] std::vector<Problem> problems(const Topology& topology) const;
    [[nodiscard]] Problem problem(const Topology& topology) const { return problems(topology).front(); }

    [[nodiscard]] bool has_bytes() const { return !bytes_.empty(); }
    [[nodiscard]] bool has_type() const { return type_.has_value(); }
    [[nodiscard]] bool has_seed() const { return seed_.has_value(); }
    [[nodiscard]] bool has_random_permutation() const;
    [[nodiscard]] std::uint64_t seed() const { return seed_.value_or(1); }
    [[nodiscard]] PortModel ports() const { return ports_.value_or(PortModel::all); }
    /// A matrix' file may say how large it is.
    void allow_unknown_size() { size_known_ = false; }

private:
    void reject_foreign(Collective collective) const;
    void read_target(const Topology& topology, Problem& problem) const;
    void read_matrix(Problem& problem) const;
    [[nodiscard]] std::vector<NodeId> permutation(const Topology& topology) const;

    std::optional<Collective> collective_;
    std::vector<std::size_t> bytes_;
    std::vector<std::uint64_t> packets_;
    std::optional<PortModel> ports_;
    std::optional<std::string> root_;  // its range is the network's
    std::optional<std::string> to_;
    std::optional<std::string> permutation_;
    std::optional<std::uint64_t> rows_;
    std::optional<std::uint64_t> columns_;
    std::optional<MatrixLayout> layout_;
    std::optional<MatrixLayout> to_layout_;
    std::optional<ElementType> type_;
    std::optional<Operation> operation_;
    std::optional<std::uint64_t> seed_;
    bool size_known_ = true;
};

/// --ports
CLI::Option* add_ports(CLI::App& app, std::optional<PortModel>& into);

}  // namespace dcube::cli
