#pragma once
// Programs as users write them, without scripts.

#include <dcube/node.hpp>
#include <dcube/task.hpp>

#include <cstddef>
#include <span>

namespace bench {

// In every step each node sends over all its ports, and then receives from all of them. `memory`: twice `bytes`.
inline dcube::Task with_all_neighbours(dcube::Node& me, dcube::Step steps, std::size_t bytes,
                                       std::span<std::byte> memory)
{
    const std::span<std::byte> mine = memory.first(bytes);
    const std::span<std::byte> theirs = memory.subspan(bytes, bytes);
    for (dcube::Step step = 0; step < steps; ++step) {
        for (dcube::Port port = 0; port < me.ports(); ++port)
            me.send(port, mine);
        co_await me.next_step();
        for (dcube::Port port = 0; port < me.ports(); ++port)
            me.receive(port, theirs);
    }
}

}  // namespace bench
