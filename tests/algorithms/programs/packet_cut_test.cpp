// The cut of a message in packets: by formula, and yet as parts of parts.

#include "tests/support/catch.hpp"

#include "algorithms/programs/cut.hpp"

using namespace dcube::detail;

namespace {

bool same(const Stretch& a, const Stretch& b)
{
    return a.offset == b.offset && a.length == b.length;
}

// The part of a part, in bytes.
Stretch nested(const Stretch& outer, const Stretch& inner, std::size_t unit)
{
    return {(outer.offset + inner.offset) * unit, inner.length * unit};
}

// Calls check(units, groups, d) for messages that divide, that do not, and that have too few units.
template <class Check>
void for_each_cut(const Check& check)
{
    for (const std::size_t units : {0U, 1U, 5U, 24U, 61U})
        for (const std::uint32_t groups : {1U, 2U, 3U, 7U})
            for (const std::uint32_t d : {1U, 2U, 5U}) {
                INFO(units << " units, " << groups << " groups, d = " << d);
                check(units, groups, d);
            }
}

}  // namespace

TEST_CASE("packets of groups are the parts of the groups", "[cut]")
{
    for_each_cut([](std::size_t units, std::uint32_t groups, std::uint32_t d) {
        const PacketCut cut = PacketCut::groups(units, 4, groups, d);
        CHECK(cut.packets() == groups * d);
        for (std::uint32_t q = 0; q < groups; ++q)
            for (std::uint32_t i = 0; i < d; ++i) {
                const Stretch group = balanced_part(units, groups, q);
                CHECK(same(cut(q * d + i), nested(group, balanced_part(group.length, d, i), 4)));
            }
    });
}

TEST_CASE("packets of trees are the parts of the trees' shares", "[cut]")
{
    for_each_cut([](std::size_t units, std::uint32_t groups, std::uint32_t d) {
        const PacketCut cut = PacketCut::trees(units, 1, groups, d);
        for (std::uint32_t q = 0; q < groups; ++q)
            for (std::uint32_t i = 0; i < d; ++i) {
                const Stretch share = balanced_part(units, d, i);
                CHECK(same(cut(q * d + i), nested(share, balanced_part(share.length, groups, q), 1)));
            }
    });
}

TEST_CASE("packets of equal size follow each other in the message", "[cut]")
{
    const PacketCut cut = PacketCut::equal(24, 5);
    CHECK(cut.packets() == 5);
    for (std::uint32_t packet = 0; packet < 5; ++packet)
        CHECK(same(cut(packet), {packet * std::size_t{24}, 24}));
}
