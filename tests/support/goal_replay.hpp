#pragma once
// LogGOPSim's rules, simple enough to be obviously correct: what time a schedule in GOAL takes.

#include <cstdint>
#include <string>

namespace dcube::test {

/// Its parameters, with o = O = 0.
struct LogGp {
    std::uint64_t latency;   ///< L
    std::uint64_t gap;       ///< g
    std::uint64_t per_byte;  ///< G
};

/// The parameters that a schedule's own comment names. Throws std::runtime_error where there are none.
LogGp parameters_in(const std::string& goal);

/// The time at which the last rank is done. Throws std::runtime_error for text that txt2bin does not accept, and if a
/// message is never received or a receive never served.
std::uint64_t replayed_time(const std::string& goal, const LogGp& parameters);

}  // namespace dcube::test
