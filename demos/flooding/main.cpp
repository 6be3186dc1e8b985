// Flooding: a node that hears the news for the first time sends it to all neighbours from which it has not heard it.
#include <dcube/dcube.hpp>

#include <cstdio>
#include <vector>

using namespace dcube;

struct Own {
    Step informed_in = 0;  // the step in which the news came first; node 0 has it from the start
    bool knows = false;
};

Task flood(Node& me, const char& news, Own& own)
{
    own.knows = me.id() == 0;
    bool told = false;
    std::vector<bool> heard_from(me.ports());
    for (Port step = 0; step < me.ports(); ++step) {  // no node is farther away than d hops
        for (Port k = 0; own.knows && !told && k < me.ports(); ++k)
            if (!heard_from[k])
                me.send(k, news);
        told = own.knows;
        co_await me.next_step();
        for (Port k = 0; k < me.ports(); ++k)
            if (me.arrived(k)) {
                char same = 0;
                me.receive(k, same);
                heard_from[k] = true;
                if (own.knows)
                    me.count("packets that brought nothing new");
                else
                    own.informed_in = step + 1;
                own.knows = true;
            }
    }
}

int main()
{
    const Topology cube = Topology::hypercube(3);
    Machine machine(cube);
    const char news = '!';
    std::vector<Own> nodes(cube.nodes());
    const Counts counts = machine.run([&](Node& me) { return flood(me, news, nodes[me.id()]); });
    for (Step step = 0; step <= cube.dimension(); ++step) {
        unsigned informed = 0;
        for (const Own& own : nodes)
            informed += own.knows && own.informed_in <= step ? 1 : 0;
        std::printf("after step %u: %u know it\n", step, informed);
    }
    std::printf("%u packets in %u steps\n", static_cast<unsigned>(counts.transmissions), counts.steps);
    for (const Counter& counter : counts.counters)
        std::printf("%s: %u\n", counter.name.c_str(), static_cast<unsigned>(counter.value));
}
