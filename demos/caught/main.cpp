// The machine's messages about programs that break its rules.
#include <dcube/dcube.hpp>

#include <cstdio>

using namespace dcube;

// Both neighbours of a node send at once: too much for a machine with one port.
Task crowd(Node& me)
{
    static const std::byte packet{};
    if (me.id() != 0)
        me.send(me.id() == 1 ? 0 : 1, std::span(&packet, 1));
    co_await me.next_step();
}

// Every node waits for a packet that none sends.
Task wait_for_ever(Node& me)
{
    co_await me.next_step();
    co_await me.arrival(me.id() % 2);
}

// The packet that node 0 sends is never received.
Task forgetful(Node& me)
{
    static const std::byte packet{};
    if (me.id() == 0)
        me.send(1, std::span(&packet, 1));
    co_return;
}

void try_out(Machine& machine, Task (*program)(Node&))
{
    try {
        machine.run(program);
    } catch (const RuleViolation& violation) {
        std::printf("%s\n", violation.what());
    }
}

int main()
{
    Machine machine(Topology::hypercube(2), {.ports = PortModel::one});
    try_out(machine, wait_for_ever);
    try_out(machine, forgetful);
    try_out(machine, crowd);  // 1 sends to 0 over port 0, and 2 over port 1; 3 sends to 1
}
