#include "inspect/view/document/board.hpp"

#include "base/names.hpp"
#include "base/numbers.hpp"
#include "inspect/view/document/bound.hpp"
#include "inspect/view/document/film_json.hpp"
#include "inspect/view/words/clean.hpp"
#include "inspect/view/words/titles.hpp"

#include <dcube/bounds.hpp>
#include <dcube/collective.hpp>
#include <dcube/error.hpp>
#include <dcube/problem.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <sstream>
#include <utility>
#include <vector>

namespace dcube::view {

namespace {

constexpr Collective on_boards[] = {Collective::broadcast,  Collective::reduce,     Collective::scatter,
                                    Collective::gather,     Collective::all_gather, Collective::reduce_scatter,
                                    Collective::all_to_all, Collective::send};

std::string names_on_boards()
{
    return fmt::format("{}", fmt::join(names_of_all<on_boards>(), ", "));
}

// One piece for each packet of a message that has as many as any.
std::vector<Piece> packets_of(const Problem& problem, const Topology& topology)
{
    const Messages messages(problem, topology);
    std::uint64_t longest = 0;
    while (messages.bytes(longest) != messages.most_bytes())
        ++longest;
    const MessageEnds ends = messages.ends(longest);
    std::vector<Piece> packets;
    for (std::size_t packet = 0; packet < most_packets(problem); ++packet)
        packets.push_back({ends.origin, ends.target, packet * problem.bytes, problem.bytes});
    return packets;
}

// The first line of the trace that the board writes.
Json header_json(const TraceQuestion& question)
{
    std::ostringstream line;
    write_trace(line, question);
    return Json::parse(line.str());
}

Json bounds_json(TraceQuestion question, PortModel ports)
{
    question.ports = ports;
    const Bound packets = transmissions_bound(question.topology, question.problem);
    return {{"steps", bound_json(empty_film(question))},
            {"packets", {{"value", packets.value}, {"words", clean(packets.reason, longest_sentence)}}}};
}

Json node_json(bool is_one, NodeId node)
{
    return is_one ? Json(node) : Json();
}

}  // namespace

void require_board(const TraceQuestion& question)
{
    constexpr std::uint64_t most_transmissions = 1000;  // each of which a person has to tap
    const Problem& problem = question.problem;
    const Topology& topology = question.topology;
    if (std::ranges::find(on_boards, problem.collective) == std::end(on_boards))
        throw InvalidArgument("collective", fmt::format("there is no board for {}: expected one of {}",
                                                        name(problem.collective), names_on_boards()));
    if (!problem.within.empty())
        throw InvalidArgument("within", "a board is for all nodes together, not for groups");
    if (problem.link.bound())
        throw InvalidArgument("link_model", "a board has steps: links that take time are for runs");
    if (topology.nodes() > most_board_nodes)
        throw InvalidArgument("topology", fmt::format("{} has {} nodes: a board has at most {}", topology.title(),
                                                      grouped(topology.nodes()), most_board_nodes));
    validate(problem, topology);
    if (moves_nothing(problem))
        throw InvalidArgument(problem.bytes == 0       ? "bytes"
                              : problem.counts.empty() ? "packets"
                                                       : "counts",
                              "a board has packets to move, and messages of 0 bytes need not be sent");
    const std::uint64_t least = transmissions_bound(topology, problem).value;
    if (least > most_transmissions)
        throw InvalidArgument("topology",
                              fmt::format("{} on {} takes at least {} transmissions: a board is for at most {}",
                                          name(problem.collective), topology.title(), grouped(least),
                                          grouped(most_transmissions)));
}

Film empty_film(const TraceQuestion& question)
{
    Recording recording;
    recording.topology = question.topology;
    recording.ports = question.ports;
    recording.problem = question.problem;
    recording.pieces = packets_of(question.problem, question.topology);
    return Film(std::move(recording));
}

std::string board_title(const Film& film)
{
    return "Your turn: " + without_capital(title_of(film.recording));
}

std::string board_document(const TraceQuestion& question, std::string_view command)
{
    require_board(question);
    const Problem& problem = question.problem;
    const Film film = empty_film(question);
    Json board{{"collective", name(problem.collective)},
               {"root", node_json(has_root(problem.collective) || has_peer(problem.collective), problem.root)},
               {"peer", node_json(has_peer(problem.collective), problem.peer)},
               {"packets", most_packets(problem)},
               {"bytes", problem.bytes},
               {"one_port", question.ports == PortModel::one}};
    board["head"] = header_json(question);
    for (const PortModel ports : {PortModel::all, PortModel::one})
        board["bounds"][ports == PortModel::all ? "all" : "one"] = bounds_json(question, ports);
    board["film"] = film_json(film, Packing::plain);
    Json document = head_json(board_title(film), film.recording, command);
    document["board"] = std::move(board);
    return document.dump();
}

}  // namespace dcube::view
