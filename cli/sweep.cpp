#include "cli/sweep.hpp"

#include "base/names.hpp"

#include <dcube/error.hpp>

#include <fmt/format.h>

#include <optional>
#include <string>

namespace dcube::cli {

namespace {

constexpr std::size_t most_values = 1000;

/// The stride of a range: its next value is value * factor + summand.
struct Stride {
    std::uint64_t summand = 0;
    std::uint64_t factor = 1;

    /// The next value; none if it is not larger than this one or does not fit in 64 bits.
    [[nodiscard]] std::optional<std::uint64_t> next(std::uint64_t value) const
    {
        std::uint64_t larger = 0;
        if (__builtin_mul_overflow(value, factor, &larger) || __builtin_add_overflow(larger, summand, &larger) ||
            larger <= value)
            return std::nullopt;
        return larger;
    }
};

// "+64" or "x4".
template <class Parse>
std::optional<Stride> parse_stride(std::string_view text, Parse parse)
{
    if (text.starts_with('+'))
        return Stride{.summand = parse(text.substr(1)), .factor = 1};
    if (!text.starts_with('x'))
        return std::nullopt;
    const auto factor = parsed_number<std::uint64_t>(text.substr(1));
    if (!factor || *factor < 2)
        return std::nullopt;
    return Stride{.summand = 0, .factor = *factor};
}

// The values of a list of numbers and ranges. `step` is that of a range without one.
class Values {
public:
    Values(std::string_view key, std::string_view example) : key_(key), example_(example) {}

    template <class Parse>
    std::vector<std::uint64_t> read(std::string_view text, std::optional<Stride> step, Parse parse)
    {
        whole_ = text;
        for (const std::string& one : split(text, ",")) {
            const std::vector<std::string> parts = split(one, ":");
            if (parts.size() == 1)
                push(parse(one));
            else if (parts.size() == 2)
                fill(parse(parts[0]), parse(parts[1]), step);
            else if (parts.size() == 3)
                fill(parse(parts[0]), parse(parts[1]), parse_stride(parts[2], parse));
            else
                refuse_range(example_);
        }
        return std::move(values_);
    }

private:
    void push(std::uint64_t value)
    {
        if (values_.size() == most_values)
            throw InvalidArgument(key_, quoted(whole_), fmt::format("has more than {} values", most_values));
        values_.push_back(value);
    }

    void fill(std::uint64_t first, std::uint64_t last, const std::optional<Stride>& stride)
    {
        if (!stride || !stride->next(first))
            refuse_range(example_);
        if (last < first)
            refuse_range("it ends before it begins");
        for (std::optional<std::uint64_t> value = first; value && *value <= last; value = stride->next(*value))
            push(*value);
    }

    [[noreturn]] void refuse_range(std::string_view why) const
    {
        throw InvalidArgument(key_, quoted(whole_), fmt::format("is not a range: {}", why));
    }

    std::string_view key_;
    std::string_view example_;
    std::string_view whole_;
    std::vector<std::uint64_t> values_;
};

}  // namespace

std::vector<std::uint64_t> parse_numbers(std::string_view key, std::string_view text, NumberRange allowed)
{
    const auto parse = [&](std::string_view one) { return parse_number(key, one, allowed); };
    return Values(key, "expected e.g. 4:10, 4:10:+2 or 1:100:x10").read(text, Stride{.summand = 1}, parse);
}

std::vector<std::size_t> parse_sizes(std::string_view key, std::string_view text)
{
    const auto parse = [&](std::string_view one) { return parse_size(key, one); };
    const std::vector<std::uint64_t> sizes =
        Values(key, "expected e.g. 1KiB:16MiB:x4 or 64:256:+64").read(text, std::nullopt, parse);
    return {sizes.begin(), sizes.end()};
}

std::vector<std::uint64_t> doubled_up_to(unsigned most)
{
    std::vector<std::uint64_t> numbers;
    for (unsigned threads = 1; threads < most; threads *= 2)
        numbers.push_back(threads);
    numbers.push_back(most);
    return numbers;
}

}  // namespace dcube::cli
