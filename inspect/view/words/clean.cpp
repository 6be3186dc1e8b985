#include "inspect/view/words/clean.hpp"

namespace dcube::view {

namespace {

constexpr std::string_view replacement = "\xEF\xBF\xBD";  // U+FFFD

struct Character {
    char32_t code = 0;
    std::size_t bytes = 0;  // 0: no UTF-8
};

bool continues(std::string_view text, std::size_t at)
{
    return at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0U) == 0x80U;
}

// The first character of a text that is not empty.
Character first_of(std::string_view text)
{
    const auto lead = static_cast<unsigned char>(text[0]);
    if (lead < 0x80)
        return {lead, 1};
    const std::size_t bytes = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
    if (lead < 0xC2 || lead > 0xF4)
        return {};
    char32_t code = lead & (0xFFU >> (bytes + 1));
    for (std::size_t i = 1; i < bytes; ++i) {
        if (!continues(text, i))
            return {};
        code = code << 6 | (static_cast<unsigned char>(text[i]) & 0x3FU);
    }
    constexpr char32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    if (code < least[bytes] || (code >= 0xD800 && code < 0xE000) || code > 0x10FFFF)
        return {};
    return {code, bytes};
}

bool may_be_shown(char32_t code)
{
    const bool control = code < 0x20 || (code >= 0x7F && code < 0xA0) || code == 0x2028 || code == 0x2029;
    const bool direction = code == 0x061C || code == 0x200E || code == 0x200F || (code >= 0x202A && code <= 0x202E) ||
                           (code >= 0x2066 && code <= 0x2069);
    return !control && !direction && code != 0xFEFF;
}

}  // namespace

std::string clean(std::string_view text, std::size_t most)
{
    std::string shown;
    for (std::size_t characters = 0; !text.empty() && characters < most; ++characters) {
        const Character first = first_of(text);
        if (first.bytes != 0 && may_be_shown(first.code))
            shown += text.substr(0, first.bytes);
        else
            shown += replacement;
        text.remove_prefix(first.bytes == 0 ? 1 : first.bytes);
    }
    return shown;
}

std::string escaped(std::string_view text)
{
    std::string safe;
    for (const char c : text)
        switch (c) {
        case '&': safe += "&amp;"; break;
        case '<': safe += "&lt;"; break;
        case '>': safe += "&gt;"; break;
        case '"': safe += "&quot;"; break;
        case '\'': safe += "&#39;"; break;
        default: safe += static_cast<unsigned char>(c) < ' ' ? ' ' : c;
        }
    return safe;
}

}  // namespace dcube::view
