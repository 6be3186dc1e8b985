// The digest of what all nodes hold, which may be on several ranks.

#include "run/ranks.hpp"

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <array>
#include <vector>

namespace dcube {

namespace {

using Digest = std::array<std::byte, 8>;  // little endian on every machine

Digest digest_of(std::span<const std::byte> output)
{
    std::uint64_t hash = XXH3_64bits(output.data(), output.size());
    Digest digest{};
    for (std::byte& byte : digest) {
        byte = static_cast<std::byte>(hash);
        hash >>= 8;
    }
    return digest;
}

// All nodes' digests, by node, on rank 0. They are told in rounds, so that no message is large.
std::vector<Digest> gathered(Machine& machine, const std::vector<Digest>& own)
{
    World& world = machine.world();
    constexpr std::size_t most_bytes = std::size_t{64} << 20;
    const NodeId nodes = machine.topology().nodes();
    const std::size_t most = std::max<std::size_t>(1, most_bytes / sizeof(Digest) / world.ranks());
    const std::size_t longest = (nodes + world.ranks() - 1) / world.ranks();
    std::vector<Digest> all(world.rank() == 0 ? nodes : 0);
    for (std::size_t begin = 0; begin < longest; begin += most) {
        const auto here = std::span(own).subspan(std::min(begin, own.size()));
        const auto parts = world.gather(std::as_bytes(here.first(std::min(most, here.size()))));
        for (unsigned rank = 0; rank < parts.size(); ++rank) {
            const NodeId first = nodes_of_rank(rank, world.ranks(), nodes).first;
            if (!parts[rank].empty())
                std::ranges::copy(parts[rank], all[first + begin].data());
        }
    }
    return all;
}

std::string hash_of(const std::vector<Digest>& digests)
{
    return fmt::format("{:016x}", XXH3_64bits(digests.data(), digests.size() * sizeof(Digest)));
}

}  // namespace

std::string result_digest(Machine& machine, const Layout& own, std::span<const std::byte> output)
{
    World& world = machine.world();
    const NodeRange nodes = machine.own_nodes();
    std::vector<Digest> digests(nodes.size());
    machine.for_each_node([&](NodeId node) {
        const auto [offset, bytes] = own.output(node);
        digests[node - nodes.first] = digest_of(output.subspan(offset, bytes));
    });
    if (world.ranks() == 1)
        return hash_of(digests);
    const std::vector<Digest> all = gathered(machine, digests);
    const std::string hash = world.rank() == 0 ? hash_of(all) : "";
    const std::vector<std::byte> told = world.broadcast(std::as_bytes(std::span(hash)), 0);
    return {reinterpret_cast<const char*>(told.data()), told.size()};
}

}  // namespace dcube
