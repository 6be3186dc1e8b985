#include "inspect/explain/arithmetic.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace dcube::explain {

namespace {

using detail::Exact;
using detail::Formula;
using detail::Integer;
using detail::Letters;
using Term = Formula::Term;

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

// ---- Formulas, worked out line by line ----

namespace {

bool is_sum(const Term& term)
{
    return term.kind == Term::Kind::sum || term.kind == Term::Kind::difference;
}

bool is_product(const Term& term)
{
    return term.kind == Term::Kind::product || term.kind == Term::Kind::quotient;
}

Term number(Exact value)
{
    return {.number = std::move(value)};
}

// The term with its letters' values in their places.
Term filled(Term term, const Letters& letters)
{
    if (term.kind == Term::Kind::name)
        return number(value_of(term, letters));
    for (Term& one : term.terms)
        one = filled(std::move(one), letters);
    return term;
}

// The precedence of a term.
int strength(const Term& term)
{
    if (is_sum(term))
        return 1;
    if (is_product(term))
        return 2;
    if (term.kind == Term::Kind::power)
        return 3;
    return term.kind == Term::Kind::number && denominator(term.number) != 1 ? 1 : 4;
}

std::string written(const Term& term);

std::string in_brackets(const Term& term, bool needed)
{
    return needed ? "(" + written(term) + ")" : written(term);
}

std::string written(const Term& term)
{
    const auto two = [&](std::string_view between, int right) {
        const int own = strength(term);
        return in_brackets(term.terms[0], strength(term.terms[0]) < own) + std::string(between) +
               in_brackets(term.terms[1], strength(term.terms[1]) < right);
    };
    switch (term.kind) {
    case Term::Kind::number: return text_of(term.number);
    case Term::Kind::name: return term.name;
    case Term::Kind::sum: return two(" + ", 1);
    case Term::Kind::difference: return two(" - ", 2);
    case Term::Kind::product: return two(" x ", 2);
    case Term::Kind::quotient: return two(" / ", 3);
    case Term::Kind::power: return two("^", 4);
    case Term::Kind::call: break;
    }
    std::string text;
    for (const Term& one : term.terms)
        text += (text.empty() ? "" : ", ") + written(one);
    return term.name + "(" + text + ")";
}

bool is_plain_product(const Term& term)
{
    return term.kind == Term::Kind::number ||
           (is_product(term) && is_plain_product(term.terms[0]) && term.terms[1].kind == Term::Kind::number);
}

// Sums of products of numbers: nothing in brackets.
bool is_plain(const Term& term)
{
    return is_plain_product(term) || (is_sum(term) && is_plain(term.terms[0]) && is_plain_product(term.terms[1]));
}

// A plain sum with its products worked out.
Term with_products(Term term)
{
    if (!is_sum(term))
        return number(value_of(term, {}));
    for (Term& one : term.terms)
        one = with_products(std::move(one));
    return term;
}

bool has_products(const Term& term)
{
    return is_product(term) || std::ranges::any_of(term.terms, has_products);
}

// One line further: innermost brackets are evaluated, and in the end the whole term.
Term simplified(Term term)
{
    if (is_plain(term))
        return is_sum(term) && has_products(term) ? with_products(std::move(term)) : number(value_of(term, {}));
    const bool brackets = term.kind == Term::Kind::call || term.kind == Term::Kind::power;
    if (brackets && std::ranges::all_of(term.terms, is_plain))
        return number(value_of(term, {}));
    for (std::size_t i = 0; i < term.terms.size(); ++i) {
        Term& one = term.terms[i];
        const bool in_them = brackets || (is_product(term) && (is_sum(one) || (i == 1 && is_product(one)))) ||
                             (is_sum(term) && i == 1 && is_sum(one));
        if (!is_plain(one))
            one = simplified(std::move(one));
        else if (in_them)
            one = number(value_of(one, {}));
    }
    return term;
}

}  // namespace

std::vector<std::string> lines_of(const Formula& formula, const Letters& letters)
{
    std::vector<std::string> lines{formula.text()};
    Term term = filled(formula.term(), letters);
    for (;; term = simplified(std::move(term))) {
        std::string line = written(term);
        if (line != lines.back())
            lines.push_back(std::move(line));
        if (term.kind == Term::Kind::number)
            return lines;
    }
}

}  // namespace dcube::explain
