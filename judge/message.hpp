#pragma once
// Messages as the pieces of a trace name them: by origin and target, of which a collective fixes some.

#include "judge/trace_reader.hpp"

#include <dcube/collective.hpp>

#include <cstdint>
#include <string>

namespace dcube {

/// Numbers the messages of a problem and cuts them into packets: a key stands for one packet of one message.
class Messages {
public:
    Messages(const Problem& problem, const Topology& topology);

    /// Throws TraceError unless the piece is a stretch of a message that the collective has.
    void require_valid(const Record& record, const Record::Piece& piece) const;

    /// Valid pieces only.
    [[nodiscard]] std::uint64_t number(const Record::Piece& piece) const;

    [[nodiscard]] std::uint64_t count() const { return origins_ * targets_; }
    [[nodiscard]] std::uint64_t length() const { return length_; }

    /// Says which message that is: "the message from node 3 to node 5".
    [[nodiscard]] std::string describe(std::uint64_t number) const;

    /// What a piece may name as its origin or target.
    enum class End {
        none,  ///< null
        root,
        any,  ///< any node
    };

private:
    End origin_;
    End target_;
    NodeId root_;
    NodeId nodes_;
    std::uint64_t origins_;
    std::uint64_t targets_;
    std::uint64_t length_;
};

}  // namespace dcube
