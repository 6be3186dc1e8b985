// A dcube of one's own: all its commands, with an algorithm that the catalogue does not have. Try
//     ./dcube demo your-own-commands compare broadcast --topology path:8 --packets 4
//     ./dcube demo your-own-commands view broadcast --topology path:8 --algorithm along-path
#include <dcube/dcube.hpp>
#include <dcube/program.hpp>

#include <string>
#include <utility>
#include <vector>

using namespace dcube;

// Broadcast along a path from its first node, packet after packet.
Schedule along_path(const Topology& path, const Problem& problem)
{
    const auto packets = static_cast<Step>(problem.packets);
    Schedule schedule{.symmetry = Symmetry::none, .steps = path.nodes() - 2 + packets};
    for (NodeId node = 0; node + 1 < path.nodes(); ++node)
        for (Step copy = 0; copy < packets; ++copy)
            schedule.hops.push_back({.step = node + 1 + copy,
                                     .from = node,
                                     .port = path.ports(node) - 1,
                                     .packet = {.origin = 0, .copy = copy}});
    return schedule;
}

int main(int argc, char** argv)
{
    Algorithm mine = algorithm_of({.collective = Collective::broadcast,
                                   .name = "along-path",
                                   .obstacle = [](const Topology& network, const Problem& problem) -> std::string {
                                       const bool path = network.name().starts_with("path:") && !network.lacks_nodes();
                                       return path && problem.root == 0 ? "" : "it is for a path, from its first node";
                                   }},
                                  along_path);
    add_algorithm(Entry{std::move(mine), {.summary = "every node passes on what it gets"}});
    std::vector<std::string> words(argv, argv + argc);
    if (words.size() == 1)  // shows something
        for (const char* const word : {"view", "broadcast", "--topology", "path:4", "--algorithm", "along-path"})
            words.emplace_back(word);
    return run_program(words);
}
