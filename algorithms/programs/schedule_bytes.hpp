#pragma once
#include "base/bytes.hpp"

#include <dcube/schedule.hpp>

namespace dcube::detail {

// A schedule as bytes, and back. Reading throws InvalidArgument for bytes that are none; what the schedule says may
// still be nonsense.
void write_schedule(ByteWriter& bytes, const Schedule& schedule);
Schedule read_schedule(ByteReader& bytes);

}  // namespace dcube::detail
