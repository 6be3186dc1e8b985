#include "tests/support/random_program.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace test_support {

using namespace dcube;

std::string failure_text(Rule rule, Step step, NodeId node, Port port)
{
    return fmt::format("{}, step {}, node {}, port {}", name(rule), step, node, port);
}

std::string failure_text(Step step, NodeId node)
{
    return fmt::format("an exception, step {}, node {}", step, node);
}

std::string counts_text(const Counts& counts)
{
    const auto link = [](const std::optional<LinkUse>& use) {
        return use ? fmt::format("{}:{} {}", use->from, use->port, use->packets) : "none";
    };
    return fmt::format("{} steps, {} transmissions, {} bytes, time {}, busiest {}, idlest {}, storage {}, most {}",
                       counts.steps, counts.transmissions, counts.bytes, counts.virtual_time, link(counts.busiest),
                       link(counts.idlest), counts.storage_bytes, counts.largest_storage_bytes);
}

std::string trace_text(const Transmission& one)
{
    std::string text = fmt::format("step {}: {} to {} over {}, {} bytes, {} to {}:", one.step, one.from, one.to,
                                   one.port, one.bytes, one.start, one.end);
    const auto id = [](const std::optional<NodeId>& node) { return node ? std::to_string(*node) : "-"; };
    for (const Piece& piece : one.pieces)
        text += fmt::format(" {}>{} {}+{}", id(piece.origin), id(piece.target), piece.offset, piece.length);
    return text;
}

std::uint64_t word_of(std::span<const std::byte> bytes)
{
    std::uint64_t word = bytes.size();
    for (const std::byte byte : bytes)
        word = word * 1099511628211U + static_cast<std::uint64_t>(byte);
    return word;
}

void mix(std::byte* into, const std::byte* base, const std::byte* packet, std::size_t bytes)
{
    for (std::size_t i = 0; i < bytes; ++i)
        into[i] = static_cast<std::byte>(static_cast<unsigned>(base[i]) * 3 + static_cast<unsigned>(packet[i]));
}

namespace {

template <class T>
std::string word(const T& value)
{
    if constexpr (std::is_same_v<T, std::byte>)
        return std::to_string(static_cast<unsigned>(value));
    else
        return fmt::format("{}", value);
}

// The difference of two lists, one behind the other.
template <class T>
std::string difference(const std::string& what, const std::vector<T>& expected, const std::vector<T>& found)
{
    const auto [a, b] = std::ranges::mismatch(expected, found);
    return fmt::format("{} {}: expected {}, found {}", what, a - expected.begin(),
                       a == expected.end() ? "no more" : word(*a), b == found.end() ? "no more" : word(*b));
}

}  // namespace

Outcome comparable(Outcome outcome)
{
    if (outcome.failure.empty())
        return outcome;
    Outcome failed;
    failed.failure = std::move(outcome.failure);
    return failed;
}

std::string difference(const Outcome& expected, const Outcome& found)
{
    if (expected.failure != found.failure)
        return fmt::format("expected failure '{}', found '{}'", expected.failure, found.failure);
    if (expected.counts != found.counts)
        return fmt::format("expected {}, found {}", expected.counts, found.counts);
    if (expected.told != found.told)
        return fmt::format("expected {} calls of on_step, found {}", expected.told, found.told);
    if (expected.trace != found.trace)
        return difference("transmission", expected.trace, found.trace);
    for (std::size_t node = 0; node < expected.memory.size(); ++node) {
        if (expected.answers[node] != found.answers[node])
            return difference(fmt::format("node {}, answer", node), expected.answers[node], found.answers[node]);
        if (expected.memory[node] != found.memory[node])
            return difference(fmt::format("node {}, byte", node), expected.memory[node], found.memory[node]);
    }
    return {};
}

}  // namespace test_support
