#pragma once
// Builders of catalogue entries. A head is an Entry that says what its algorithm is (collective, name, ports, link,
// networks, obstacle) and describes it (aliases, paper, origin, summary, idea, formula, time). Members that the head
// has already stay as they are; the rest comes from the schedule, the routing or the stream. An algorithm whose nodes
// run a coroutine of their own needs none of these: its entry has a `prepare`.

#include "algorithms/programs/phases.hpp"
#include "algorithms/programs/routing.hpp"
#include "algorithms/programs/schedule.hpp"
#include "algorithms/programs/stream.hpp"
#include "algorithms/programs/walked_time.hpp"
#include "base/exact.hpp"

#include <dcube/catalogue.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace dcube::detail {

using MakeSchedule = std::function<Schedule(const Topology&, const Problem&)>;
using MakeRouting = std::function<Routing(const Topology&, const Problem&)>;
using MakeStream = std::function<Stream(const Topology&, const Problem&)>;

// The texts of the entries for one collective, on all ports and on one.
struct EntryWords {
    Collective collective;
    std::string_view summary;
    std::string_view idea;
    std::string_view one_port_idea;
};
// Two entries for each: on all ports, and on one.
std::vector<Entry> on_all_ports_and_on_one(std::span<const EntryWords> words,
                                           Entry (*entry)(const EntryWords&, PortModel));

// The number of times that a schedule is carried out, once for every copy of a message.
using Rounds = std::function<std::uint32_t(const Topology&, const Problem&)>;
std::uint32_t one_round(const Topology&, const Problem&);
std::uint32_t round_per_packet(const Topology&, const Problem& problem);

// Adds the program, and its time on links that take time. Cost and storage must already be set in the head, because a
// schedule may take long to make.
Entry plan_entry(Entry head, MakeSchedule schedule, Rounds rounds = one_round);

// Facts about a routing before it is made. `pieces`: about how many stretches all its packets have, if it is a table of
// them; a routing that is worked out packet by packet needs none.
struct RoutingKind {
    Acting acting = Acting::apart;
    std::function<double(const Topology&, const Problem&)> pieces{};
};

// Add the program, cost (a routing's packets are counted), storage and the time on links that take time, but for what
// the head has. Phases end with the routing, whose last stages short messages may not need.
Entry routing_entry(Entry head, MakeRouting routing, RoutingKind kind = {});
Entry stream_entry(Entry head, MakeStream stream);

// A stream of m packets of one size on a hypercube, in unit steps; the head has its cost. `make` makes the pipeline of
// the node with this label, relative to the root. A reduction is a broadcast backwards; its phases are as they would
// follow each other in one.
Entry packet_stream_entry(Entry head,
                          std::unique_ptr<Pipeline> (*make)(unsigned d, NodeId label, std::uint32_t packets),
                          Phases (*phases)(unsigned d, std::uint64_t packets));

// The time of a run, and none if finding it would be too much work; kept for the next time.
using RunTime = std::function<std::optional<Rational>(const Topology&, const Problem&)>;
RunTime kept(RunTime time);
RunTime run_time(MakeRouting routing, RoutingKind kind);

// The time that the busiest of the links from and to the root (node 0, if there is no root) is busy in a routing, which
// must take little time to make.
std::function<Rational(const Topology&, const Problem&)> busy_at_root(MakeRouting routing);

// The storage of a routing's programs: bytes under way, and a word or two for every stretch that is held.
std::uint64_t routing_storage(const Topology& topology, const Problem& problem);

// A closed form in ns, as the catalogue wants it.
RunTime in_ns(std::function<Exact(const Topology&, const Problem&)> time);

// ceil(packets / d), with nothing to do on a machine of one node.
std::uint64_t steps_over_links(std::uint64_t packets, const Topology& topology);

}  // namespace dcube::detail
