#pragma once
// The books of a trace: a ledger, and what messages there are; where groups do it (Problem::within) one of each for
// every group. Records name nodes; a group's book knows them by their ranks.

#include "judge/ledger.hpp"
#include "judge/trace_line.hpp"
#include "judge/trace_messages.hpp"

#include <dcube/group.hpp>
#include <dcube/judge.hpp>

#include <cstdint>
#include <memory>
#include <vector>

namespace dcube {

/// The packets that a line without "pieces" carries: one, or all that there are to send.
enum class Carries : std::uint8_t { a_packet, all };

class Books {
public:
    Books(const TraceQuestion& question, Carries carries);

    /// Throws TraceError for a link of the network that leads to another group.
    void require_one_group(const Record& record) const;
    /// A line without "pieces" carries what its sender has and its receiver lacks. Throws TraceError where there is
    /// nothing, or TraceFormatError where it must say what.
    void complete_pieces(Record& record) const;
    /// The sizes that the line leaves out.
    void complete_sizes(Record& record) const;
    /// Throws TraceError unless all pieces are of messages that there are.
    void require_valid(const Record& record) const;

    /// Books a line that keeps the rules. Throws TraceError.
    void carry(const Record& record);
    void end_step();
    /// Throws TraceError, without a line, unless every node holds what the collective demands.
    void require_complete(const Ledger::Excused& excused) const;

private:
    struct Book {
        TraceMessages messages;
        std::unique_ptr<Ledger> ledger;
    };

    [[nodiscard]] bool has_book(const Record& record) const;
    template <class Work>
    void in_book(const Record& record, const Work& work) const;
    template <class Work>
    void complete_in_book(Record& record, const Work& work) const;

    Topology topology_;
    std::shared_ptr<const Group> groups_;  // null: there is one book
    Carries carries_;
    std::vector<Book> books_;
};

}  // namespace dcube
