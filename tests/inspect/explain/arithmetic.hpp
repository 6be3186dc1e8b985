#pragma once
// Reads arithmetic as it is printed, "15 x 192 = 2 880" or "9 / 2 = 4.5, so 5 steps", and works it out again.

#include "tests/support/exact.hpp"

#include <cctype>
#include <cstddef>
#include <string_view>

namespace dcube::test {

class Arithmetic {
public:
    using Exact = detail::Exact;

    explicit Arithmetic(std::string_view text) : text_(text) {}

    /// The value of a sum of products of numbers at the beginning of the text.
    Exact sum()
    {
        Exact value = product();
        for (; begins(" + ") || begins(" - ");) {
            const bool more = begins(" + ");
            text_.remove_prefix(3);
            const Exact next = product();
            value = more ? Exact(value + next) : Exact(value - next);
        }
        return value;
    }

    [[nodiscard]] bool begins(std::string_view what) const { return text_.starts_with(what); }
    void skip(std::string_view what)
    {
        if (begins(what))
            text_.remove_prefix(what.size());
    }
    [[nodiscard]] std::string_view rest() const { return text_; }

private:
    Exact product()
    {
        Exact value = number();
        for (; begins(" x ") || begins(" / ");) {
            const bool more = begins(" x ");
            text_.remove_prefix(3);
            const Exact next = number();
            value = more ? Exact(value * next) : Exact(value / next);
        }
        return value;
    }

    /// "2 880", "4 937/4", "4.5"
    Exact number()
    {
        Exact value = digits();
        if (begins(".")) {
            text_.remove_prefix(1);
            Exact place(1, 10);
            for (; !text_.empty() && std::isdigit(static_cast<unsigned char>(text_.front())) != 0; place /= 10) {
                value += place * (text_.front() - '0');
                text_.remove_prefix(1);
            }
        } else if (begins("/")) {
            text_.remove_prefix(1);
            value /= digits();
        }
        return value;
    }

    Exact digits()
    {
        detail::Integer value = 0;
        const auto is_digit = [&](std::size_t at) {
            return at < text_.size() && std::isdigit(static_cast<unsigned char>(text_[at])) != 0;
        };
        while (is_digit(0) || (text_.starts_with(' ') && is_digit(1) && is_digit(2) && is_digit(3) && !is_digit(4))) {
            if (text_.front() != ' ')
                value = value * 10 + (text_.front() - '0');
            text_.remove_prefix(1);
        }
        return Exact(value);
    }

    std::string_view text_;
};

/// The value of the line, after its last "=" and "so". `right` is true if all expressions before it have the same
/// value.
struct Evaluated {
    detail::Exact value;
    bool right;
};

inline Evaluated evaluated(std::string_view line)
{
    Arithmetic reader(line);
    Evaluated outcome{reader.sum(), true};
    const detail::Exact first = outcome.value;
    while (reader.begins(" = ")) {
        reader.skip(" = ");
        const detail::Exact next = reader.sum();
        const bool cut_off = reader.begins("..");
        outcome.right =
            outcome.right && (cut_off ? next <= first && first < next + detail::Exact(1, 10) : next == first);
        reader.skip("..");
        outcome.value = next;
    }
    if (reader.begins(", so ")) {
        reader.skip(", so ");
        outcome.value = reader.sum();
        outcome.right = outcome.right && outcome.value == detail::Exact(detail::ceiling(first));
    }
    const std::string_view rest = reader.rest();
    outcome.right = outcome.right && (rest.empty() || rest == " steps" || rest == " step" || rest == " ns");
    return outcome;
}

}  // namespace dcube::test
