// TranslationTable: tables of translations that fit the memory, and say what the topology says.

#include "emu/translation_table.hpp"
#include "tests/support/catch.hpp"

#include <dcube/machine.hpp>

#include <string>

using namespace dcube;
using namespace dcube::detail;

namespace {

NodeId looked_up(const TranslationTable& images, NodeId block, NodeId origin)
{
    if (images.whole())
        return images.of(block)[origin];
    const TranslationTable::Halves halves = images.halves_of(block);
    const std::uint32_t digits = halves.digits[origin];
    return halves.high[digits >> 16] + halves.low[digits & 0xffff];
}

}  // namespace

TEST_CASE("translation tables agree with the topology, and leave out translations that would not fit", "[emu][slow]")
{
    struct Case {
        std::string network;
        bool made;
        std::size_t most_bytes;
    };
    for (const auto& [network, made, most_bytes] :
         {Case{"torus:16x16", true, 263'000}, Case{"torus:65x65", true, 51'000}, Case{"torus:3x300", true, 364'000},
          Case{"torus:9x10x11", true, 40'000}, Case{"ring:4096", true, 67'200'000}, Case{"torus:66x66x66", false, 0},
          Case{"hypercube:6", false, 0}}) {
        CAPTURE(network);
        const Topology topology = Topology::parse(network);
        TranslationTable images;
        images.make(topology);
        CHECK(images.made() == made);
        CHECK(TranslationTable::bytes(topology) <= most_bytes);
        if (!images.made())
            continue;
        const NodeId nodes = topology.nodes();
        bool right = true;
        for (NodeId block = 0; block < nodes; block += 1 + nodes / 50)
            for (NodeId origin = 0; origin < nodes; ++origin)
                right = right && looked_up(images, block, origin) == topology.translate(block, origin);
        CHECK(right);
    }
}

TEST_CASE("the memory that a machine takes has headers and tables of translations in it", "[emu]")
{
    const MachineOptions options{.watch_lent_bytes = false};
    const Topology torus = Topology::parse("torus:65x65");
    CHECK(machine_memory(torus, options) >
          torus.directed_links() * 2 * 32 + TranslationTable::bytes(torus) + torus.nodes() * 512);
    MachineOptions wider = options;
    wider.channel_capacity = 9;
    CHECK(machine_memory(torus, wider) - machine_memory(torus, options) >= torus.directed_links() * 8 * 32);
}
