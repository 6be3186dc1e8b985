// Seven programs, each with one mistake, and what the machine says of it.
#include <dcube/dcube.hpp>

#include <array>
#include <cstdio>

using namespace dcube;

const std::array<std::byte, 8> packet{};

Task too_early(Node& me)
{
    // What is sent in a step arrives at its end.
    me.send(0, packet);
    std::array<std::byte, 8> theirs;
    me.receive(0, theirs);
    co_await me.next_step();
}

Task twice(Node& me)
{
    me.send(0, packet);
    me.send(0, packet);
    co_await me.next_step();
}

Task far_away(Node& me)
{
    me.send(3, packet);  // a node of a 3-cube has ports 0, 1 and 2
    co_await me.next_step();
}

Task all_ports(Node& me)
{
    for (Port k = 0; k < me.ports(); ++k)
        me.send(k, packet);
    co_await me.next_step();
}

Task left_lying(Node& me)
{
    me.send(0, packet);
    co_await me.next_step();
}

Task two_wait(Node& me)
{
    for (int packets = 0; packets < 3; ++packets) {
        me.send(0, packet);
        co_await me.next_step();
    }
}

Task wrong_size(Node& me)
{
    me.send(0, packet);
    co_await me.next_step();
    std::array<std::byte, 4> theirs;
    me.receive(0, theirs);
}

void try_out(const char* name, Task (*program)(Node&), PortModel ports = PortModel::all)
{
    Machine machine(Topology::hypercube(3), {.ports = ports});
    try {
        machine.run(program);
    } catch (const RuleViolation& violation) {
        std::printf("%s: %s\n", name, violation.what());
    }
}

int main()
{
    try_out("twice", twice);
    try_out("too early", too_early);
    try_out("far away", far_away);
    try_out("all ports", all_ports, PortModel::one);
    try_out("left lying", left_lying);
    try_out("two wait", two_wait);
    try_out("wrong size", wrong_size);
}
