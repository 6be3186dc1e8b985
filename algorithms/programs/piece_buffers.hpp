#pragma once
#include <dcube/graph.hpp>

#include <cstdint>
#include <vector>

namespace dcube::detail {

// Storage for bytes under way, or for a sum: wanted from one step on, and free from another.
struct PieceBuffer {
    std::uint64_t message;
    std::uint64_t begin;  // of the message's bytes
    std::uint64_t end;
    Step from;
    Step free_from;
    std::uint64_t final_bytes = 0;  // that are wanted here in the end
    std::uint64_t offset = 0;       // in the storage
    bool at_home = false;           // it lies in the output after all
};

// Gives every buffer a place; those that are not wanted at the same time may share it. Returns the bytes of all.
std::uint64_t lay_out(std::vector<PieceBuffer>& buffers);

}  // namespace dcube::detail
