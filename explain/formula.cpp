#include "explain/formula.hpp"

#include "explain/arithmetic.hpp"
#include "explain/formula_reader.hpp"

#include <algorithm>
#include <set>
#include <stdexcept>
#include <utility>

namespace dcube::explain {

namespace {

using detail::Exact;
using Term = Formula::Term;

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

Exact power_of(const Exact& base, const Exact& exponent)
{
    Exact value = 1;
    for (Exact left = exponent; left > 0; left -= 1)
        value *= base;
    return value;
}

Exact quotient_of(const Exact& dividend, const Exact& divisor)
{
    if (divisor == 0)
        throw std::logic_error("a formula divides by 0");
    return dividend / divisor;
}

Exact evaluated(const Term& term)
{
    const auto at = [&](std::size_t i) { return evaluated(term.terms[i]); };
    switch (term.kind) {
    case Term::Kind::number: return term.number;
    case Term::Kind::name: throw std::logic_error("no value of " + term.name);
    case Term::Kind::sum: return at(0) + at(1);
    case Term::Kind::difference: return at(0) - at(1);
    case Term::Kind::product: return at(0) * at(1);
    case Term::Kind::quotient: return quotient_of(at(0), at(1));
    case Term::Kind::power: return power_of(at(0), at(1));
    case Term::Kind::call: break;
    }
    if (term.name == "ceil")
        return Exact(detail::ceiling(at(0)));
    return term.name == "max" ? std::max(at(0), at(1)) : std::min(at(0), at(1));
}

Term filled(Term term, const Variables& variables)
{
    if (term.kind == Term::Kind::name) {
        const auto found = variables.find(term.name);
        if (found == variables.end())
            throw std::logic_error("no value of " + term.name);
        return number(found->second);
    }
    for (Term& one : term.terms)
        one = filled(std::move(one), variables);
    return term;
}

// How strongly its parts hold together.
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
        return number(evaluated(term));
    for (Term& one : term.terms)
        one = with_products(std::move(one));
    return term;
}

bool has_products(const Term& term)
{
    return is_product(term) || std::ranges::any_of(term.terms, has_products);
}

// One line further: what stands in brackets that hold no others is worked out, or in the end the whole.
Term simplified(Term term)
{
    if (is_plain(term))
        return is_sum(term) && has_products(term) ? with_products(std::move(term)) : number(evaluated(term));
    const bool brackets = term.kind == Term::Kind::call || term.kind == Term::Kind::power;
    if (brackets && std::ranges::all_of(term.terms, is_plain))
        return number(evaluated(term));
    for (std::size_t i = 0; i < term.terms.size(); ++i) {
        Term& one = term.terms[i];
        const bool in_them = brackets || (is_product(term) && (is_sum(one) || (i == 1 && is_product(one)))) ||
                             (is_sum(term) && i == 1 && is_sum(one));
        if (!is_plain(one))
            one = simplified(std::move(one));
        else if (in_them)
            one = number(evaluated(one));
    }
    return term;
}

void collect(const Term& term, std::set<std::string>& names)
{
    if (term.kind == Term::Kind::name)
        names.insert(term.name);
    for (const Term& one : term.terms)
        collect(one, names);
}

}  // namespace

Formula::Formula(std::string_view text) : text_(text), term_(read_formula(text)) {}

Exact Formula::value(const Variables& variables) const
{
    return evaluated(filled(term_, variables));
}

std::vector<std::string> Formula::lines(const Variables& variables) const
{
    std::vector<std::string> lines{text_};
    Term term = filled(term_, variables);
    for (;; term = simplified(std::move(term))) {
        std::string line = written(term);
        if (line != lines.back())
            lines.push_back(std::move(line));
        if (term.kind == Term::Kind::number)
            return lines;
    }
}

std::vector<std::string> Formula::names() const
{
    std::set<std::string> names;
    collect(term_, names);
    return {names.begin(), names.end()};
}

}  // namespace dcube::explain
