#pragma once
// Schedules in the files of a plan cache.

#include "algorithms/programs/schedule_question.hpp"
#include "base/bytes.hpp"

#include <dcube/schedule.hpp>

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace dcube::detail {

std::string key_of(const ScheduleQuestion& question);

// A total exchange of one packet for each pair.
ScheduleQuestion exchange_question(const Topology& topology, PortModel ports);

// What a schedule has to achieve that answers the question.
Problem problem_of(const ScheduleQuestion& question);

// Reads one, and checks it.
Schedule read_schedule_for(ByteReader& bytes, const ScheduleQuestion& question);

// The schedule that make() returns, from a file if it takes so much work and was made before.
Schedule kept_schedule(std::string_view kind, std::uint64_t work, const ScheduleQuestion& question,
                       const std::function<Schedule()>& make);

}  // namespace dcube::detail
