// A broadcast of one's own: recursive doubling, with a sub-task for each stage. In stage k the nodes below 2^k have the
// message, and each passes it on across dimension k.
#include <dcube/dcube.hpp>

#include <cstdio>
#include <string>
#include <vector>

using namespace dcube;

// One stage. A sub-task may take steps of its own, and is awaited like one.
Task stage(Node& me, Port k, std::span<std::byte> message)
{
    if (me.id() >> k == 0)
        me.send(k, message);
    co_await me.next_step();
    if (me.id() >> k == 1)
        me.receive(k, message);
}

Task broadcast_by_doubling(Node& me, std::span<std::byte> message)
{
    for (Port k = 0; k < me.ports(); ++k) {
        Task sub = stage(me, k, message);
        co_await sub;
    }
}

int main()
{
    const Topology cube = Topology::hypercube(4);
    Machine machine(cube, {.ports = PortModel::one});  // each node sends and receives at most once per step
    std::vector<std::string> messages(cube.nodes(), std::string(11, '-'));
    messages[0] = "hello, cube";

    const Counts counts = machine.run(
        [&](Node& me) { return broadcast_by_doubling(me, std::as_writable_bytes(std::span(messages[me.id()]))); });

    std::printf("node 15 has \"%s\" after %u steps\n", messages[15].c_str(), counts.steps);
    const Problem problem{Collective::broadcast, messages[0].size()};
    const Bound bound = steps_bound(cube, PortModel::one, problem);
    std::printf("no algorithm needs less than %u: %s\n", static_cast<unsigned>(bound.value), bound.reason.c_str());
}
