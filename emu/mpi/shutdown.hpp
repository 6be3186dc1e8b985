#pragma once
// Which ranks have left, when, and why. A rank that leaves says how many calls of its world it has begun: a rank in a
// later call waits for it in vain.

#include "emu/mpi/session.hpp"

#include <dcube/mpi.hpp>

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace dcube::detail {

class Shutdown {
public:
    Shutdown(unsigned rank, unsigned ranks) : rank_(rank), said_(ranks) {}

    /// Receives the farewells that have arrived. If a rank has left before call number `calls`, which this rank is in,
    /// reports which rank and why, and ends all processes.
    void look(std::uint64_t calls);

    /// This rank leaves. Returns when all have.
    MpiWorld::LastWord leave(std::uint64_t calls, int code, std::string_view why);
    [[nodiscard]] bool has_left() const { return said_[rank_].has_value(); }
    /// Whether all ranks left after the same call. Otherwise messages are under way that no rank will take. Ask only
    /// when all ranks have left.
    [[nodiscard]] bool left_together() const;

private:
    struct Farewell {
        std::uint64_t calls = 0;
        std::int32_t code = 0;
        std::array<char, 204> why{};
    };

    bool hear_one();

    unsigned rank_;
    Communicator ends_;
    std::vector<std::optional<Farewell>> said_;
};

}  // namespace dcube::detail
