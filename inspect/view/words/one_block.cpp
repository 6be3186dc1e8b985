#include "inspect/view/words/one_block.hpp"

#include "base/names.hpp"
#include "base/numbers.hpp"
#include "inspect/view/words/sentences.hpp"
#include "inspect/view/words/states.hpp"

#include <dcube/collective.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace dcube::view {

namespace {

constexpr std::uint32_t followed_part = 0;  // of a message in parts
constexpr std::size_t most_hops_named = 3;  // in one sentence

/// What is followed: a message, or one node's share of a sum.
struct Followed {
    std::uint64_t number = 0;  // of the message
    MessageEnds ends{};        // of a share: the node whose share it is, and the sum's target
};

struct Hop {
    const Flight* flight;
    std::uint64_t shares;  // in the sum that carries it; 1: it goes alone
};

bool has_followed_part(const Row& row)
{
    return row.part <= followed_part && followed_part < row.part + row.count;
}

/// How far a message goes: its hops, and of as many the last step.
using Reach = std::pair<std::uint64_t, Step>;

std::map<std::uint64_t, Reach> reaches(const Film& film)
{
    std::map<std::uint64_t, Reach> reaches;
    for (std::size_t i = 0; i < film.recording.flights.size(); ++i)
        for (const Row& row : film.rows_of(i))
            if (has_followed_part(row)) {
                auto& [hops, last] = reaches[row.message];
                ++hops;
                last = film.recording.flights[i].step;
            }
    return reaches;
}

// A message for its own node, which an algorithm may scatter all the same, is followed only where there is no other.
Followed farthest_message(const Film& film)
{
    Followed farthest;
    std::pair<bool, Reach> most;  // does it go to another node, and how far
    std::optional<NodeId> sender;
    for (const auto& [message, reach] : reaches(film)) {
        const MessageEnds ends = film.messages.ends(message);
        if (!sender)
            sender = ends.origin;
        const bool every_node_sends = film.messages.pairs() == Pairs::all;
        const std::pair far{!ends.origin || ends.origin != ends.target, reach};
        if ((every_node_sends && ends.origin != sender) || far <= most)
            continue;
        farthest = {message, ends};
        most = far;
    }
    return farthest;
}

// Of the shares in the first sum the farthest one; where every node gets a sum of its own, the first node's share that
// goes farthest.
Followed farthest_share(const Film& film)
{
    const Messages& messages = film.messages;
    const Topology& topology = film.recording.topology;
    const NodeId first = topology.member(0);
    Followed farthest{0, {first, messages.ends(0).target}};
    unsigned most = 0;
    const auto offer = [&](NodeId node, std::uint64_t number) {
        const std::optional<NodeId> target = messages.ends(number).target;
        if (!target || !topology.is_member(*target) || !messages.terms(*target).contains(node))
            return;
        if (const unsigned distance = topology.distance(node, *target); distance > most) {
            farthest = {number, {node, target}};
            most = distance;
        }
    };
    if (messages.count() == 1 || has_root(film.recording.problem.collective))
        for (NodeId node = 0; node < topology.nodes(); ++node)
            offer(node, 0);
    else
        for (std::uint64_t number = 0; number < messages.count(); ++number)
            offer(first, number);
    return farthest;
}

/// Goes with what is followed through the film, and tells about it.
class Story {
public:
    explicit Story(const Film& film)
        : film_(film), is_share_(film.messages.kind() == MessageKind::sums),
          what_(is_share_ ? farthest_share(film) : farthest_message(film)),
          subject_(with_capital(name())), holders_{what_.ends.origin.value_or(0)}
    {
    }

    OneBlock told()
    {
        OneBlock one{.name = name(), .ends = what_.ends, .rows = find_hops(), .sentences = {{0, before()}}};
        if (film_.timed())
            tell_in_time(one.sentences);
        else
            tell_in_steps(one.sentences);
        return one;
    }

private:
    std::vector<std::size_t> find_hops();
    void tell_in_steps(std::vector<OneBlock::Sentence>& sentences);
    void tell_in_time(std::vector<OneBlock::Sentence>& sentences);

    [[nodiscard]] std::string name() const;
    [[nodiscard]] std::string before() const;
    [[nodiscard]] std::string moving(const std::vector<Hop>& hops) const;
    [[nodiscard]] std::string resting() const;
    [[nodiscard]] std::string reached() const;
    [[nodiscard]] std::string place(NodeId node) const;
    void arrive(const Hop& hop);

    // It is in one place; else nodes that send it keep it.
    [[nodiscard]] bool is_in_one_place() const { return what_.ends.target.has_value(); }

    const Film& film_;
    bool is_share_;
    Followed what_;
    std::string subject_;
    std::vector<Hop> hops_{};
    std::set<NodeId> holders_;
};

std::vector<std::size_t> Story::find_hops()
{
    std::vector<std::size_t> found;
    for (std::size_t i = 0; i < film_.recording.flights.size(); ++i)
        for (std::size_t row = film_.first_row[i]; row < film_.first_row[i + 1]; ++row) {
            const Row& one = film_.rows[row];
            if (one.message != what_.number || !has_followed_part(one) ||
                (is_share_ && !film_.sets[one.set].contains(*what_.ends.origin)))
                continue;
            found.push_back(row);
            hops_.push_back({&film_.recording.flights[i], is_share_ ? film_.sets[one.set].size() : 1});
        }
    return found;
}

std::string Story::name() const
{
    const auto& [origin, target] = what_.ends;
    const std::string packet = film_.parts.count() > 1 ? "the first packet of " : "";
    switch (film_.messages.kind()) {
    case MessageKind::moves:
        return fmt::format("{}node {}'s {} for node {}", packet, *origin,
                           film_.messages.count() == 1 || film_.recording.problem.collective == Collective::permute
                               ? "message"
                               : "block",
                           *target);
    case MessageKind::copies:
        return packet + (film_.messages.count() == 1 ? "the message" : fmt::format("node {}'s block", *origin));
    case MessageKind::sums: break;
    }
    if (is_barrier(film_.recording.problem.collective))
        return fmt::format("the news that node {} has begun", *origin);
    if (film_.recording.free)
        return fmt::format("node {}'s data", *origin);
    return fmt::format("{}node {}'s share{}", packet, *origin,
                       film_.messages.count() > 1 && target ? fmt::format(" of the sum for node {}", *target) : "");
}

std::string Story::before() const
{
    std::string text = before_sentence(film_);
    constexpr std::string_view nothing_yet = "Nothing has been sent.";
    text.erase(text.size() - nothing_yet.size());
    const bool nothing_else = film_.messages.kind() == MessageKind::copies && film_.messages.count() == 1 &&
                              film_.parts.count() == 1;  // then every packet is what is followed
    if (!nothing_else)
        return text + fmt::format("We follow {}.", name());
    text.erase(text.find_last_not_of(' ') + 1);
    return text;
}

// "node 3, 2 links from where it belongs"
std::string Story::place(NodeId node) const
{
    const NodeId target = *what_.ends.target;
    if (node == target)
        return fmt::format("node {}, where it belongs", node);
    return fmt::format("node {}, {} from node {}", node,
                       counted(film_.recording.topology.distance(node, target), "link"), target);
}

// "from node 0 to nodes 1, 2 and 4", "from node 0 to node 2 and from node 1 to node 3", "over 8 links"
std::string route_text(const std::vector<Hop>& hops)
{
    if (hops.size() > most_hops_named)
        return fmt::format("over {}", counted(hops.size(), "link"));
    std::vector<std::string> receivers;
    std::vector<std::string> links;
    for (const Hop& hop : hops) {
        receivers.push_back(std::to_string(hop.flight->to));
        links.push_back(fmt::format("from node {} to node {}", hop.flight->from, hop.flight->to));
    }
    const NodeId sender = hops.front().flight->from;
    if (!std::ranges::all_of(hops, [sender](const Hop& hop) { return hop.flight->from == sender; }))
        return enumerated(links);
    return fmt::format("from node {} to {} {}", sender, plural(hops.size(), "node"), enumerated(receivers));
}

std::string Story::moving(const std::vector<Hop>& hops) const
{
    std::string text = fmt::format("{} goes {}", subject_, route_text(hops));
    if (const std::uint64_t shares = hops.front().shares; is_in_one_place() && shares > 1)
        text += fmt::format(", in a sum of {}", grouped(shares, "share"));
    const auto lost = std::ranges::find_if(hops, [](const Hop& hop) { return hop.flight->lost; });
    if (lost != hops.end())
        return text + fmt::format(", and is lost between nodes {} and {}", lost->flight->from, lost->flight->to);
    return text;
}

std::string Story::reached() const
{
    const std::string nodes = grouped(holders_.size(), "node");
    if (is_barrier(film_.recording.problem.collective))
        return nodes + " know it";
    return is_share_ ? fmt::format("it is in the sums of {}", nodes) : nodes + " have it";
}

std::string Story::resting() const
{
    if (holders_.size() == 1 && *holders_.begin() == what_.ends.origin)
        return fmt::format("{} has not left node {} yet.", subject_, *holders_.begin());
    if (is_in_one_place())
        return fmt::format("{} is at {}.", subject_, place(*holders_.begin()));
    return fmt::format("{} is not sent on now: {}.", subject_, reached());
}

void Story::arrive(const Hop& hop)
{
    if (hop.flight->lost)
        return;
    if (is_in_one_place())
        holders_.clear();
    holders_.insert(hop.flight->to);
}

// Unless nothing has changed.
void append_sentence(std::vector<OneBlock::Sentence>& sentences, std::uint64_t at, std::string text)
{
    if (sentences.back().text != text)
        sentences.push_back({at, std::move(text)});
}

void Story::tell_in_steps(std::vector<OneBlock::Sentence>& sentences)
{
    auto next = hops_.begin();
    for (Step step = 1; step <= film_.recording.steps; ++step) {
        std::vector<Hop> now;
        for (; next != hops_.end() && next->flight->step == step; ++next)
            now.push_back(*next);
        if (now.empty()) {
            append_sentence(sentences, step, resting());
            continue;
        }
        const std::string moves = moving(now);
        std::ranges::for_each(now, [this](const Hop& hop) { arrive(hop); });
        if (is_in_one_place() && now.size() == 1 && !now.front().flight->lost && now.front().shares == 1)
            append_sentence(sentences, step,
                            fmt::format("{} goes from node {} to {}.", subject_, now.front().flight->from,
                                        place(now.front().flight->to)));
        else
            append_sentence(sentences, step,
                            is_in_one_place() ? moves + "." : fmt::format("{}: {} now.", moves, reached()));
    }
    sentences.push_back({film_.steps() + std::uint64_t{1}, last_sentence(film_)});
}

void Story::tell_in_time(std::vector<OneBlock::Sentence>& sentences)
{
    std::map<Time, std::vector<Hop>> starts;
    std::map<Time, std::vector<Hop>> ends;
    std::set<Time> times;
    Time begin = film_.recording.end;
    for (const Hop& hop : hops_) {
        starts[hop.flight->start].push_back(hop);
        ends[hop.flight->end].push_back(hop);
        times.insert({hop.flight->start, hop.flight->end});
    }
    for (const Flight& flight : film_.recording.flights)
        begin = std::min(begin, flight.start);
    times.insert(begin);  // from then on it is not as it was before, even if other packets go first
    for (const Time time : times) {
        if (const auto arriving = ends.find(time); arriving != ends.end())
            std::ranges::for_each(arriving->second, [this](const Hop& hop) { arrive(hop); });
        const auto leaving = starts.find(time);
        if (time < film_.recording.end)
            append_sentence(sentences, time, leaving == starts.end() ? resting() : moving(leaving->second) + ".");
    }
    if (sentences.size() > 1 && sentences[1].at == 0)
        sentences.erase(sentences.begin());
    sentences.push_back({film_.recording.end, last_sentence(film_)});
}

}  // namespace

std::optional<OneBlock> one_block(const Film& film)
{
    if (!film.has_rows() || film.rows.empty())
        return std::nullopt;
    OneBlock one = Story(film).told();
    return one.rows.empty() ? std::nullopt : std::optional(std::move(one));
}

}  // namespace dcube::view
