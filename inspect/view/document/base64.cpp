#include "inspect/view/document/base64.hpp"

#include <algorithm>
#include <cstdint>
#include <string_view>

namespace dcube::view {

std::string base64(const Bytes& bytes)
{
    constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string text;
    text.reserve((bytes.size() + 2) / 3 * 4);
    for (std::size_t at = 0; at < bytes.size(); at += 3) {
        const std::size_t here = std::min<std::size_t>(3, bytes.size() - at);
        std::uint32_t bits = 0;
        for (std::size_t i = 0; i < 3; ++i)
            bits = bits << 8 | (i < here ? bytes[at + i] : 0U);
        for (std::size_t i = 0; i < 4; ++i)
            text += i <= here ? digits[bits >> (18 - 6 * i) & 63U] : '=';
    }
    return text;
}

}  // namespace dcube::view
