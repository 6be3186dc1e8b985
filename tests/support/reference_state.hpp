#pragma once
// Reference: the reference machine's parts. reference_machine.cpp has the steps and what ends a run,
// reference_calls.cpp what each call of a program does.

#include "tests/support/reference_machine.hpp"
#include "tests/support/reference_memory.hpp"

#include <deque>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace test_support {

using namespace dcube;

// A packet is a list of stretches of its sender's memory. Their bytes and owners at the time of sending are kept beside
// it.
struct Sent {
    NodeId sender;
    Port port;
    std::vector<Stretch> parts;
    bool joined;
    std::uint64_t header;
    Time usable;
    Step step;
    std::vector<std::byte> bytes;
    Owners owners;
};

struct Link {
    std::deque<Sent> packets;
    std::size_t waited = 0;  // packets, when the step began
    Step last_send = 0;
    Time free_from = 0;
    std::uint64_t carried = 0;
};

struct OpenTask {
    std::size_t end;  // its end_task
    bool caught;
};

struct Processor {
    std::size_t next = 0;  // call
    std::vector<OpenTask> tasks;
    bool ended = false;
    bool paused = false;
    Step asleep_until = 0;
    const Call* waits = nullptr;  // await_arrival or await_room
    Time received = 0;            // since when what was received last is usable
    Time latest = 0;              // over all that was received or looked at
    Step last_send = 0;
    bool forgot = false;
    Step script_begins = 0;
    std::map<std::size_t, Time> since;  // scripts: when what lies there came
    std::uint64_t storage = 0;
};

// The failure that ends a run: of several in a step that of the smallest (step, node, port), and of those the first.
struct Broken {
    std::tuple<Step, NodeId, Port> key;
    std::string text;
};

struct Thrown {};  // an exception passes through the program's tasks

class Reference {
public:
    Reference(const RandomProgram& program, Turns turns)
        : program_(program), topology_(program.topology), turns_(turns), links_(topology_.directed_links()),
          nodes_(topology_.nodes()), memory_(program)
    {
        outcome_.answers.resize(nodes_.size());
    }

    std::optional<Outcome> run();

private:
    // A step; true if it is the last.
    bool run_step();
    void run_node(NodeId id);
    void unwind(NodeId id);

    // Notes a failure that ends the run.
    void note(Step step, NodeId node, Port port, const std::string& text);
    [[noreturn]] void breaks(Rule rule, NodeId id, Port port);
    [[noreturn]] void breaks_capacity(NodeId sender, Port port);
    void check_lent_bytes();
    void check_second_receives();
    void check_end();
    void check_deadlock();
    std::string counts();

    // Waiting.
    bool pauses(NodeId id, const Call& call);
    bool may_go_on(NodeId id, const Call& call);
    bool arrived(NodeId id, Port port);
    bool has_room(NodeId id, Port port);

    // Calls.
    void perform(NodeId id, const Call& call);
    void work(NodeId id, const Call& call);
    void begin_script(NodeId id, const Call& call);
    std::size_t end_of_task(NodeId id);
    void send(NodeId id, const Call& call, const std::vector<Stretch>& parts, bool joined);
    Time departure(NodeId id, const Call& call, Sent& packet);
    void receive(NodeId id, const Call& call);
    Sent take(NodeId id, Port port);
    void require_fit(NodeId id, const Call& call, const Sent& packet);
    void note_arrival(NodeId id, const Call& call, const Sent& packet);
    void store(NodeId id, const Call& call, const Sent& packet, const std::vector<std::byte>& bytes);
    void peek(NodeId id, Port port);
    void require_port(NodeId id, Port port);
    void trace(const Sent& packet, Time start);
    Time since(NodeId id, Stretch place);
    void mix_into(NodeId id, Stretch into, Stretch base, const std::vector<std::byte>& packet);
    std::vector<std::byte> bytes_of(const Sent& packet);
    std::vector<std::byte> borrow(const Sent& packet);
    void answer(NodeId id, std::uint64_t word) { outcome_.answers[id].push_back(word); }

    [[nodiscard]] bool bound() const { return program_.machine.link.bound(); }
    Link& link(NodeId from, Port port) { return links_[topology_.link(from, port)]; }
    Link& link_into(NodeId to, Port port)
    {
        return link(topology_.neighbour(to, port), topology_.arrival_port(to, port));
    }

    const RandomProgram& program_;
    const Topology& topology_;
    Turns turns_;
    std::vector<Link> links_;
    std::vector<Processor> nodes_;
    ReferenceMemory memory_;
    Outcome outcome_{};
    std::optional<Broken> broken_{};
    Step step_ = 0;
    Time now_ = 0;  // lockstep: when the step begins
    std::uint64_t transmissions_ = 0;
    std::uint64_t bytes_ = 0;
    Time last_arrival_ = 0;
    // The running step's.
    std::uint64_t sent_ = 0;
    Time longest_ = 0;
    std::vector<Sent> lent_;  // packets that were taken
    std::vector<std::tuple<NodeId, Port, std::string>> lines_;
};

}  // namespace test_support
