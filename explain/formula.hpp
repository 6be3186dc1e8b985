#pragma once
// Formula: a closed form as it is written, "(d + g - 1) (tau ceil(m/(d g)) + beta)", that can be worked out line by
// line.

#include "base/exact.hpp"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace dcube::explain {

using Variables = std::map<std::string, detail::Exact, std::less<>>;

/// +, -, /, ^ and numbers side by side, which are multiplied; ceil, max and min. Names begin with a letter: "m", "T_1".
class Formula {
public:
    /// Throws std::logic_error: no formula. Those of the tables are all read by a test.
    explicit Formula(std::string_view text);

    /// Throws std::logic_error: a variable has no value, or something is divided by 0.
    [[nodiscard]] detail::Exact value(const Variables& variables) const;

    /// The formula, the formula with the numbers filled in, and what it comes to step by step: the last line is a
    /// number.
    [[nodiscard]] std::vector<std::string> lines(const Variables& variables) const;

    /// The variables that it names.
    [[nodiscard]] std::vector<std::string> names() const;

    struct Term {
        enum class Kind : std::uint8_t { number, name, sum, difference, product, quotient, power, call };
        Kind kind = Kind::number;
        detail::Exact number = 0;
        std::string name{};  ///< of a variable or function
        std::vector<Term> terms{};
    };

private:
    std::string text_;
    Term term_;
};

}  // namespace dcube::explain
