#pragma once
// Numbers and strings as bytes, identical on every machine: a number has seven of its bits in each byte, the lowest
// first.

#include <dcube/error.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <utility>

namespace dcube::detail {

class ByteWriter {
public:
    void number(std::uint64_t value)
    {
        for (; value >= 0x80; value >>= 7)
            bytes_.push_back(static_cast<char>(value | 0x80));
        bytes_.push_back(static_cast<char>(value));
    }
    void text(std::string_view text)
    {
        number(text.size());
        bytes_ += text;
    }
    [[nodiscard]] std::string take() { return std::move(bytes_); }

private:
    std::string bytes_;
};

// Throws InvalidArgument if the bytes are not of the kind that is being read.
class ByteReader {
public:
    explicit ByteReader(std::string_view bytes) : bytes_(bytes) {}

    std::uint64_t number()
    {
        std::uint64_t value = 0;
        for (unsigned shift = 0;; shift += 7) {
            const std::uint64_t byte = next();
            const std::uint64_t bits = byte & 0x7F;
            if (shift > 63 || (shift == 63 && bits > 1))
                throw InvalidArgument("a number is too large");
            value |= bits << shift;
            if (byte < 0x80)
                return value;
        }
    }

    // A number of at most `most`.
    template <class Number = std::uint32_t>
    Number number_to(std::uint64_t most = std::numeric_limits<Number>::max())
    {
        const std::uint64_t value = number();
        if (value > most)
            throw InvalidArgument("a number is too large");
        return static_cast<Number>(value);
    }

    // The number of items that follow, each at least `bytes` bytes long. Throws if the bytes that are left cannot hold
    // that many.
    std::size_t count(std::size_t bytes)
    {
        const std::uint64_t count = number();
        if (count > bytes_.size() / bytes)
            throw InvalidArgument("it ends too soon");
        return static_cast<std::size_t>(count);
    }

    std::string_view text()
    {
        const std::size_t size = count(1);
        const std::string_view text = bytes_.substr(0, size);
        bytes_.remove_prefix(size);
        return text;
    }

    void end() const
    {
        if (!bytes_.empty())
            throw InvalidArgument("more follows than there should be");
    }

private:
    unsigned char next()
    {
        if (bytes_.empty())
            throw InvalidArgument("it ends too soon");
        const auto byte = static_cast<unsigned char>(bytes_.front());
        bytes_.remove_prefix(1);
        return byte;
    }

    std::string_view bytes_;
};

}  // namespace dcube::detail
