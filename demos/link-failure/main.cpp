// A link fails while a broadcast runs, which ends with the packet that was lost. Another one sends copies and goes on.
#include <dcube/dcube.hpp>

#include <cstdio>
#include <string>
#include <vector>

using namespace dcube;

// Four packets from node 0 to all nodes of a 3-cube; the link between nodes 0 and 1 fails in step 2.
void try_out(const std::string& algorithm, const std::vector<Failing>& failing)
{
    Machine machine(Topology::hypercube(3));
    const Problem problem{.collective = Collective::broadcast, .bytes = 64, .packets = 4};
    CallOptions call{.algorithm = algorithm};
    call.run.failing = failing;
    try {
        const Report report = run_verified(machine, problem, {}, call);
        std::printf("%s: %u steps, %llu packets, %llu lost, %llu nodes have all\n", report.algorithm.c_str(),
                    report.counts.steps, static_cast<unsigned long long>(report.counts.transmissions),
                    static_cast<unsigned long long>(report.counts.lost),
                    static_cast<unsigned long long>(report.blocks_verified));
    } catch (const RuleViolation& violation) {
        std::printf("%s: %s\n", algorithm.c_str(), violation.what());
    }
}

int main()
{
    try_out("pipelined-trees", {});
    try_out("pipelined-trees", {{0, 1, 2}});
    try_out("independent-trees", {{0, 1, 2}});
    try_out("independent-trees", {{0, 1, 2}, failing_node(6, 1)});
}
