#pragma once
/// The collectives as calls: on the caller's own data, or on data made from a seed and verified.

#include <dcube/catalogue.hpp>
#include <dcube/machine.hpp>
#include <dcube/report.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>

namespace dcube {

/// The problem with the machine's link model, which algorithms adapt themselves to. run and run_verified do this.
Problem on_links_of(const Machine& machine, Problem problem);

struct CallOptions {
    std::string algorithm = "auto";
    RunOptions run{};
};

/// Runs the collective on the caller's data: `input` and `output` hold all nodes' parts as Layout says, and must not
/// overlap. The stop of the RunOptions ends planning too. Throws InvalidArgument (sizes that do not fit the layout, no
/// such algorithm, not enough memory), and whatever Machine::run throws. The report is complete but for verification.
///
/// Where the machine is spread over several ranks all of them make the call, each with the parts of its own nodes, as
/// Layout::of(machine.own_nodes()) says: a root's part is on its rank only. All get the same report but for its date,
/// and throw the same; InvalidArgument also where they disagree about the problem, the algorithm or the RunOptions.
Report run(Machine& machine, const Problem& problem, std::span<const std::byte> input, std::span<std::byte> output,
           const CallOptions& options = {});

/// The same by an algorithm that need not be in the catalogue: the caller's own, or one made of a schedule
/// (schedule.hpp). Throws InvalidArgument also where require_suitable() does.
Report run(Machine& machine, const Algorithm& algorithm, const Problem& problem, std::span<const std::byte> input,
           std::span<std::byte> output, const RunOptions& options = {});

/// The same, one call a collective. `bytes` is a packet's size; see Layout for the shapes.
Report broadcast(Machine&, std::span<const std::byte> message, std::span<std::byte> copies, NodeId root,
                 std::size_t bytes, const CallOptions& = {});
Report reduce(Machine&, std::span<const std::byte> messages, std::span<std::byte> sum, NodeId root, std::size_t bytes,
              Operation, ElementType, const CallOptions& = {});
Report scatter(Machine&, std::span<const std::byte> messages, std::span<std::byte> parts, NodeId root,
               std::size_t bytes, const CallOptions& = {});
Report gather(Machine&, std::span<const std::byte> parts, std::span<std::byte> messages, NodeId root, std::size_t bytes,
              const CallOptions& = {});
Report all_gather(Machine&, std::span<const std::byte> parts, std::span<std::byte> gathered, std::size_t bytes,
                  const CallOptions& = {});
Report reduce_scatter(Machine&, std::span<const std::byte> messages, std::span<std::byte> sums, std::size_t bytes,
                      Operation, ElementType, const CallOptions& = {});
Report all_reduce(Machine&, std::span<const std::byte> vectors, std::span<std::byte> sums, std::size_t bytes, Operation,
                  ElementType, const CallOptions& = {});
/// Reductions with an operation of the caller's own.
Report reduce(Machine&, std::span<const std::byte> messages, std::span<std::byte> sum, NodeId root, std::size_t bytes,
              const OwnOperation&, const CallOptions& = {});
Report reduce_scatter(Machine&, std::span<const std::byte> messages, std::span<std::byte> sums, std::size_t bytes,
                      const OwnOperation&, const CallOptions& = {});
Report all_reduce(Machine&, std::span<const std::byte> vectors, std::span<std::byte> sums, std::size_t bytes,
                  const OwnOperation&, const CallOptions& = {});
Report all_to_all(Machine&, std::span<const std::byte> send, std::span<std::byte> receive, std::size_t bytes,
                  const CallOptions& = {});

/// What a verified run starts from, and what is done with its result.
struct VerifiedRunOptions {
    std::uint64_t seed = 1;
    std::span<const std::byte> input{};  ///< all nodes' data, on every rank; empty: made from the seed
    std::size_t repeat = 1;              ///< runs; the report's wall time is the median
    /// Where that is one run: seconds for which it is then repeated, without a trace, once to 1000 times; the report's
    /// wall time is the median of these warm runs. A first run that takes 50 times as long is not repeated.
    double warm_seconds = 0;
    std::function<void(std::span<const std::byte>)>
        output{};  ///< receives every node's final data, node by node (only local nodes on several ranks)
};

/// Allocates the data, fills them from the seed (or takes those given), runs the collective, checks every byte that the
/// nodes hold afterwards, and fills in the whole report. Throws InvalidArgument, VerificationError, and whatever
/// Machine::run throws.
Report run_verified(Machine& machine, const Problem& problem, const VerifiedRunOptions& how = {},
                    const CallOptions& options = {});

/// The same by an algorithm that need not be in the catalogue.
Report run_verified(Machine& machine, const Algorithm& algorithm, const Problem& problem,
                    const VerifiedRunOptions& how = {}, const RunOptions& options = {});

}  // namespace dcube
