#include "inspect/measure/measured_limits.hpp"

#include "base/memory.hpp"
#include "inspect/measure/host.hpp"

#include <dcube/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <optional>

namespace dcube::measure {

namespace {

constexpr std::uint64_t smallest_stretch = std::uint64_t{8} << 10;
constexpr std::size_t piece = std::size_t{64} << 10;
constexpr std::uint64_t smallest_block = 8;
constexpr std::uint64_t largest_block = 4096;

// A thread's memory: what is copied from, and what to. Both begin at different places of their pages, or a processor
// takes loads for reads of what was just stored.
class Stretch {
public:
    Stretch(std::uint64_t half, const Effort& effort) : half_(half), memory_(2 * half + shift)
    {
        constexpr std::size_t between_looks = std::size_t{32} << 20;
        for (std::span<std::byte> rest = memory_.bytes(); !rest.empty();) {
            const std::span<std::byte> part = rest.first(std::min(rest.size(), between_looks));
            std::memset(part.data(), 1, part.size());
            effort.look();
            rest = rest.subspan(part.size());
        }
    }

    [[nodiscard]] const std::byte* from() const { return memory_.bytes().data(); }
    [[nodiscard]] std::byte* to() const { return memory_.bytes().data() + half_ + shift; }

private:
    static constexpr std::uint64_t shift = 2048 + 64;
    std::uint64_t half_;
    Memory memory_;
};

// One for each thread, made by it.
std::vector<std::optional<Stretch>> stretches(Team& team, std::uint64_t half, const Effort& effort)
{
    std::vector<std::optional<Stretch>> all(team.threads());
    team.run([&](unsigned thread) { all[thread].emplace(half, effort); });
    return all;
}

void copy_stretch(const Stretch& stretch, std::uint64_t half, std::uint64_t turns)
{
    for (std::uint64_t turn = 0; turn < turns; ++turn) {
        for (std::uint64_t at = 0; at < half; at += piece)
            std::memcpy(stretch.to() + at, stretch.from() + at, std::min<std::uint64_t>(piece, half - at));
        use(stretch.to());
    }
}

// The places of the blocks that are copied one after the other.
struct Order {
    std::vector<std::uint32_t> from;
    std::vector<std::uint32_t> to;
};

// A permutation of the numbers below 2^bits without visible order.
std::uint32_t scrambled(std::uint64_t number, unsigned bits, std::uint64_t factor)
{
    const std::uint64_t mask = (std::uint64_t{1} << bits) - 1;
    const unsigned middle = bits / 2 + 1;
    number = number * factor & mask;
    number ^= number >> middle;
    number = number * 0x9E3779B97F4A7C15U & mask;
    return static_cast<std::uint32_t>(number ^ number >> middle);
}

// A random order of all blocks, or of so many that no cache keeps the lines that they touch.
Order random_order(std::uint64_t blocks)
{
    constexpr std::uint64_t most = std::uint64_t{1} << 21;
    const auto bits = static_cast<unsigned>(std::bit_width(blocks) - 1);
    Order order;
    for (std::uint64_t i = 0; i < std::min(blocks, most); ++i) {
        order.from.push_back(scrambled(i, bits, 0xD1342543DE82EF95U));
        order.to.push_back(scrambled(i, bits, 0xAF251AF3B0F025B5U));
    }
    return order;
}

// The memory of a thread, and where in the order it is: it goes on there, so that no batch finds the last one's blocks.
struct Scattered {
    const Stretch* stretch;
    Order order;
    std::size_t next = 0;
};

// The library's memcpy, of which the compiler knows nothing: for a size that it knows it may put a string instruction
// there, which takes twice as long for 512 bytes.
void* (*volatile const library_copy)(void*, const void*, std::size_t) = std::memcpy;

// The largest block that is copied faster in registers than by a call.
constexpr std::size_t largest_in_registers = 128;

template <std::size_t bytes>
void copy_blocks(Scattered& scattered, std::uint64_t count)
{
    constexpr std::size_t ahead = bytes <= 256 ? 16 : 4;
    const std::size_t last = scattered.order.from.size() - 1;  // a power of two less one
    const std::uint32_t* const sources = scattered.order.from.data();
    const std::uint32_t* const targets = scattered.order.to.data();
    const std::byte* const from = scattered.stretch->from();
    std::byte* const to = scattered.stretch->to();
    [[maybe_unused]] const auto copy = library_copy;
    std::size_t next = scattered.next;
    for (std::uint64_t i = 0; i < count; ++i, next = (next + 1) & last) {
        const std::size_t later = (next + ahead) & last;
        __builtin_prefetch(from + sources[later] * bytes, 0);
        __builtin_prefetch(to + targets[later] * bytes, 1);
        if constexpr (bytes <= largest_in_registers)
            std::memcpy(to + targets[next] * bytes, from + sources[next] * bytes, bytes);
        else
            copy(to + targets[next] * bytes, from + sources[next] * bytes, bytes);
    }
    use(to);
    scattered.next = next;
}

using CopyBlocks = void (*)(Scattered&, std::uint64_t);

CopyBlocks copier_of(std::uint64_t bytes)
{
    switch (bytes) {
    case 8: return copy_blocks<8>;
    case 16: return copy_blocks<16>;
    case 32: return copy_blocks<32>;
    case 64: return copy_blocks<64>;
    case 128: return copy_blocks<128>;
    case 256: return copy_blocks<256>;
    case 512: return copy_blocks<512>;
    case 1024: return copy_blocks<1024>;
    case 2048: return copy_blocks<2048>;
    case 4096: return copy_blocks<4096>;
    default:
        throw InvalidArgument(fmt::format("blocks of {} bytes cannot be measured: expected powers of two from {} to {}",
                                          bytes, smallest_block, largest_block));
    }
}

BlockRate block_rate(Team& team, const std::vector<std::optional<Stretch>>& memory, std::uint64_t half,
                     std::uint64_t block, const Effort& effort)
{
    const CopyBlocks copier = copier_of(block);
    std::vector<Scattered> all(team.threads());
    team.run([&](unsigned thread) { all[thread] = {&*memory[thread], random_order(half / block)}; });
    constexpr std::uint64_t turn = 1024;  // blocks
    const Seconds seconds = measured(effort, [&](std::uint64_t turns) {
        return team.run([&](unsigned thread) { copier(all[thread], turns * turn); });
    });
    const auto bytes = static_cast<double>(turn * block * team.threads());
    return {block, 2 * half * team.threads(), bytes / seconds.median, bytes / seconds.best};
}

std::vector<std::uint64_t> powers_of_two(std::uint64_t first, std::uint64_t last)
{
    std::vector<std::uint64_t> all;
    for (std::uint64_t number = first; number <= last; number *= 2)
        all.push_back(number);
    return all;
}

}  // namespace

MemorySizes memory_sizes(const Host& host, unsigned threads, std::uint64_t most_bytes)
{
    constexpr std::uint64_t usual_own = std::uint64_t{512} << 10;  // where the kernel lists no caches
    constexpr std::uint64_t usual_last = std::uint64_t{32} << 20;
    const std::uint64_t last = host.last_cache_bytes().value_or(usual_last);
    const std::uint64_t instances = std::max<std::uint64_t>(1, host.last_caches());
    const std::uint64_t smallest = smallest_stretch * threads;
    const std::uint64_t largest = std::max(smallest, std::min(std::bit_ceil(4 * last), std::bit_floor(most_bytes)));
    const std::uint64_t cores = std::min(threads, host.cores.value_or(threads));
    const std::uint64_t own = std::bit_floor(host.core_cache_bytes().value_or(usual_own) / 2) * cores;
    const std::uint64_t used = std::min<std::uint64_t>(instances, threads);  // last caches that the threads may share
    const std::uint64_t shared = std::bit_floor(last / instances * used / 2);

    MemorySizes sizes{powers_of_two(smallest, largest), {}, powers_of_two(smallest_block, largest_block)};
    if (sizes.copies.back() < largest)
        sizes.copies.push_back(largest);
    for (const std::uint64_t set : {own, shared, largest})
        if (set <= largest && (sizes.working_sets.empty() || set >= 2 * sizes.working_sets.back()))
            sizes.working_sets.push_back(set);
    if (sizes.working_sets.empty())
        sizes.working_sets.push_back(largest);
    return sizes;
}

std::vector<CopyRate> copy_rates(Team& team, std::span<const std::uint64_t> working_sets, const Effort& effort)
{
    if (working_sets.empty())
        return {};
    const auto half_of = [&](std::uint64_t working_set) {
        return std::max<std::uint64_t>(1, working_set / (2 * team.threads()));
    };
    const auto all = stretches(team, half_of(std::ranges::max(working_sets)), effort);
    std::vector<CopyRate> rates;
    for (const std::uint64_t working_set : working_sets) {
        const std::uint64_t half = half_of(working_set);
        const Seconds seconds = measured(effort, [&](std::uint64_t turns) {
            return team.run([&](unsigned thread) { copy_stretch(*all[thread], half, turns); });
        });
        const auto bytes = static_cast<double>(half * team.threads());
        rates.push_back({working_set, bytes / seconds.median, bytes / seconds.best});
    }
    return rates;
}

std::vector<BlockRate> block_rates(Team& team, std::span<const std::uint64_t> working_sets,
                                   std::span<const std::uint64_t> blocks, const Effort& effort)
{
    std::vector<BlockRate> rates;
    for (const std::uint64_t working_set : working_sets) {
        const std::uint64_t half = std::bit_floor(std::max(largest_block, working_set / (2 * team.threads())));
        const auto memory = stretches(team, half, effort);
        for (const std::uint64_t block : blocks)
            rates.push_back(block_rate(team, memory, half, block, effort));
    }
    return rates;
}

}  // namespace dcube::measure
