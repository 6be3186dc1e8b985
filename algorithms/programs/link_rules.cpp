#include "algorithms/programs/link_rules.hpp"

#include <dcube/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace dcube::detail {

namespace {

constexpr unsigned bits_of_a_place = 32;
constexpr Step end_of_steps = Step{1} << 31;

std::uint64_t in_step(Step step, std::uint64_t place)
{
    return std::uint64_t{step} << bits_of_a_place | place;
}

void require_once(std::vector<std::uint64_t>& used, std::string_view what)
{
    std::ranges::sort(used);
    if (const auto twice = std::ranges::adjacent_find(used); twice != used.end())
        throw InvalidArgument(fmt::format("step {}: {} {} has two packets", *twice >> bits_of_a_place, what,
                                          *twice & ((std::uint64_t{1} << bits_of_a_place) - 1)));
}

}  // namespace

void LinkRules::add(Step step, NodeId from, Port port)
{
    if (step == 0 || step >= end_of_steps || from >= topology_.nodes() || port >= topology_.ports(from))
        throw InvalidArgument(fmt::format("there is no step {}, node {} or port {}", step, from, port));
    last_ = std::max(last_, step);
    links_.push_back(in_step(step, topology_.link(from, port)));
    if (ports_ == PortModel::one) {
        senders_.push_back(in_step(step, from));
        receivers_.push_back(in_step(step, topology_.neighbour(from, port)));
    }
}

void LinkRules::require_kept()
{
    require_once(links_, "link");
    require_once(senders_, "sender");
    require_once(receivers_, "receiver");
}

}  // namespace dcube::detail
