#include "bench/peers/own_exchange.hpp"

#include "bench/peers/peer.hpp"
#include "bench/prepared.hpp"

#include <fmt/format.h>

#include <chrono>
#include <memory>

namespace peers {

namespace {

std::string checksum_of(std::span<const std::byte> everything, const Size& size)
{
    std::uint64_t sum = 0;
    const std::size_t share = everything.size() / size.nodes();
    for (std::size_t node = 0; node < size.nodes(); ++node)
        sum += peer::hashed(peer::hash_of_nothing, everything.data() + node * share, share);
    return fmt::format("{:016x}", sum);
}

OwnVariant variant(const Size& size, dcube::ChannelKind channel)
{
    const auto exchange = std::make_shared<bench::Prepared>(
        dcube::Topology::hypercube(size.dim), dcube::MachineOptions{.channel = channel},
        dcube::Problem{.collective = dcube::Collective::all_to_all, .bytes = size.bytes});
    const auto measure = [exchange, size](std::size_t repeat) {
        OwnVariant::Times times;
        for (std::size_t time = 0; time < repeat; ++time) {
            exchange->spoil_output();
            const auto began = std::chrono::steady_clock::now();
            exchange->run();
            times.seconds.push_back(peer::seconds_since(began));
            exchange->check();
        }
        times.checksum = checksum_of(exchange->output(), size);
        return times;
    };
    return {std::string(dcube::name(channel)), measure};
}

}  // namespace

std::vector<OwnVariant> own_variants(const Size& size)
{
    return {variant(size, dcube::ChannelKind::slots), variant(size, dcube::ChannelKind::spsc)};
}

}  // namespace peers
