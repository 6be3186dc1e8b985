#pragma once
// The messages that every node holds while a film is played, step by step: for figures, which are made without a
// browser. The page works them out again (web/page/src/viewer/holding-*.ts): a change here needs one there.

#include "inspect/view/film/film.hpp"

#include <dcube/contributors.hpp>
#include <dcube/graph.hpp>

#include <cstdint>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

namespace dcube::view {

/// The contributors of the partial sums that nodes hold, while a reduction is played. Every node starts with its own
/// contribution to every part of every sum. An arriving sum is added if no contributor is in both; a larger sum
/// replaces the one that is held, and a smaller one changes nothing.
class Sums {
public:
    /// For `parts` parts of all sums together.
    Sums(const Topology& topology, std::uint64_t parts, Sharing sharing)
        : topology_(topology), parts_(parts), sharing_(sharing)
    {
    }

    [[nodiscard]] Contributors held(NodeId node, std::uint64_t part) const;
    /// Arrivals count from end_step() on.
    void arrive(NodeId node, std::uint64_t part, const Contributors& sum);
    void end_step();

private:
    struct Arrival {
        std::uint64_t place;
        Contributors sum;
    };

    [[nodiscard]] Contributors own(NodeId node) const;  // nothing of a switch

    Topology topology_;
    std::uint64_t parts_;
    Sharing sharing_;
    std::unordered_map<std::uint64_t, Contributors> held_;  // where anything has arrived
    std::vector<Arrival> arrivals_;
};

class Holdings {
public:
    /// The holdings at the start. The film has rows, and outlives this.
    explicit Holdings(const Film& film);

    /// Plays the next step; packets that are sent in it have arrived afterwards.
    void play();
    /// Instead of steps: what has arrived by that tick.
    void play_until(Time tick);
    [[nodiscard]] Step played() const { return step_; }

    /// Whether `node` has that part of a message now; of a sum, anything of it.
    [[nodiscard]] bool has(NodeId node, std::uint64_t message, std::uint32_t part) const;
    /// The nodes that have a part of a message that moves: one, or more while copies of it are on their way.
    [[nodiscard]] std::vector<NodeId> nodes_with(std::uint64_t message, std::uint32_t part) const;
    /// The contributors of the sum that `node` has of that part.
    [[nodiscard]] Contributors sum(NodeId node, std::uint64_t message, std::uint32_t part) const;

    /// The parts that nodes needed and did not have at the start, and how many of them they have now.
    [[nodiscard]] std::uint64_t needed() const { return needed_; }
    [[nodiscard]] std::uint64_t arrived() const { return arrived_; }

private:
    [[nodiscard]] std::uint64_t places() const { return film_.messages.count() * film_.parts.count(); }
    [[nodiscard]] std::uint64_t place(std::uint64_t message, std::uint32_t part) const
    {
        return message * film_.parts.count() + part;
    }
    void count_needed();
    [[nodiscard]] bool has_at_first(NodeId node, std::uint64_t message) const;
    void arrive_all(std::span<const std::size_t> flights);
    void arrive(const Flight& flight, const Row& row, std::uint32_t part);
    void move(std::uint64_t where, const Flight& flight, NodeId target);
    void note_complete(NodeId node, std::uint64_t where);
    [[nodiscard]] bool is_complete_alone(NodeId node) const;

    const Film& film_;
    Step step_ = 0;
    std::uint64_t needed_ = 0;
    std::uint64_t arrived_ = 0;
    std::vector<NodeId> at_;                             // moves: where each part is, its target if it is there too
    std::set<std::pair<std::uint64_t, NodeId>> copies_;  // moves: places and nodes where parts are besides
    std::vector<bool> arrived_at_;  // copies: what has come to each node; sums: what is complete there
    Sums sums_;
    std::vector<std::pair<NodeId, std::uint64_t>> summed_;  // in this step: where sums have arrived
};

}  // namespace dcube::view
