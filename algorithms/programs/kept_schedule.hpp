#pragma once
// Schedules in the files of a plan cache. A file is trusted for its checksum and its key (base/plan_files.hpp). It must
// have a schedule that can be carried out: its nodes, ports and packets exist, and nodes send only packets that they
// have by then. Whether it achieves its collective is checked as for every schedule: the machine enforces the rules of
// the links, and the result of a run is verified byte for byte.

#include "base/bytes.hpp"
#include "collectives/unit_question.hpp"

#include <dcube/link.hpp>
#include <dcube/problem.hpp>
#include <dcube/schedule.hpp>
#include <dcube/topology.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace dcube::detail {

// A schedule as bytes, and back. Reading throws InvalidArgument for bytes that are no schedule; a schedule that can be
// read may still be nonsense.
void write_schedule(ByteWriter& bytes, const Schedule& schedule);
Schedule read_schedule(ByteReader& bytes);

std::string key_of(const UnitQuestion& question);

// Throws InvalidArgument if the bytes are no schedule, or one that cannot be carried out.
Schedule read_schedule_for(ByteReader& bytes, const UnitQuestion& question);

// Throws InvalidArgument unless a plan's last step is the one that it claims, and it has at least one hop for every
// step: otherwise a program would wait for as many steps as whatever number a file contains.
void require_step_count(Step claimed, Step last, std::size_t hops);

// The schedule that make() returns, from a file if it takes this much work and was made before.
Schedule kept_schedule(std::string_view kind, std::uint64_t work, const UnitQuestion& question,
                       const std::function<Schedule()>& make);

}  // namespace dcube::detail
