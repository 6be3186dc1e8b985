#include "algorithms/programs/piece_buffers.hpp"

#include <cstddef>
#include <functional>
#include <map>
#include <queue>
#include <utility>

namespace dcube::detail {

std::uint64_t lay_out(std::vector<PieceBuffer>& buffers)
{
    using Freed = std::pair<Step, std::size_t>;  // from when, and which
    std::priority_queue<Freed, std::vector<Freed>, std::greater<>> taken;
    std::multimap<std::uint64_t, std::uint64_t> free;  // offsets by size
    std::uint64_t end = 0;
    for (std::size_t i = 0; i < buffers.size(); ++i) {  // they stand in the order in which they are wanted
        PieceBuffer& buffer = buffers[i];
        if (buffer.at_home)
            continue;
        while (!taken.empty() && taken.top().first <= buffer.from) {
            const PieceBuffer& gone = buffers[taken.top().second];
            free.emplace(gone.end - gone.begin, gone.offset);
            taken.pop();
        }
        const std::uint64_t size = buffer.end - buffer.begin;
        if (const auto found = free.find(size); found != free.end()) {
            buffer.offset = found->second;
            free.erase(found);
        } else {
            buffer.offset = std::exchange(end, end + size);
        }
        taken.emplace(buffer.free_from, i);
    }
    return end;
}

}  // namespace dcube::detail
