#pragma once
// Messages that are cut where links take time. An entry for the unit model plans for packets of one size, and the
// number of packets of a message is part of the question. If the caller leaves it open, a message of one packet is cut
// into the best number: the one of least virtual time, found by walking through plans. Packets have ceil(m / p) bytes
// (whole elements in reductions), and the last one the rest. Of uneven messages p is the number of the longest one: a
// packet may then be a part of one of Problem::bytes, or several of these joined.

#include "algorithms/programs/schedule.hpp"

#include <dcube/catalogue.hpp>
#include <dcube/schedule.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>

namespace dcube::detail {

// The plan for the messages of `whole` in packets of `cut`.
using MakePieces = std::function<PieceSchedule(const Topology&, const Problem& cut, const Problem& whole)>;

// A schedule for packets of one size as it is for such messages.
PieceSchedule cut_pieces(const Schedule& schedule, std::uint32_t rounds, const Topology& topology, const Problem& cut,
                         const Problem& whole);

// The time of packets of one piece each on links that take time. None if that would be too much work.
std::optional<Rational> walked_time(const PieceSchedule& schedule, const Topology& topology, const Problem& problem);

// The entry, which cuts messages where that is worth it.
Entry cutting(Entry entry, MakePieces pieces);

// Whether the entry looks for a cut of messages of this problem.
bool may_cut(const Entry& entry, const Topology& topology, const Problem& problem);

}  // namespace dcube::detail
