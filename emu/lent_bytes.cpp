#include "emu/lent_bytes.hpp"

#include "emu/poison.hpp"

#include <functional>
#include <string_view>

namespace dcube::detail {

namespace {

std::size_t hash_of(LentBytes::Parts parts)
{
    constexpr std::size_t odd = 0x9e3779b97f4a7c15U;
    std::size_t hash = 0;
    for (const std::span<const std::byte> part : parts)
        hash = hash * odd + std::hash<std::string_view>{}({reinterpret_cast<const char*>(part.data()), part.size()});
    return hash;
}

}  // namespace

void LentBytes::lend(std::uint64_t place, NodeId sender, Port port, Parts parts, Step step)
{
    lent_[place] = {sender, port, {parts.begin(), parts.end()}, hash_of(parts), step};
}

bool LentBytes::Loan::unchanged() const
{
    for (const std::span<const std::byte> part : parts)
        if (is_poisoned(part.data(), part.size()))
            return false;
    return hash_of(parts) == hash;
}

}  // namespace dcube::detail
