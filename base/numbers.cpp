#include "base/numbers.hpp"

#include <utility>

namespace dcube {

std::string grouped(std::string digits)
{
    for (std::size_t place = digits.size(); place > 3;) {
        place -= 3;
        digits.insert(place, 1, ' ');
    }
    return digits;
}

std::string grouped(std::uint64_t number)
{
    return grouped(std::to_string(number));
}

}  // namespace dcube
