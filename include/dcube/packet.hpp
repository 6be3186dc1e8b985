#pragma once
/// @file
/// Packets: what a node sends, and what it receives; and which values can be sent as they stand in memory.

#include <dcube/link.hpp>

#include <compare>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <ranges>
#include <span>
#include <type_traits>

#pragma GCC visibility push(default)
namespace dcube {

/// @addtogroup program
/// @{

namespace detail {

// True of types that show another node's memory, and so mean nothing there: packets as they are received.
template <class T>
inline constexpr bool shows_memory = false;

}  // namespace detail

/// A value that is the same wherever its bytes are copied: trivially copyable, and no pointer, view or packet.
/// (Pointers within a class are not found out.)
template <class T>
concept Value = std::is_object_v<T> && std::is_trivially_copyable_v<T> && !std::is_pointer_v<T> &&
                !std::ranges::borrowed_range<T> && !detail::shows_memory<std::remove_cv_t<T>>;

/// Values side by side: an array, a vector, a span.
template <class T>
concept Values =
    std::ranges::contiguous_range<T> && std::ranges::sized_range<T> && Value<std::ranges::range_value_t<T>>;

namespace detail {

template <class T>
concept ValueOrValues = Value<std::remove_reference_t<T>> || Values<T>;

template <class T>
auto as_span(T& what)
{
    if constexpr (Values<T&>)
        return std::span(std::ranges::data(what), std::ranges::size(what));
    else
        return std::span(std::addressof(what), 1);
}

}  // namespace detail

/// Values that `me.send(port, ...)` takes: a value or values, but no temporary, because lent bytes must outlive the
/// step. (A span may be a temporary: the bytes that it shows are not.)
template <class T>
concept Lendable = detail::ValueOrValues<T> &&(std::is_lvalue_reference_v<T> || std::ranges::borrowed_range<T>);

/// Values that `me.receive(port, into)` fills: Lendable ones that can be written.
template <class T>
concept Fillable = Lendable<T> && requires(T&& into)
{
    std::as_writable_bytes(detail::as_span(into));
};

class Usable;
namespace detail {
constexpr Usable usable_at(Time ticks);
}

/// Since when bytes are usable. A program gets one with what it receives, or for all that it holds (Node::usable_now),
/// and passes it on with what it sends. It cannot make an earlier one: the default is "not known", and then the machine
/// takes the latest time of anything that the sender has received.
class Usable {
public:
    /// An unknown time: the machine finds one that is late enough.
    constexpr Usable() = default;

    /// False for the default, "not known".
    [[nodiscard]] constexpr bool known() const { return ticks_ != unknown; }
    /// Virtual time, in ticks, if it is known; 0 under the unit link model and for what was there from the start.
    [[nodiscard]] constexpr Time ticks() const { return ticks_; }

    /// An unknown time is the latest of all.
    friend constexpr auto operator<=>(Usable, Usable) = default;

private:
    friend constexpr Usable detail::usable_at(Time ticks);
    static constexpr Time unknown = std::numeric_limits<Time>::max();

    constexpr explicit Usable(Time ticks) : ticks_(ticks) {}

    Time ticks_ = unknown;
};

namespace detail {
constexpr Usable usable_at(Time ticks)
{
    return Usable(ticks);
}
}  // namespace detail

/// The data that one transmission moves: bytes of the node's own, a header that travels with them, and the time since
/// when all of them are usable.
struct Packet {
    std::span<const std::byte> bytes;  ///< in the node's own memory
    std::uint64_t header = 0;          ///< travels with the bytes, and is not counted as bytes
    Usable usable{};                   ///< since when all of them may be sent on
};

/// One packet that is joined from bytes of the node's own in several places, in this order.
struct JoinedPacket {
    std::span<const std::span<const std::byte>> parts;  ///< where they lie; the list is lent, too
    Usable usable{};                                    ///< since when all of them may be sent
};

/// A packet's stretch: as usable as the whole.
inline Packet cut(const Packet& packet, std::size_t offset, std::size_t bytes)
{
    return {packet.bytes.subspan(offset, bytes), packet.header, packet.usable};
}

/// Another node's bytes, which this one may read until its next step, add up or copy (Node::copy, Node::combine), and
/// must not send: so they are no range, and nothing makes a span of them. To send them on, receive them into memory of
/// the node's own.
class BorrowedBytes {
public:
    /// No bytes.
    BorrowedBytes() = default;
    /// Refers to bytes that another object keeps.
    explicit BorrowedBytes(std::span<const std::byte> bytes) : data_(bytes.data()), size_(bytes.size()) {}

    /// The number of bytes.
    [[nodiscard]] std::size_t size() const { return size_; }
    /// The address of the bytes. They are not to be sent on.
    [[nodiscard]] const std::byte* data() const { return data_; }
    /// One of them.
    [[nodiscard]] const std::byte& operator[](std::size_t index) const { return data_[index]; }
    /// `bytes` of them from `offset` on.
    [[nodiscard]] BorrowedBytes part(std::size_t offset, std::size_t bytes) const
    {
        return BorrowedBytes(std::span(data_, size_).subspan(offset, bytes));
    }

private:
    const std::byte* data_ = nullptr;
    std::size_t size_ = 0;
};

/// A packet that is received, or looked at, where its sender has it.
struct BorrowedPacket : BorrowedBytes {
    /// An empty packet.
    BorrowedPacket() = default;
    /// Made by the machine.
    BorrowedPacket(std::span<const std::byte> bytes, std::uint64_t word, Usable since)
        : BorrowedBytes(bytes), header(word), usable(since)
    {
    }

    std::uint64_t header = 0;  ///< the header that the sender gave
    Usable usable{};           ///< to be passed on with data made of the bytes
};

/// A packet that was sent joined, where its sender has it: its parts, in order.
class BorrowedParts {
public:
    /// A packet without parts.
    BorrowedParts() = default;
    /// Made by the machine.
    BorrowedParts(std::span<const std::span<const std::byte>> parts, Usable since) : usable(since), parts_(parts) {}

    /// The number of parts.
    [[nodiscard]] std::size_t size() const { return parts_.size(); }
    /// One of the parts, by the order in which they were sent.
    [[nodiscard]] BorrowedBytes operator[](std::size_t index) const { return BorrowedBytes(parts_[index]); }

    /// To be passed on with data made of the bytes.
    Usable usable{};

private:
    std::span<const std::span<const std::byte>> parts_;
};

namespace detail {

// None of these is a value that can be sent as it stands in memory.
template <>
inline constexpr bool shows_memory<Packet> = true;
template <>
inline constexpr bool shows_memory<JoinedPacket> = true;
template <>
inline constexpr bool shows_memory<BorrowedBytes> = true;
template <>
inline constexpr bool shows_memory<BorrowedPacket> = true;
template <>
inline constexpr bool shows_memory<BorrowedParts> = true;

}  // namespace detail

/// @}

}  // namespace dcube
#pragma GCC visibility pop
