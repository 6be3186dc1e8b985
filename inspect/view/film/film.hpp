#pragma once
// Films: a recording with its transmissions expressed as messages and parts, so that it can be played.

#include "base/sizes.hpp"
#include "collectives/terms.hpp"
#include "inspect/view/film/relative.hpp"
#include "run/recording.hpp"

#include <dcube/contributors.hpp>
#include <dcube/group.hpp>
#include <dcube/problem.hpp>
#include <dcube/topology.hpp>
#include <dcube/trace.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace dcube::view {

enum class MessageKind : std::uint8_t {
    moves,   ///< from one node to one node: a part is in one place
    copies,  ///< from one node to all
    sums,    ///< sums of all nodes' contributions
};

/// Whether the sums that meet at a node have no contribution in common. In a barrier the "sum" that a node holds is the
/// set of nodes of which it has heard, and it may hear of one twice; it is shown as one part.
enum class Sharing : std::uint8_t { disjoint, overlapping };

/// The ends of a message; a sum has no origin, and what all nodes get has no target.
struct MessageEnds {
    std::optional<NodeId> origin;
    std::optional<NodeId> target;

    friend bool operator==(const MessageEnds&, const MessageEnds&) = default;
};

/// The one root, if there is one: groups have several.
std::optional<NodeId> root_of(const Problem& problem);

/// The form in which the messages of `moves` are listed: all pairs, those of one node, or a list.
enum class Pairs : std::uint8_t { all, from_root, to_root, list };

/// The messages that a collective moves, numbered.
class Messages {
public:
    Messages(const Problem& problem, const Topology& topology);

    [[nodiscard]] MessageKind kind() const { return kind_; }
    [[nodiscard]] Pairs pairs() const { return pairs_; }
    [[nodiscard]] Sharing sharing() const { return is_barrier(collective_) ? Sharing::overlapping : Sharing::disjoint; }
    /// If the pairs are a list: origins and targets, ascending.
    [[nodiscard]] std::span<const std::pair<NodeId, NodeId>> list() const { return list_; }

    [[nodiscard]] std::uint64_t count() const;
    [[nodiscard]] MessageEnds ends(std::uint64_t number) const;
    [[nodiscard]] std::uint64_t bytes(std::uint64_t number) const
    {
        return lengths_.empty() ? bytes_ : lengths_[as_size(number)];
    }
    /// Whether they have different lengths.
    [[nodiscard]] bool are_uneven() const { return !lengths_.empty(); }
    /// The bytes of the longest message.
    [[nodiscard]] std::uint64_t most_bytes() const { return bytes_; }
    /// The message that a piece is of; none if it is no stretch of one of them.
    [[nodiscard]] std::optional<std::uint64_t> number_of(const Piece& piece) const;

    /// Whether `node` needs the message in the end. For a sum that is the complete one.
    [[nodiscard]] bool needs(NodeId node, std::uint64_t number) const;
    /// The nodes whose contributions are in the sum that `node` needs.
    [[nodiscard]] Contributors terms(NodeId node) const;
    /// The groups that do it apart from each other; null: all nodes do it together.
    [[nodiscard]] const Group* groups() const { return groups_.get(); }

    /// Whether `node` has the message at the start. For a sum that is its own contribution.
    [[nodiscard]] bool starts_with(NodeId node, std::uint64_t number) const;

private:
    void list_roots(const Problem& problem);
    void list_ends(const Problem& problem);
    void list_ends_in(const Problem& problem, NodeId number);
    void list_members();
    [[nodiscard]] bool are_together(NodeId a, NodeId b) const;
    void list_matrix(const Problem& problem, const Topology& topology);
    void list_uneven(const Problem& problem);
    [[nodiscard]] std::optional<std::uint64_t> number_of(const MessageEnds& ends) const;

    Collective collective_;
    MessageKind kind_ = MessageKind::moves;
    Pairs pairs_ = Pairs::all;
    Topology topology_;
    NodeId nodes_;
    std::shared_ptr<const Group> groups_;
    std::vector<NodeId> roots_;  // the one origin or target of all messages; of groups one in each, ascending
    bool one_ = false;           // there is one message, or one for each root
    std::uint64_t bytes_;
    std::vector<std::pair<NodeId, NodeId>> list_;
    std::vector<std::uint64_t> lengths_;  // by message, where they differ
};

/// The finest common partition of all messages by the offsets at which any piece begins or ends.
class Parts {
public:
    /// One part: whole messages.
    explicit Parts(std::uint64_t bytes) : cuts_{0, bytes} {}
    Parts(const Messages& messages, std::span<const Piece> pieces);

    [[nodiscard]] std::uint32_t count() const { return static_cast<std::uint32_t>(cuts_.size() - 1); }
    [[nodiscard]] std::uint64_t bytes(std::uint32_t part) const { return cuts_[part + 1] - cuts_[part]; }
    /// The number of parts of a message of that length.
    [[nodiscard]] std::uint32_t of(std::uint64_t bytes) const { return part_at(bytes); }
    /// The part that begins at this offset.
    [[nodiscard]] std::uint32_t part_at(std::uint64_t offset) const;

private:
    void sort_cuts();

    std::vector<std::uint64_t> cuts_;  // ascending: 0, .., the longest message's length
};

/// A stretch of parts of one message, in a packet.
struct Row {
    std::uint32_t message = 0;
    std::uint32_t part = 0;
    std::uint32_t count = 0;  ///< parts
    std::uint32_t set = 0;    ///< sums: who is in it, an index in Film::sets

    friend bool operator==(const Row&, const Row&) = default;
};

struct Film {
    explicit Film(Recording recording);

    /// There are transmissions, and messages and parts are few enough to be played; else there are counts only.
    [[nodiscard]] bool has_rows() const { return recording.detail != Detail::counts; }
    /// Only the first node's messages are shown, of a total exchange in which every node does the same.
    [[nodiscard]] bool is_of_one_node() const { return recording.detail == Detail::one_node; }
    /// It is played in time, not in steps.
    [[nodiscard]] bool timed() const { return recording.problem.link.bound() && has_rows(); }
    /// The steps with something to see: those of the recording, and that of the event in which it ends.
    [[nodiscard]] Step steps() const;
    /// The step of that event. There has to be one.
    [[nodiscard]] Step ending_step() const;
    [[nodiscard]] std::uint32_t parts_of(std::uint64_t message) const { return parts.of(messages.bytes(message)); }

    [[nodiscard]] std::span<const Row> rows_of(std::size_t flight) const
    {
        return std::span(rows).subspan(first_row[flight], first_row[flight + 1] - first_row[flight]);
    }
    /// The indices of the flights of a step: [first, second).
    [[nodiscard]] std::pair<std::size_t, std::size_t> flights_in(Step step) const
    {
        return {first_flight[step - 1], first_flight[step]};
    }

    Recording recording;  ///< its flights are sorted by step, sender and port
    Messages messages;
    Parts parts;
    Relative relative;
    std::vector<Row> rows{};
    std::vector<std::uint32_t> first_row{0};  ///< by flight, and the end
    std::vector<std::size_t> first_flight{};  ///< by step, and the end: step t's at t - 1
    std::vector<Contributors> sets{};         ///< the contributors of sums
    /// The flight in which the film ends, if it could be read and played: its step, over its link, in these rows.
    std::optional<Flight> rejected{};
    std::vector<Row> rejected_rows{};

private:
    void sort_flights();
    void make_rows();
};

}  // namespace dcube::view
