// Deadlocks: partners across port 0 exchange a number, and one of them has to begin.
#include <dcube/dcube.hpp>

#include <cstdio>
#include <vector>

using namespace dcube;

// After you: every node waits for its partner's packet, then answers it.
Task polite(Node& me, const NodeId& mine, NodeId& theirs)
{
    co_await me.arrival(0);
    me.receive(0, theirs);
    me.send(0, mine);
}

// The even nodes begin.
Task even_first(Node& me, const NodeId& mine, NodeId& theirs)
{
    const bool begins = me.id() % 2 == 0;
    if (begins)
        me.send(0, mine);
    co_await me.arrival(0);
    me.receive(0, theirs);
    if (!begins)
        me.send(0, mine);
}

// Everybody sends over all ports before anybody waits.
Task all_at_once(Node& me, const NodeId& mine, NodeId& theirs)
{
    for (Port k = 0; k < me.ports(); ++k)
        me.send(k, mine);
    for (Port k = 0; k < me.ports(); ++k) {
        co_await me.arrival(k);
        me.receive(k, theirs);
    }
}

// The same, port by port, and node 5 forgets one of its packets.
Task forgetful(Node& me, const NodeId& mine, NodeId& theirs)
{
    for (Port k = 0; k < me.ports(); ++k) {
        if (me.id() != 5 || k != 1)
            me.send(k, mine);
        co_await me.arrival(k);
        me.receive(k, theirs);
    }
}

template <typename Program>
void try_out(const char* name, Program program)
{
    Machine machine(Topology::hypercube(3));
    std::vector<NodeId> numbers{0, 1, 2, 3, 4, 5, 6, 7};
    std::vector<NodeId> heard(8);
    try {
        const Counts counts = machine.run([&](Node& me) { return program(me, numbers[me.id()], heard[me.id()]); });
        std::printf("%s: packets %u, steps %u\n", name, static_cast<unsigned>(counts.transmissions), counts.steps);
    } catch (const RuleViolation& violation) {
        std::printf("%s: %s\n", name, violation.what());
    }
}

int main()
{
    try_out("polite", polite);
    try_out("even first", even_first);
    try_out("all at once", all_at_once);
    try_out("forgetful", forgetful);
}
