#pragma once
// Memory of the reference machine's nodes, byte by byte: what stands there, whose it is in a trace, and who touched it
// last, so that programs are found that write in the very step in which another node reads.

#include "tests/support/random_program.hpp"

#include <algorithm>
#include <optional>
#include <vector>

namespace test_support {

// The owner of a byte: its part of a piece.
struct Owner {
    std::optional<dcube::NodeId> origin;
    std::optional<dcube::NodeId> target;
    std::uint64_t offset;

    friend bool operator==(const Owner&, const Owner&) = default;
};

using Owners = std::vector<std::optional<Owner>>;

class ReferenceMemory {
public:
    explicit ReferenceMemory(const RandomProgram& program) : nodes_(program.topology.nodes())
    {
        for (dcube::NodeId node = 0; node < nodes_.size(); ++node) {
            nodes_[node].resize(program.memory);
            for (std::size_t at = 0; at < program.memory; ++at)
                nodes_[node][at].value = first_byte(node, at);
            for (const auto& [at, piece] : program.labels[node])
                for (std::size_t i = 0; i < piece.length; ++i)
                    nodes_[node][at + i].owner = Owner{piece.origin, piece.target, piece.offset + i};
        }
    }

    [[nodiscard]] bool raced() const { return raced_; }

    [[nodiscard]] std::vector<std::byte> read(dcube::NodeId node, Stretch stretch) const
    {
        std::vector<std::byte> bytes;
        for (std::size_t i = 0; i < stretch.bytes; ++i)
            bytes.push_back(nodes_[node][stretch.at + i].value);
        return bytes;
    }

    void write(dcube::NodeId node, Stretch stretch, const std::vector<std::byte>& bytes, dcube::Step step)
    {
        for (std::size_t i = 0; i < stretch.bytes; ++i) {
            Byte& byte = nodes_[node][stretch.at + i];
            byte.value = bytes[i];
            byte.written = step;
            raced_ = raced_ || byte.read_by_another == step;
        }
    }

    // The receiver of a packet reads a part of it.
    void lend(dcube::NodeId sender, Stretch part, dcube::Step step)
    {
        for (std::size_t i = 0; i < part.bytes; ++i) {
            Byte& byte = nodes_[sender][part.at + i];
            byte.read_by_another = step;
            raced_ = raced_ || byte.written == step;
        }
    }

    // The owners of all bytes of the stretches; none if one byte has none.
    [[nodiscard]] Owners owners(dcube::NodeId node, const std::vector<Stretch>& parts) const
    {
        Owners all;
        for (const Stretch& part : parts)
            for (std::size_t i = 0; i < part.bytes; ++i)
                all.push_back(nodes_[node][part.at + i].owner);
        if (!std::ranges::all_of(all, [](const auto& owner) { return owner.has_value(); }))
            all.assign(all.size(), std::nullopt);
        return all;
    }

    void label(dcube::NodeId node, Stretch stretch, const Owners& owners)
    {
        for (std::size_t i = 0; i < stretch.bytes; ++i)
            nodes_[node][stretch.at + i].owner = owners[i];
    }

private:
    struct Byte {
        std::byte value{};
        std::optional<Owner> owner{};
        dcube::Step written = 0;          // the last step in which its node wrote it
        dcube::Step read_by_another = 0;  // the last step in which another node read it
    };

    std::vector<std::vector<Byte>> nodes_;
    bool raced_ = false;
};

}  // namespace test_support
