#pragma once
// Values as bytes, one after the other, for the messages between ranks. All ranks are the same program on machines of
// the same kind, so values are sent as they lie in memory.

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace dcube::detail {

template <class T>
concept Plain = std::is_trivially_copyable_v<T> && !std::is_pointer_v<T>;

class ValueWriter {
public:
    template <Plain T>
    void put(const T& value)
    {
        const auto* const bytes = reinterpret_cast<const std::byte*>(&value);
        bytes_.insert(bytes_.end(), bytes, bytes + sizeof value);
    }
    void put_text(std::string_view text)
    {
        put(std::uint64_t{text.size()});
        const auto* const bytes = reinterpret_cast<const std::byte*>(text.data());
        bytes_.insert(bytes_.end(), bytes, bytes + text.size());
    }
    [[nodiscard]] std::vector<std::byte>& bytes() { return bytes_; }

private:
    std::vector<std::byte> bytes_;
};

// Reads what was put, in the same order.
class ValueReader {
public:
    explicit ValueReader(std::span<const std::byte> bytes) : left_(bytes) {}

    template <Plain T>
    T get()
    {
        T value;
        std::memcpy(&value, left_.data(), sizeof value);
        left_ = left_.subspan(sizeof value);
        return value;
    }
    std::string get_text()
    {
        const auto size = static_cast<std::size_t>(get<std::uint64_t>());
        std::string text(reinterpret_cast<const char*>(left_.data()), size);
        left_ = left_.subspan(size);
        return text;
    }
    [[nodiscard]] bool ended() const { return left_.empty(); }

private:
    std::span<const std::byte> left_;
};

}  // namespace dcube::detail
