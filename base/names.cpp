#include "base/names.hpp"

namespace dcube {

namespace {

char folded(char c)
{
    if (c == ' ' || c == '_')
        return '-';
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

}  // namespace

bool same_name(std::string_view a, std::string_view b)
{
    if (a.size() != b.size())
        return false;
    for (std::size_t i = 0; i < a.size(); ++i)
        if (folded(a[i]) != folded(b[i]))
            return false;
    return true;
}

std::string quoted(std::string_view text)
{
    std::string shown = "'";
    for (const char c : text.substr(0, 40))
        shown += c < ' ' || c > '~' ? '?' : c;
    return shown + (text.size() > 40 ? "...'" : "'");
}

}  // namespace dcube
