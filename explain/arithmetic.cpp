#include "explain/arithmetic.hpp"

#include <fmt/format.h>

namespace dcube::explain {

namespace {

using detail::Exact;
using detail::Integer;

// "4.5"; what has more than three digits after the point ends after the first: "2.3..".
std::string decimal_text(const Exact& value)
{
    const Integer thousandths = numerator(value) * 1000 / denominator(value);
    const Integer whole = thousandths / 1000;
    std::string digits = fmt::format("{:03}", Integer(thousandths % 1000).convert_to<unsigned>());
    const bool exact = Exact(thousandths) == value * 1000;
    if (!exact)
        return fmt::format("{}.{}..", text_of(whole), digits.front());
    while (digits.ends_with('0'))
        digits.pop_back();
    return fmt::format("{}.{}", text_of(whole), digits);
}

}  // namespace

std::string text_of(const Integer& value)
{
    return grouped(value.str());
}

std::string text_of(const Exact& value)
{
    const std::string top = text_of(Integer(numerator(value)));
    const Integer bottom = denominator(value);
    return bottom == 1 ? top : top + "/" + text_of(bottom);
}

std::string product_text(const std::vector<std::uint64_t>& factors)
{
    std::string text;
    unsigned shown = 0;
    Integer product = 1;
    for (const std::uint64_t factor : factors) {
        product *= factor;
        if (factor == 1)
            continue;
        text += (text.empty() ? "" : " x ") + grouped(factor);
        ++shown;
    }
    return shown > 1 ? text + " = " + text_of(product) : text_of(product);
}

std::string quotient_text(const Integer& dividend, const Integer& divisor)
{
    const Exact quotient = Exact(dividend) / divisor;
    const std::string division = text_of(dividend) + " / " + text_of(divisor) + " = ";
    if (denominator(quotient) == 1)
        return division + text_of(quotient);
    return division + decimal_text(quotient) + ", so " + text_of(detail::ceiling(quotient));
}

}  // namespace dcube::explain
