#include "emu/rows.hpp"

#include "emu/atomic_word.hpp"
#include "emu/copies.hpp"

#include <cstring>

// One text for every processor. Where the system chooses among a function's copies when a program is loaded, there are
// copies for wider vectors.
#if defined(__x86_64__) && defined(__gnu_linux__) && !defined(__clang__) && !defined(DCUBE_SANITIZED)
#define DCUBE_FOR_EACH_VECTOR_LENGTH [[gnu::target_clones("default", "arch=x86-64-v3", "arch=x86-64-v4")]]
#else
#define DCUBE_FOR_EACH_VECTOR_LENGTH
#endif
// Part of the copies.
#define DCUBE_PART [[gnu::always_inline]] inline

namespace dcube::detail {

namespace {

#ifdef DCUBE_SANITIZED
DCUBE_PART std::uint64_t read(const std::uint64_t& word)
{
    return AtomicWord(const_cast<std::uint64_t&>(word)).load(std::memory_order_relaxed);
}
DCUBE_PART void write(std::uint64_t& word, std::uint64_t value)
{
    AtomicWord(word).store(value, std::memory_order_relaxed);
}
#else
DCUBE_PART std::uint64_t read(const std::uint64_t& word)
{
    return word;
}
DCUBE_PART void write(std::uint64_t& word, std::uint64_t value)
{
    word = value;
}
#endif

using Words64 = std::array<std::uint64_t, most_in_row>;

DCUBE_PART std::uint64_t address(const std::byte* bytes)
{
    return reinterpret_cast<std::uintptr_t>(bytes);
}
DCUBE_PART std::byte* pointer(std::uint64_t word)
{
    return reinterpret_cast<std::byte*>(static_cast<std::uintptr_t>(word));
}

// `count` is a constant in most calls.
DCUBE_PART void locate(const RowOfPackets& at, std::size_t count, std::uint64_t* __restrict where)
{
    std::byte* const* __restrict const bases = at.bases;
    const std::size_t offset = at.offset;
    if (!at.images) {
        for (std::size_t i = 0; i < count; ++i)
            where[i] = address(bases[i]) + offset;
        return;
    }
    const NodeId* __restrict const images = at.images;
    const NodeId turned_by = at.turned_by;
    if (const auto stride = static_cast<std::uint32_t>(at.stride); stride == at.stride)
        for (std::size_t i = 0; i < count; ++i)
            where[i] = address(bases[i]) + std::uint64_t{images[i] ^ turned_by} * stride + offset;
    else
        for (std::size_t i = 0; i < count; ++i)
            where[i] = address(bases[i]) + (images[i] ^ turned_by) * at.stride + offset;
}

template <std::size_t size>
DCUBE_PART std::uint64_t packet_at(const std::byte* bytes)
{
    std::uint64_t word = 0;
    std::memcpy(&word, bytes, size);
    return word;
}

template <std::size_t size>
DCUBE_PART void pick_up(const RowOfPackets& from, std::uint64_t* words, std::size_t count)
{
    if (from.side_by_side) {
        const std::byte* const first = from.bases[0] + from.offset;
        for (std::size_t i = 0; i < count; ++i)
            words[i] = packet_at<size>(first + i * size);
        return;
    }
    locate(from, count, words);
    for (std::size_t i = 0; i < count; ++i)
        words[i] = packet_at<size>(pointer(words[i]));
}

template <NodeId bit>
DCUBE_PART void write_swapped(std::uint64_t* data, const std::uint64_t* words, std::size_t count)
{
    for (std::size_t i = 0; i + 2 * bit <= count; i += 2 * bit)
        for (std::size_t j = i; j < i + bit; ++j) {
            write(data[j], words[j + bit]);
            write(data[j + bit], words[j]);
        }
}

DCUBE_PART void write_row(std::uint64_t* data, const std::uint64_t* words, std::size_t count, NodeId swapped)
{
    switch (swapped) {
    case 1: return write_swapped<1>(data, words, count);
    case 2: return write_swapped<2>(data, words, count);
    case 4: return write_swapped<4>(data, words, count);
    case 8: return write_swapped<8>(data, words, count);
    case 16: return write_swapped<16>(data, words, count);
    case 32: return write_swapped<32>(data, words, count);
    default:
        for (std::size_t i = 0; i < count; ++i)
            write(data[i], words[i]);
    }
}

// Its highest bit is 1 if Place::is_free() does not hold, as arithmetic: comparisons are not vectorised here.
DCUBE_PART std::uint64_t is_busy(std::uint64_t state, std::uint64_t taken)
{
    const std::uint64_t difference = state ^ taken;
    return (~state & (0 - state)) | (~difference & (difference - 1));
}

DCUBE_PART bool all_are_free(const std::uint64_t* states, std::size_t count, std::uint64_t taken)
{
    std::uint64_t busy = 0;
    for (std::size_t i = 0; i < count; ++i)
        busy |= is_busy(read(states[i]), taken);
    return busy >> 63 == 0;
}

DCUBE_PART bool all_are_free(const std::uint64_t* states, const std::uint32_t* links, std::size_t count,
                             std::uint64_t taken)
{
    std::uint64_t busy = 0;
    for (std::size_t i = 0; i < count; ++i)
        busy |= is_busy(read(states[links[i]]), taken);
    return busy >> 63 == 0;
}

DCUBE_PART void fill(std::uint64_t* states, std::size_t count, std::uint64_t state)
{
    for (std::size_t i = 0; i < count; ++i)
        write(states[i], state);
}

// `known`: the count, if it is one of those that are usual; only they are swapped.
template <std::size_t known = 0>
DCUBE_PART bool send_row(const RowToSend& row)
{
    const std::size_t count = known != 0 ? known : row.count;
    if (known == 0 && row.swapped != 0)
        return false;
    if (row.links ? !all_are_free(row.to.states, row.links, count, row.taken)
                  : !all_are_free(row.to.states, count, row.taken))
        return false;
    Words64 words;
    switch (row.held) {
    case 4: pick_up<4>(row.from, words.data(), count); break;
    case 8: pick_up<8>(row.from, words.data(), count); break;
    default: locate(row.from, count, words.data());
    }
    if (row.links) {
        for (std::size_t i = 0; i < count; ++i) {
            write(row.to.data[row.links[i]], words[i]);
            write(row.to.states[row.links[i]], row.full);
        }
        return true;
    }
    write_row(row.to.data, words.data(), count, known != 0 ? row.swapped : 0);
    fill(row.to.states, count, row.full);
    return true;
}

DCUBE_PART bool all_are(const std::uint64_t* states, std::size_t count, std::uint64_t expected)
{
    std::uint64_t different = 0;
    for (std::size_t i = 0; i < count; ++i)
        different |= read(states[i]) ^ expected;
    return different == 0;
}

DCUBE_PART bool none_waits(const std::uint64_t* states, std::size_t count, std::uint64_t newest)
{
    bool waits = false;
    for (std::size_t i = 0; i < count; ++i)
        waits |= read(states[i]) - (Place::bell + 1) < newest - (Place::bell + 1);
    return !waits;
}

template <std::size_t size>
DCUBE_PART void put_down(const RowToTake& row, std::size_t count)
{
    const std::uint64_t* const words = row.from.data;
    const RowOfPackets& into = row.into;
    if (into.side_by_side) {
        std::byte* const first = into.bases[0] + into.offset;
        for (std::size_t i = 0; i < count; ++i) {
            const std::uint64_t word = read(words[i]);
            std::memcpy(first + i * size, &word, size);
        }
        return;
    }
    Words64 where;
    locate(into, count, where.data());
    for (std::size_t i = 0; i < count; ++i) {
        const std::uint64_t word = read(words[i]);
        std::memcpy(pointer(where[i]), &word, size);
    }
}

template <class Size>
DCUBE_PART void copy_each(const std::uint64_t* words, const std::uint64_t* where, std::size_t count, std::size_t bytes)
{
    for (std::size_t i = 0; i < count; ++i)
        Size::copy(pointer(where[i]), pointer(read(words[i])), bytes);
}

DCUBE_PART void copy_row(const RowToTake& row, std::size_t count)
{
    Words64 where;
    locate(row.into, count, where.data());
    switch (row.bytes) {
    case 16: return copy_each<Words<16>>(row.from.data, where.data(), count, row.bytes);
    case 32: return copy_each<Words<32>>(row.from.data, where.data(), count, row.bytes);
    case 64: return copy_each<Words<64>>(row.from.data, where.data(), count, row.bytes);
    case 128: return copy_each<Words<128>>(row.from.data, where.data(), count, row.bytes);
    default: return copy_each<AnySize>(row.from.data, where.data(), count, row.bytes);
    }
}

DCUBE_PART bool is_usual(const RowToTake& row, std::size_t count)
{
    return !row.tested ||
           (all_are(row.from.states, count, row.full) && (!row.others || none_waits(row.others, count, row.newest)));
}

DCUBE_PART bool keep_row(const RowToTake& row, std::size_t count)
{
    if (!is_usual(row, count))
        return false;
    if (!row.holds())
        copy_row(row, count);
    else if (row.bytes == 4)
        put_down<4>(row, count);
    else
        put_down<8>(row, count);
    fill(row.from.states, count, row.emptied);
    return true;
}

}  // namespace

DCUBE_FOR_EACH_VECTOR_LENGTH bool send(const RowToSend& row)
{
    switch (row.count) {
    case 64: return send_row<64>(row);
    case 32: return send_row<32>(row);
    case 16: return send_row<16>(row);
    default: return send_row(row);
    }
}

DCUBE_FOR_EACH_VECTOR_LENGTH bool keep(const RowToTake& row)
{
    switch (row.count) {
    case 64: return keep_row(row, 64);
    case 32: return keep_row(row, 32);
    case 16: return keep_row(row, 16);
    default: return keep_row(row, row.count);
    }
}

DCUBE_FOR_EACH_VECTOR_LENGTH bool is_usual(const RowToTake& row)
{
    return is_usual(row, row.count);
}

DCUBE_FOR_EACH_VECTOR_LENGTH void mark_emptied(const RowToTake& row)
{
    fill(row.from.states, row.count, row.emptied);
}

DCUBE_FOR_EACH_VECTOR_LENGTH void locate(const RowOfPackets& packets, std::size_t count, Addresses& where)
{
    for (std::size_t i = 0; i < count; ++i)
        where[i] = packets.of(i);
}

DCUBE_FOR_EACH_VECTOR_LENGTH void fetch(const RowOfPackets& packets, std::size_t count)
{
    Words64 where;
    locate(packets, count, where.data());
    for (std::size_t i = 0; i < count; ++i)
        __builtin_prefetch(pointer(where[i]), 1);
}

}  // namespace dcube::detail
