#pragma once
// Messages that are cut where links take time. An entry for the unit model plans for packets of one size, and how many
// packets a message has is part of the question. Where the caller leaves that open, a message of one packet is cut into
// as many as are found to be best: those of least virtual time, found by walking through plans. Packets have
// ceil(m / p) bytes (whole elements in reductions), and the last one what is left.

#include "algorithms/programs/schedule.hpp"

#include <dcube/catalogue.hpp>
#include <dcube/schedule.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>

namespace dcube::detail {

// The plan for messages of so many bytes, cut into packets as the problem's `packets` and `bytes` say.
using MakePieces = std::function<PieceSchedule(const Topology&, const Problem& cut, std::size_t message)>;

// A schedule for packets of one size as it is for such messages.
PieceSchedule cut_pieces(const Schedule& schedule, std::uint32_t rounds, const Topology& topology, const Problem& cut,
                         std::size_t message);

// What packets of one piece each take on links that take time. None where that would be too much work.
std::optional<Rational> walked_time(const PieceSchedule& schedule, const Topology& topology, const Problem& problem);

// The entry, which cuts messages where that is worth it.
Entry cutting(Entry entry, MakePieces pieces);

// Whether the entry looks for a cut of messages of this problem.
bool may_cut(const Entry& entry, const Topology& topology, const Problem& problem);

}  // namespace dcube::detail
