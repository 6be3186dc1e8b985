#include "run/describe.hpp"

#include "base/numbers.hpp"

#include <dcube/collective.hpp>
#include <dcube/matrix.hpp>

#include <fmt/format.h>

#include <set>
#include <string_view>

namespace dcube {

namespace {

// "a block of 64 bytes", or with several packets "a message of 3 packets of 64 bytes".
std::string message_text(const Problem& problem, std::string_view article)
{
    const std::string size = size_text(problem.bytes);
    if (!problem.counts.empty())
        return fmt::format("{} message of up to {} of {}", article, grouped(most_packets(problem), "packet"), size);
    if (problem.packets == 1)
        return fmt::format("{} block of {}", article, size);
    return fmt::format("{} message of {} packets of {}", article, grouped(problem.packets), size);
}

// "the sum of the int32 elements".
std::string combined_text(const Problem& problem)
{
    if (problem.own_operation)
        return fmt::format("the {} of the elements of {}", operation_name(problem), size_text(element_size(problem)));
    return fmt::format("the {} of the {} elements", name(problem.operation), name(problem.type));
}

// "a matrix of 48 x 64 uint8 elements in submatrices".
std::string matrix_text(const Problem& problem)
{
    return fmt::format("a matrix of {} x {} {} elements in {}", problem.rows, problem.columns, name(problem.type),
                       name(problem.layout));
}

std::string others_text(const Topology& topology)
{
    const NodeId others = topology.members() - 1;
    if (others == 0)
        return "each other node, of which there is none";
    return others == 1 ? "the other node" : fmt::format("each of the {} others", grouped(others));
}

}  // namespace

namespace {

// "in each of the 8 groups of 8 nodes, within dimensions 0,1,2 and by ranks: ", or "in the one group of ..."
std::string groups_text(const Group& groups)
{
    const bool cube = groups.topology().whole().is_hypercube();
    const std::string parts = plural(groups.within().size(), cube ? "dimension" : "factor");
    const std::string which =
        groups.count() == 1 ? "the one group" : fmt::format("each of the {}", grouped(groups.count(), "group"));
    return fmt::format("in {} of {}, within {} {} and by ranks: ", which, grouped(groups.network().members(), "node"),
                       parts, within_text(groups.within()));
}

}  // namespace

std::string describe(const Problem& problem, const Topology& topology)
{
    if (const auto groups = groups_of(problem, topology))
        return groups_text(*groups) + describe(in_group(problem), groups->network());
    const std::string blocks = fmt::format("{} of {}", grouped(problem.packets, "block"), size_text(problem.bytes));
    const std::string sentence =
        std::string(traits(problem.collective).sentence) + (problem.in_place ? ", in place" : "");
    return fmt::format(fmt::runtime(sentence), fmt::arg("root", problem.root), fmt::arg("peer", problem.peer),
                       fmt::arg("others", others_text(topology)), fmt::arg("message", message_text(problem, "a")),
                       fmt::arg("same", message_text(problem, "the same")),
                       fmt::arg("different", message_text(problem, "a different")), fmt::arg("blocks", blocks),
                       fmt::arg("combined", combined_text(problem)), fmt::arg("matrix", matrix_text(problem)),
                       fmt::arg("layout_after", name(problem.to_layout)));
}

std::string verified_text(const Report& report)
{
    if (!report.verified)
        return "no";
    std::set<NodeId> failed;
    for (const Failing& one : report.failing)
        if (has_failed(report.failing, one.a, report.counts.steps))
            failed.insert(one.a);
    std::string text = is_barrier(report.problem.collective)
                           ? fmt::format("{} heard of all before going on", grouped(report.blocks_verified, "node"))
                           : fmt::format("{}, {}", grouped(report.blocks_verified, "block"), name(report.comparison));
    if (!failed.empty())
        text += ", except on the " + plural(failed.size(), "failed node");
    if (report.comparison != Comparison::bytes && report.same_bits)
        text += *report.same_bits ? "; all nodes have the same bits" : "; not all nodes have the same bits";
    return text;
}

}  // namespace dcube
