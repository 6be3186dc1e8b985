#pragma once
// All-reduce of N blocks in 2 ceil((N-1)/d) - 1 steps, for dimensions d with 2 ((N-1) mod d) <= d: blocks of two kinds,
// one of which is spread a step earlier than the other.

#include "emu/script.hpp"

#include <dcube/layout.hpp>

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace dcube::detail {

enum class Kind : std::uint8_t { a, b };

// Kind `kind` spreads in step q + t from node x over port k.
struct KindLink {
    int t;
    Kind kind;
    NodeId x;
    Port k;
};

// How the blocks 0, of kind A, and 1, of kind B, spread from their nodes 0 and 1: by t.
using KindTable = std::vector<KindLink>;

// The two kinds in dimension d.
struct Kinds {
    unsigned d;
    unsigned s;        // the class of a node is the parity of its lowest s bits
    int q;             // ceil((N-1)/d)
    int first = 0;     // the t in which kind A begins
    int together = 1;  // the t from which on both kinds spread

    // None where no table is known: d = 5, 6, 7, 10 to 14 have one.
    static std::optional<Kinds> of(unsigned d);

    [[nodiscard]] unsigned class_of(NodeId node) const;
    // Swaps ports k and k + s/2, for k < s/2, and labels accordingly.
    [[nodiscard]] Port turned_port(Port k) const;
    [[nodiscard]] NodeId turned(NodeId label) const;
    // f: how the spreading of one kind, backwards, becomes the gathering of the other.
    [[nodiscard]] NodeId mirrored(Kind kind, NodeId label) const;
};

// The number of a kind's block in the table, and of the node from which it spreads.
constexpr NodeId home(Kind kind)
{
    return kind == Kind::a ? 0 : 1;
}
constexpr Kind other(Kind kind)
{
    return kind == Kind::a ? Kind::b : Kind::a;
}

// Found by a seeded search; the same on every machine.
KindTable two_kinds_table(const Kinds& kinds);

// The scripts of the nodes of each class: block b stands there for block b ^ v of node v.
class KindScripts {
public:
    KindScripts(const Kinds& kinds, const KindTable& table);
    [[nodiscard]] Script script(unsigned of_class) const { return {stages_[of_class], actions_[of_class]}; }

private:
    std::array<std::vector<Script::Stage>, 2> stages_;
    std::array<std::vector<Script::Action>, 2> actions_;
};

}  // namespace dcube::detail
