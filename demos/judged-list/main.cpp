// The judge on a list in memory: a broadcast on a 2-cube as one writes it down, and the same with a mistake.
#include <dcube/dcube.hpp>

#include <cstdio>
#include <vector>

using namespace dcube;

// The whole message from node 0. The judge finds the length that is left out.
const std::vector<Piece> message{{.origin = 0, .target = {}, .length = size_left_out}};

Transmission sent(Step step, NodeId from, NodeId to)
{
    return {.step = step, .from = from, .to = to, .port = port_left_out, .bytes = size_left_out, .pieces = message};
}

void judge(const std::vector<Transmission>& list)
{
    const TraceQuestion question{.topology = Topology::hypercube(2),
                                 .problem = {.collective = Collective::broadcast, .bytes = 64}};
    try {
        const Verdict verdict = judge_list(list, question);
        std::printf("a broadcast in %u steps, and no algorithm takes fewer than %u\n",
                    static_cast<unsigned>(verdict.steps), static_cast<unsigned>(verdict.steps_lower_bound));
    } catch (const TraceError& error) {
        std::printf("%s\n", error.what());
    }
}

int main()
{
    judge({sent(1, 0, 1), sent(1, 0, 2), sent(2, 1, 3)});
    judge({sent(1, 0, 1), sent(1, 2, 3), sent(2, 0, 2)});  // node 2 has nothing in step 1
    judge({sent(1, 0, 1), sent(1, 0, 2)});                 // node 3 gets nothing
}
