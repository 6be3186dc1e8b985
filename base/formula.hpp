#pragma once
// Formula: a closed form in its written notation, "(d + g - 1) (tau ceil(m/(d g)) + beta)", that can be evaluated.

#include "base/exact.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace dcube::detail {

/// The values of a formula's letters.
using Letters = std::map<std::string, Exact, std::less<>>;

/// +, -, /, ^ and factors side by side, which are multiplied; ceil, max and min. Names begin with a letter: "m", "T_1".
class Formula {
public:
    /// Throws std::logic_error if the text is no formula. A test reads all formulas of the catalogue.
    explicit Formula(std::string_view text);

    /// Throws std::logic_error if a letter has no value, or something is divided by 0.
    [[nodiscard]] Exact value(const Letters& letters) const;

    /// The letters that it names.
    [[nodiscard]] std::vector<std::string> names() const;

    struct Term {
        enum class Kind : std::uint8_t { number, name, sum, difference, product, quotient, power, call };
        Kind kind = Kind::number;
        Exact number = 0;
        std::string name{};  ///< the letter's or function's
        std::vector<Term> terms{};
    };
    [[nodiscard]] const std::string& text() const { return text_; }
    [[nodiscard]] const Term& term() const { return term_; }

private:
    std::string text_;
    Term term_;
};

/// The value of the term. Throws as Formula::value() does.
Exact value_of(const Formula::Term& term, const Letters& letters);

}  // namespace dcube::detail
