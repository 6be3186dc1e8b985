#include "inspect/view/svg/frame.hpp"

#include "base/names.hpp"
#include "base/numbers.hpp"
#include "inspect/view/document/bound.hpp"
#include "inspect/view/film/cells.hpp"
#include "inspect/view/svg/state.hpp"
#include "inspect/view/words/clean.hpp"
#include "inspect/view/words/sentences.hpp"
#include "inspect/view/words/titles.hpp"

#include <dcube/collective.hpp>
#include <dcube/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace dcube::view {

namespace {

// The legend: what is seen in the figure, and nothing that is not.
enum class Numbers : std::uint8_t { drawn, left_out };

bool any_frame(const Figure& figure, const auto& seen)
{
    return std::ranges::any_of(figure.frames, seen);
}

bool any_packet(const Figure& figure, const auto& seen)
{
    return any_frame(figure, [&](const FrameMark& frame) { return std::ranges::any_of(frame.packets, seen); });
}

std::string packets_text(const Film& film, Numbers numbers)
{
    const bool several = film.messages.count() > 1;
    const bool numbered = numbers == Numbers::drawn;
    switch (film.messages.kind()) {
    case MessageKind::moves:
        return numbered ? "Disc: a packet; colour: its origin, number: its target. "
                        : "Disc: a packet; colour: its origin. ";
    case MessageKind::copies:
        if (several)
            return numbered ? "Disc: a packet; colour and number: its origin. "
                            : "Disc: a packet; colour: its origin. ";
        if (film.parts.count() > 1)
            return numbered ? "Disc: a packet of the message, by number. " : "Disc: a packet of the message. ";
        return "Disc: the message. ";
    case MessageKind::sums: break;
    }
    return "Small box: a sum on its way. ";
}

std::string cells_text(const Film& film)
{
    switch (film.messages.kind()) {
    case MessageKind::moves:
        return cells_of(film).by_origin ? "Cell of a node: an origin, filled when its block has arrived."
                                        : "Cell of a node: a part of what it waits for, filled when it has arrived.";
    case MessageKind::copies:
        if (film.messages.count() > 1)
            return "Cell of a node: an origin, filled when its message has arrived.";
        return film.parts.count() > 1 ? "Cell of a node: a packet of the message, filled when it has arrived."
                                      : "Box of a node: filled when the message has arrived.";
    case MessageKind::sums: break;
    }
    return "Cell: a node's contribution, filled where it is in the sum.";
}

std::string origin_text(const Figure& figure, NodeId origin, Numbers numbers)
{
    std::string text;
    if (any_packet(figure, [](const PacketMark& packet) { return !packet.faint; }))
        text = fmt::format("Disc: a packet from node {}{}. ", origin,
                           numbers == Numbers::drawn ? ", with the number of its target" : "");
    if (any_packet(figure, [](const PacketMark& packet) { return packet.faint; }))
        text += "Grey: packets of others. ";
    text += fmt::format("Box of a node: filled when what it gets from node {} has arrived", origin);
    const auto waits = [](const FrameMark& frame) {
        return std::ranges::any_of(frame.nodes, [](const NodeMark& node) { return !node.number.empty(); });
    };
    return text + (any_frame(figure, waits) ? "; number in it: how many of its packets wait there." : ".");
}

std::string legend_of(const Film& film, const Figure& figure, std::optional<NodeId> origin, Numbers numbers)
{
    const bool packets = any_packet(figure, [](const PacketMark&) { return true; });
    const auto complete = [](const FrameMark& frame) {
        return std::ranges::any_of(frame.nodes, [](const NodeMark& node) { return node.complete; });
    };
    std::string text = origin ? origin_text(figure, *origin, numbers)
                              : (packets ? packets_text(film, numbers) : "") + cells_text(film);
    text += any_packet(figure, [](const PacketMark& packet) { return packet.reached.has_value(); })
                ? " Line behind a disc: how far its link is filled."
                : "";
    text += any_frame(figure, complete) ? " Green: has all that it needs." : "";
    text += figure.binding.empty() ? "" : " Purple: links that the lower bound counts.";
    text += any_packet(figure, [](const PacketMark& packet) { return packet.lost; })
                ? " Red cross: a packet that is lost."
                : "";
    text += any_frame(figure, [](const FrameMark& frame) { return !frame.idle.empty(); })
                ? " Red dashes: those that are idle."
                : "";
    text += film.timed() && packets && any_packet(figure, [](const PacketMark& packet) { return !packet.reached; })
                ? " Packets of one step need not travel at the same time."
                : "";
    return text;
}

std::string time_text(const Film& film, Time tick)
{
    const std::uint64_t ticks_per_ns = film.recording.problem.link.ticks_per_ns();
    const std::uint64_t common = std::gcd(tick, ticks_per_ns);
    return amount_text(film.recording,
                       {static_cast<std::int64_t>(tick / common), static_cast<std::int64_t>(ticks_per_ns / common)});
}

std::string names_of(const std::vector<Layout>& layouts)
{
    std::string names;
    for (const Layout& layout : layouts)
        names += (names.empty() ? "" : ", ") + layout.name;
    return names;
}

std::vector<Layout> layouts_of(const Film& film, const std::optional<std::string>& name)
{
    const Recording& recording = film.recording;
    const Topology& topology = recording.topology;
    std::vector<Layout> layouts =
        view::layouts_of(topology, name ? root_of(recording.problem) : std::nullopt);  // by distance only on request
    if (layouts.empty())
        throw InvalidArgument(fmt::format("{} cannot be drawn so that it can be read: {}", topology.name(),
                                          topology.nodes() > most_drawn
                                              ? fmt::format("networks of at most {} nodes can", most_drawn)
                                              : "its links would run over its nodes"));
    if (!name)
        return layouts;
    const auto found = std::ranges::find(layouts, *name, &Layout::name);
    if (found == layouts.end())
        throw InvalidArgument(fmt::format("no layout {} for {}: expected one of {}", dcube::quoted(*name),
                                          topology.name(), names_of(layouts)));
    return {*found};
}

void require_moment(const Film& film, const Moment& moment)
{
    const Step end = film.recording.steps + 1;
    if (!moment.tick && moment.step > end)
        throw InvalidArgument(fmt::format(
            "step {} is out of range: expected 0 (before the first) to {} (after the last)", moment.step, end));
}

void require_possible(const Film& film, const FigureRequest& request)
{
    if (!film.has_rows() || film.is_of_one_node())
        throw InvalidArgument(fmt::format("{} packets are too many for a figure: not all of them were kept",
                                          grouped(film.recording.transmissions)));
    for (const Moment& moment : request.moments)
        require_moment(film, moment);
    const Topology& topology = film.recording.topology;
    const NodeId nodes = topology.nodes();
    if (request.origin && film.messages.kind() == MessageKind::sums)
        throw InvalidArgument("sums have many origins: one of them cannot be shown alone");
    if (request.origin && *request.origin >= nodes)
        throw InvalidArgument(fmt::format("there is no node {}: expected 0 to {}", *request.origin, nodes - 1));
    if (request.origin && !topology.is_member(*request.origin))
        throw InvalidArgument(
            fmt::format("node {} does not exist: {} lacks that node", *request.origin, topology.title()));
}

std::vector<std::uint32_t> undirected(std::vector<std::uint32_t> links)
{
    for (std::uint32_t& link : links)
        link /= 2;
    std::ranges::sort(links);
    links.erase(std::unique(links.begin(), links.end()), links.end());
    return links;
}

std::string caption(const Film& film, const Moment& moment)
{
    if (moment.tick)
        return time_text(film, *moment.tick);
    if (moment.step == 0)
        return "before step 1";
    return moment.step > film.recording.steps ? "done" : fmt::format("step {}", moment.step);
}

std::string description_of(const Film& film, const FigureRequest& request, const std::string& legend)
{
    std::string text = subtitle_of(film.recording);
    if (!film.timed()) {
        const std::vector<std::string> sentences = step_sentences(film);
        for (const Moment& moment : request.moments)
            text += moment.step == 0 || moment.step > film.recording.steps
                        ? " " + sentences[moment.step]
                        : fmt::format(" {}: {}", caption(film, moment), sentences[moment.step]);
    }
    return text + " " + legend;
}

FrameMark frame_in(const Film& film, const States& states, Step step)
{
    Holdings holdings(film);
    for (Step played = 1; played < step; ++played)
        holdings.play();
    FrameMark frame = states.frame(holdings);
    if (step == 0)
        frame.packets.clear();
    if (step == 0 || step > film.recording.steps)
        frame.idle.clear();
    return frame;
}

FrameMark frame_at(const Film& film, const States& states, Time tick)
{
    Holdings holdings(film);
    holdings.play_until(tick);
    return states.frame_at(holdings, tick);
}

}  // namespace

Time tick_at(const Film& film, const Rational& ns)
{
    if (!film.timed())
        throw InvalidArgument(
            fmt::format("packets have no times here, but steps: 0 (before the first) to {} (when all is done)",
                        film.recording.steps + 1));
    const double ticks = ns.to_double() * static_cast<double>(film.recording.problem.link.ticks_per_ns());
    if (!(ticks >= 0 && ticks <= static_cast<double>(film.recording.end)))
        throw InvalidArgument(
            fmt::format("the run takes {}: times from 0ns to that are possible", time_text(film, film.recording.end)));
    return static_cast<Time>(std::llround(ticks));
}

std::vector<Moment> steps_between(Step first, Step last)
{
    if (first > last)
        throw InvalidArgument(fmt::format("steps {} to {}: the first must not come after the last", first, last));
    std::vector<Moment> moments;
    for (Step step = first; step <= last; ++step)
        moments.push_back({step});
    return moments;
}

FilmFigure figure(const Film& film, const FigureRequest& request)
{
    require_possible(film, request);
    const States states(film, request.origin);
    const Recording& recording = film.recording;
    Figure figure{.title = clean(title_of(recording) + ": " + name_of(recording), longest_title),
                  .layouts = layouts_of(film, request.layout),
                  .links = undirected_links(recording.topology),
                  .columns = states.cells().columns,
                  .rows = states.cells().rows,
                  .binding = undirected(binding_links(film))};
    for (const Moment& moment : request.moments) {
        figure.frames.push_back(moment.tick ? frame_at(film, states, *moment.tick)
                                            : frame_in(film, states, moment.step));
        if (request.legend == Legend::drawn)
            figure.frames.back().caption = caption(film, moment);
    }
    const Numbers numbers = is_numbered(figure, request.width_mm) ? Numbers::drawn : Numbers::left_out;
    const std::string legend = legend_of(film, figure, request.origin, numbers);
    if (request.legend == Legend::drawn)
        figure.legend = legend;
    figure.description = clean(description_of(film, request, legend), 20 * longest_sentence);
    return {svg(figure, request.width_mm), legend};
}

}  // namespace dcube::view
