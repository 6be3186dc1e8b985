#include "base/formula.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <set>
#include <stdexcept>
#include <utility>

namespace dcube::detail {

namespace {

using Term = Formula::Term;

class Reader {
public:
    explicit Reader(std::string_view text) : text_(text), rest_(text) {}

    Term all()
    {
        Term term = sum();
        if (!rest_.empty())
            fail();
        return term;
    }

private:
    [[noreturn]] void fail() const { throw std::logic_error("no formula: " + std::string(text_)); }

    [[nodiscard]] bool at_letter() const
    {
        return !rest_.empty() && std::isalpha(static_cast<unsigned char>(rest_.front())) != 0;
    }
    [[nodiscard]] bool at_digit() const
    {
        return !rest_.empty() && std::isdigit(static_cast<unsigned char>(rest_.front())) != 0;
    }
    void skip_spaces()
    {
        while (rest_.starts_with(' '))
            rest_.remove_prefix(1);
    }
    bool take(char c)
    {
        skip_spaces();
        if (!rest_.starts_with(c))
            return false;
        rest_.remove_prefix(1);
        return true;
    }

    Term sum()
    {
        Term left = product();
        for (;;) {
            if (take('+'))
                left = {.kind = Term::Kind::sum, .terms = {std::move(left), product()}};
            else if (take('-'))
                left = {.kind = Term::Kind::difference, .terms = {std::move(left), product()}};
            else
                return left;
        }
    }

    Term product()
    {
        Term left = power();
        for (;;) {
            if (take('/'))
                left = {.kind = Term::Kind::quotient, .terms = {std::move(left), power()}};
            else if (skip_spaces(); at_letter() || at_digit() || rest_.starts_with('('))
                left = {.kind = Term::Kind::product, .terms = {std::move(left), power()}};
            else
                return left;
        }
    }

    Term power()
    {
        Term base = atom();
        if (take('^'))
            return {.kind = Term::Kind::power, .terms = {std::move(base), atom()}};
        return base;
    }

    Term atom()
    {
        if (take('(')) {
            Term inner = sum();
            if (!take(')'))
                fail();
            return inner;
        }
        if (at_digit()) {
            Integer number = 0;
            for (; at_digit(); rest_.remove_prefix(1))
                number = number * 10 + (rest_.front() - '0');
            return {.number = Exact(number)};
        }
        if (!at_letter())
            fail();
        std::string name;
        for (; at_letter() || (!name.empty() && (at_digit() || rest_.starts_with('_'))); rest_.remove_prefix(1))
            name += rest_.front();
        constexpr std::array<std::string_view, 3> functions{"ceil", "max", "min"};
        for (const std::string_view function : functions)
            if (name == function)
                return call(std::move(name));
        return {.kind = Term::Kind::name, .name = std::move(name)};
    }

    Term call(std::string name)
    {
        Term term{.kind = Term::Kind::call, .name = std::move(name)};
        if (!take('('))
            fail();
        do
            term.terms.push_back(sum());
        while (take(','));
        if (!take(')'))
            fail();
        return term;
    }

    std::string_view text_;
    std::string_view rest_;
};

const Exact& value_of_letter(const std::string& name, const Letters& letters)
{
    const auto found = letters.find(name);
    if (found == letters.end())
        throw std::logic_error("no value of " + name);
    return found->second;
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

void collect(const Term& term, std::set<std::string>& names)
{
    if (term.kind == Term::Kind::name)
        names.insert(term.name);
    for (const Term& one : term.terms)
        collect(one, names);
}

}  // namespace

Exact value_of(const Formula::Term& term, const Letters& letters)
{
    const auto at = [&](std::size_t i) { return value_of(term.terms[i], letters); };
    switch (term.kind) {
    case Term::Kind::number: return term.number;
    case Term::Kind::name: return value_of_letter(term.name, letters);
    case Term::Kind::sum: return at(0) + at(1);
    case Term::Kind::difference: return at(0) - at(1);
    case Term::Kind::product: return at(0) * at(1);
    case Term::Kind::quotient: return quotient_of(at(0), at(1));
    case Term::Kind::power: return power_of(at(0), at(1));
    case Term::Kind::call: break;
    }
    if (term.name == "ceil")
        return Exact(ceiling(at(0)));
    Exact value = at(0);
    for (std::size_t i = 1; i < term.terms.size(); ++i)
        value = term.name == "max" ? std::max(value, at(i)) : std::min(value, at(i));
    return value;
}

Formula::Formula(std::string_view text) : text_(text), term_(Reader(text).all()) {}

Exact Formula::value(const Letters& letters) const
{
    return value_of(term_, letters);
}

std::vector<std::string> Formula::names() const
{
    std::set<std::string> names;
    collect(term_, names);
    return {names.begin(), names.end()};
}

}  // namespace dcube::detail
