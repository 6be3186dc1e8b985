#pragma once
// Parcel: what a channel holds of one packet. The bytes stay with the sender.

#include <cstddef>
#include <cstdint>
#include <span>

namespace dcube::detail {

// A joined packet's `data` are its list of parts, `bytes` has the mark `joined`, and `header` is the number of parts.
struct Parcel {
    static constexpr std::size_t joined = std::size_t{1} << 63;

    const std::byte* data;
    std::size_t bytes;
    std::uint64_t header;

    [[nodiscard]] bool is_joined() const { return (bytes & joined) != 0; }
    [[nodiscard]] std::size_t size() const { return bytes & ~joined; }
    [[nodiscard]] std::span<const std::span<const std::byte>> parts() const
    {
        return {reinterpret_cast<const std::span<const std::byte>*>(data), header};
    }
};

}  // namespace dcube::detail
