#include "explain/formula_reader.hpp"

#include <array>
#include <cctype>
#include <stdexcept>
#include <utility>

namespace dcube::explain {

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
            detail::Integer number = 0;
            for (; at_digit(); rest_.remove_prefix(1))
                number = number * 10 + (rest_.front() - '0');
            return {.number = detail::Exact(number)};
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

}  // namespace

Term read_formula(std::string_view text)
{
    return Reader(text).all();
}

}  // namespace dcube::explain
