#include "emu/lent_bytes.hpp"

#include "base/sizes.hpp"
#include "emu/poison.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <string_view>

namespace dcube::detail {

namespace {

#if !defined(NDEBUG) || defined(DCUBE_SANITIZED)
constexpr bool by_default = true;
#else
constexpr bool by_default = false;
#endif

std::uint64_t hash_of(LentBytes::Parts parts)
{
    constexpr std::uint64_t odd = 0x9e3779b97f4a7c15U;
    std::uint64_t hash = 0;
    for (const LentBytes::Part part : parts)
        hash = hash * odd + std::hash<std::string_view>{}({reinterpret_cast<const char*>(part.data()), part.size()});
    return hash;
}

bool same_part(LentBytes::Part a, LentBytes::Part b)
{
    return a.data() == b.data() && a.size() == b.size();
}

}  // namespace

bool LentBytes::watched(const MachineOptions& options)
{
    return options.watch_lent_bytes.value_or(by_default && !options.unchecked);
}

void LentBytes::lend(std::uint64_t place, NodeId sender, Port port, const Parcel& parcel, Step step)
{
    Loan& loan = lent_[as_size(place)];
    loan = {sender, port, step, nullptr, 0, std::move(loan.parts)};
    if (parcel.is_joined()) {
        loan.list = parcel.parts().data();
        loan.parts.assign(parcel.parts().begin(), parcel.parts().end());
    } else {
        loan.parts.assign(1, {parcel.data, parcel.bytes});
    }
    loan.hash = hash_of(loan.parts);
}

void LentBytes::forget(std::uint64_t place)
{
    lent_[as_size(place)].parts.clear();
    lent_[as_size(place)].list = nullptr;
    lent_[as_size(place)].hash = hash_of({});
}

bool LentBytes::Loan::there() const
{
    return !(list && is_poisoned(list, parts.size() * sizeof(Part))) &&
           std::ranges::none_of(parts, [](Part part) { return is_poisoned(part.data(), part.size()); });
}

bool LentBytes::Loan::unchanged() const
{
    return there() && (!list || std::ranges::equal(parts, Parts(list, parts.size()), same_part)) &&
           hash_of(parts) == hash;
}

std::string LentBytes::Loan::complaint() const
{
    return fmt::format("bytes sent in step {} were changed before the end of the step in which they were received",
                       sent);
}

}  // namespace dcube::detail
