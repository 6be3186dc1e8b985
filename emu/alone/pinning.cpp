// Pinning where hwloc is not there to say how processors lie.

#include "emu/pinning.hpp"

#include <dcube/error.hpp>

namespace dcube::detail {

struct Processors::Machine {};

namespace {

[[noreturn]] void refuse()
{
    throw InvalidArgument("pin", "threads cannot be pinned by a build without hwloc: only none is possible");
}

}  // namespace

Processors::Processors(std::unique_ptr<Machine> machine) : machine_(std::move(machine)) {}
Processors::Processors(Processors&&) noexcept = default;
Processors::~Processors() = default;

Processors Processors::of_this_process()
{
    refuse();
}

Processors Processors::described(const std::string&, std::span<const unsigned>)
{
    refuse();
}

std::vector<unsigned> Processors::order(const Pinning&) const
{
    return {};
}

ProcessorCounts Processors::counts() const
{
    return {};
}

}  // namespace dcube::detail

namespace dcube {

std::vector<unsigned> pinned_processors(const Pinning& pinning)
{
    if (pinning != Pinning::none)
        detail::refuse();
    return {};
}

}  // namespace dcube
