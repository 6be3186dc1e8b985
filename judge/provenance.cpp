#include "judge/provenance.hpp"

#include "base/sizes.hpp"
#include "collectives/terms.hpp"

#include <dcube/collective.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace dcube {

namespace {

// Above so many marks, one for each node and message, a run is not followed.
constexpr std::uint64_t most_marks = std::uint64_t{1} << 26;

void unite(std::vector<bool>& into, const std::vector<bool>& from)
{
    for (std::size_t i = 0; i < into.size(); ++i)
        into[i] = into[i] || from[i];
}

}  // namespace

Provenance::Provenance(const Problem& problem, const Topology& topology)
    : problem_(problem), topology_(topology), sums_(is_reduction(problem.collective)), messages_(problem, topology),
      followed_(!is_barrier(problem.collective) && problem.within.empty() &&
                (sums_ ? topology.nodes() : messages_.count()) <= most_marks / topology.nodes())
{
    if (!followed_)
        return;
    anything_.resize(topology.nodes());
    for (NodeId node = 0; sums_ && node < topology.nodes(); ++node)  // of sums: whose shares are there
        at(anything_, node)[node] = true;
}

std::vector<bool>& Provenance::at(std::vector<std::vector<bool>>& of, NodeId node) const
{
    of[node].resize(sums_ ? topology_.nodes() : as_size(messages_.count()));
    return of[node];
}

void Provenance::add(const Transmission& one)
{
    if (!followed_ || one.lost)
        return;
    if (one.step != step_)
        end_step();
    step_ = one.step;
    if (sums_)
        bring_shares(one);
    else if (one.pieces.empty())
        bring_anything(one);
    else
        bring_pieces(one);
}

void Provenance::end_step()
{
    for (const auto& [key, stretch] : arrived_)
        held_.add_or_advance(key, stretch);
    arrived_.clear();
    for (const auto& [node, brought] : arriving_)
        unite(at(anything_, node), brought);
    arriving_.clear();
}

void Provenance::bring_pieces(const Transmission& one)
{
    for (const Piece& piece : one.pieces)
        messages_.visit_packets(piece, [&](const PacketBytes& bytes) {
            if (one.to != messages_.origin(bytes.message))
                arrived_.push_back({messages_.key(one.to, bytes), {bytes.begin, bytes.end, one.step}});
        });
}

void Provenance::bring_anything(const Transmission& one)
{
    looked_at_ += messages_.count() * messages_.packets();
    followed_ = looked_at_ <= most_marks;
    if (!followed_)
        return;
    std::vector<bool> brought(as_size(messages_.count()));
    for (std::uint64_t message = 0; message < messages_.count(); ++message)
        brought[as_size(message)] = may_have(one.from, message);
    arriving_.emplace_back(one.to, std::move(brought));
}

void Provenance::bring_shares(const Transmission& one)
{
    arriving_.emplace_back(one.to, anything_[one.from]);
}

// Some byte of it, which may be the one that a computed packet needs.
bool Provenance::may_have(NodeId node, std::uint64_t message) const
{
    if (node == messages_.origin(message))
        return true;
    const std::vector<bool>& marks = anything_[node];
    if (!marks.empty() && marks[as_size(message)])
        return true;
    for (std::uint64_t packet = 0; packet < messages_.packets_of_message(message); ++packet) {
        const PacketBytes bytes = messages_.whole_packet(message, packet);
        if (held_.first_present(messages_.key(node, bytes), bytes.begin, bytes.end) != bytes.end)
            return true;
    }
    return false;
}

std::optional<Provenance::Gap> Provenance::gap(const std::function<bool(NodeId)>& excused)
{
    if (!followed_)
        return std::nullopt;
    end_step();
    if (sums_)
        return gap_of_sums(excused);
    if (is_point_to_point(problem_.collective)) {
        for (std::uint64_t message = 0; message < messages_.count(); ++message)
            if (const NodeId target = messages_.target(message); !excused(target))
                if (auto found = gap_of(target, message))
                    return found;
        return std::nullopt;
    }
    for (NodeId node = 0; node < topology_.nodes(); ++node)
        if (!excused(node))
            for (const std::uint64_t message : messages_.held_by(node))
                if (auto found = gap_of(node, message))
                    return found;
    return std::nullopt;
}

std::optional<Provenance::Gap> Provenance::gap_of(NodeId node, std::uint64_t message) const
{
    const NodeId origin = messages_.origin(message);
    const std::vector<bool>& marks = anything_[node];
    if (node == origin || (!marks.empty() && marks[as_size(message)]))
        return std::nullopt;
    for (std::uint64_t packet = 0; packet < messages_.packets_of_message(message); ++packet) {
        const PacketBytes bytes = messages_.whole_packet(message, packet);
        const std::uint64_t absent =
            held_.first_absent(messages_.key(node, bytes), bytes.begin, bytes.end, ~std::uint64_t{0});
        if (absent != bytes.end)
            return Gap{node, origin,
                       fmt::format("node {} never received byte {} of {}", node, absent, messages_.describe(message))};
    }
    return std::nullopt;
}

std::optional<Provenance::Gap> Provenance::gap_of_sums(const std::function<bool(NodeId)>& excused) const
{
    const bool at_root = has_root(problem_.collective);
    for (NodeId node = 0; node < topology_.nodes(); ++node) {
        if (!topology_.is_member(node) || excused(node) || (at_root && node != problem_.root))
            continue;
        const Contributors terms = terms_of(problem_.collective, topology_, node);
        for (const auto& [first, last] : terms.ranges())
            for (NodeId origin = first; origin <= last; ++origin)
                if (!anything_[node][origin])
                    return Gap{
                        node, origin,
                        fmt::format("nothing came to node {} from node {}, whose share is in its sum", node, origin)};
    }
    return std::nullopt;
}

}  // namespace dcube
