#include "collectives/averages.hpp"

#include "base/half_floats.hpp"

#include <cstdint>
#include <cstring>

namespace dcube::detail {

namespace {

// Calls divided(x) for elements of this type, by which they are replaced.
template <class T, class Divided>
void replace_elements(std::span<std::byte> elements, const Divided& divided)
{
    for (std::size_t at = 0; at < elements.size(); at += sizeof(T)) {
        T x;
        std::memcpy(&x, elements.data() + at, sizeof x);
        x = divided(x);
        std::memcpy(elements.data() + at, &x, sizeof x);
    }
}

template <class Half>
void divide_halves(std::span<std::byte> elements, NodeId divisor)
{
    const auto by = static_cast<float>(divisor);
    replace_elements<std::uint16_t>(elements, [by](std::uint16_t x) { return Half::bits(Half::value(x) / by); });
}

}  // namespace

void divide(std::span<std::byte> elements, ElementType type, NodeId divisor)
{
    if (type == ElementType::float32)
        replace_elements<float>(elements, [by = static_cast<float>(divisor)](float x) { return x / by; });
    else if (type == ElementType::float64)
        replace_elements<double>(elements, [by = static_cast<double>(divisor)](double x) { return x / by; });
    else if (type == ElementType::float16)
        divide_halves<Float16>(elements, divisor);
    else
        divide_halves<Bfloat16>(elements, divisor);
}

}  // namespace dcube::detail
