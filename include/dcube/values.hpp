#pragma once
/// Values: what can be sent and received as it stands in memory.

#include <cstddef>
#include <memory>
#include <ranges>
#include <span>
#include <type_traits>

namespace dcube {

/// True of types that show another node's memory, and so mean nothing there: packets as they are received.
template <class T>
inline constexpr bool shows_memory = false;

/// A value that is the same wherever its bytes are copied: trivially copyable, and no pointer, view or packet.
/// (Pointers within a class are not found out.)
template <class T>
concept Value = std::is_object_v<T> && std::is_trivially_copyable_v<T> && !std::is_pointer_v<T> &&
                !std::ranges::borrowed_range<T> && !shows_memory<std::remove_cv_t<T>>;

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

/// What `me.send(port, what)` takes: a value or values, but no temporary, because what is lent must outlive the step.
/// (A span may be a temporary: what it shows is not.)
template <class T>
concept Lendable = detail::ValueOrValues<T> &&(std::is_lvalue_reference_v<T> || std::ranges::borrowed_range<T>);

/// What `me.receive(port, into)` fills: the same, and it can be written.
template <class T>
concept Fillable = Lendable<T> && requires(T&& into)
{
    std::as_writable_bytes(detail::as_span(into));
};

}  // namespace dcube
