// A race: an all-reduce with one variable where two are needed, with and without a machine that watches what is lent.
#include <dcube/dcube.hpp>

#include <cstdint>
#include <cstdio>
#include <vector>

using namespace dcube;

// Wrong: the partner reads `sum` while this node already adds to it.
Task sum_in_place(Node& me, std::uint32_t& sum)
{
    for (Port k = 0; k < me.ports(); ++k) {
        me.send(k, sum);
        co_await me.next_step();
        std::uint32_t theirs = 0;
        me.receive(k, theirs);
        sum += theirs;
    }
}

void try_out(bool watch)
{
    Machine machine(Topology::hypercube(3), {.watch_lent_bytes = watch});
    std::vector<std::uint32_t> sums{1, 2, 3, 4, 5, 6, 7, 8};
    std::printf(watch ? "watched:" : "not watched:");
    try {
        machine.run([&](Node& me) { return sum_in_place(me, sums[me.id()]); });
        for (const std::uint32_t sum : sums)
            std::printf(" %u", sum);
        std::printf("\n");
    } catch (const RuleViolation& violation) {
        std::printf(" %s\n", violation.what());
    }
}

int main()
{
    try_out(false);
    try_out(true);
}
