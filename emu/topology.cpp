#include <dcube/error.hpp>
#include <dcube/topology.hpp>

#include <fmt/format.h>

#include <charconv>

namespace dcube {

Topology Topology::hypercube(unsigned dimension)
{
    if (dimension > max_dimension)
        throw InvalidArgument(
            fmt::format("a hypercube of dimension {} is too large: 0 to {} are allowed", dimension, max_dimension));
    return Topology(dimension);
}

Topology Topology::parse(std::string_view text)
{
    constexpr std::string_view prefix = "hypercube:";
    unsigned dimension = 0;
    const char* const end = text.data() + text.size();
    if (text.starts_with(prefix)) {
        const auto [stop, error] = std::from_chars(text.data() + prefix.size(), end, dimension);
        if (error == std::errc{} && stop == end)
            return hypercube(dimension);
    }
    throw InvalidArgument(
        fmt::format("'{}' is not a topology: hypercube:D is one, with D from 0 to {}", text, max_dimension));
}

std::string Topology::name() const
{
    return fmt::format("hypercube:{}", dimension_);
}

}  // namespace dcube
