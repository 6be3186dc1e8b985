#pragma once
// MemoryLabels: whose bytes every stretch of one node's memory holds.

#include <dcube/trace.hpp>

#include <cstddef>
#include <map>
#include <memory>
#include <span>
#include <vector>

namespace dcube::detail {

using Pieces = std::vector<Piece>;
using Parts = std::span<const std::span<const std::byte>>;

// Bytes offset .. offset + bytes of what the pieces make up.
Pieces take(const Pieces& pieces, std::size_t offset, std::size_t bytes);
// What is made when the second of two equally long packets is combined with the first: the second's pieces, cut where
// contributors change. Who is in them is told where it is of both, and nobody is in both.
Pieces combined(const Pieces& base, const Pieces& from);
// Neighbours that continue one another become one piece.
void append(Pieces& pieces, Piece piece);

class MemoryLabels {
public:
    // Labels as many bytes from `begin` anew. Pieces that do not cover them leave the rest without a label.
    void write(const std::byte* begin, const Pieces& pieces, std::size_t bytes);

    // The node's own bytes of this label are now there. From now on it is seen if something else changes them, which a
    // sum's contributors are then not told of.
    void keep(std::span<const std::byte> bytes);

    // The labels of a packet's bytes. Empty unless all are labelled.
    [[nodiscard]] Pieces read(Parts parts);

    // Whether bytes of a sum were seen that something else had changed.
    [[nodiscard]] bool changed() const { return changed_; }

private:
    struct Labelled {
        std::size_t bytes;
        Piece piece;
        std::shared_ptr<const std::byte> kept;  // what the bytes were; of sums that tell who is in them
    };

    void erase(const std::byte* begin, std::size_t bytes);
    bool read(std::span<const std::byte> bytes, Pieces& pieces);
    static Labelled part(const Labelled& whole, std::size_t skipped, std::size_t bytes);

    std::map<const std::byte*, Labelled> labels_;
    bool changed_ = false;
};

}  // namespace dcube::detail
