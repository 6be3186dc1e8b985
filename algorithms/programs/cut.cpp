#include "algorithms/programs/cut.hpp"

#include <bit>

namespace dcube::detail {

PacketCut PacketCut::equal(std::size_t bytes, std::uint32_t packets)
{
    PacketCut cut;
    cut.packets_ = packets;
    cut.bytes_ = bytes;
    return cut;
}

namespace {

Stretch nested(const Stretch& outer, const Stretch& inner, std::size_t unit)
{
    return {(outer.offset + inner.offset) * unit, inner.length * unit};
}

}  // namespace

PacketCut PacketCut::groups(std::size_t units, std::size_t unit, std::uint32_t groups, std::uint32_t d)
{
    PacketCut cut;
    cut.packets_ = groups * d;
    for (std::uint32_t q = 0; q < groups; ++q) {
        const Stretch group = balanced_part(units, groups, q);
        for (std::uint32_t i = 0; i < d; ++i)
            cut.unequal_.push_back(nested(group, balanced_part(group.length, d, i), unit));
    }
    return cut;
}

PacketCut PacketCut::trees(std::size_t units, std::size_t unit, std::uint32_t groups, std::uint32_t d)
{
    PacketCut cut;
    cut.packets_ = groups * d;
    for (std::uint32_t q = 0; q < groups; ++q) {
        for (std::uint32_t i = 0; i < d; ++i) {
            const Stretch share = balanced_part(units, d, i);
            cut.unequal_.push_back(nested(share, balanced_part(share.length, groups, q), unit));
        }
    }
    return cut;
}

}  // namespace dcube::detail
