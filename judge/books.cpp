#include "judge/books.hpp"

#include "collectives/group_pieces.hpp"

#include <fmt/format.h>

#include <optional>
#include <string>
#include <utility>

namespace dcube {

namespace {

/// A line without "pieces" carries what its sender has and its receiver lacks. Where it carries one packet, that is the
/// first; and if messages are for one node each, all must be of one. Throws TraceFormatError where they are not.
void find_pieces(Record& record, const TraceMessages& messages, const Ledger& ledger, Carries carries)
{
    for (std::uint64_t message = 0; message < messages.count(); ++message) {
        if (!messages.is_sent(message))
            continue;
        for (std::uint64_t number = 0; number < messages.packets_of_message(message); ++number) {
            const PacketBytes packet = messages.whole_packet(message, number);
            if (!ledger.brings(record, packet))
                continue;
            if (carries == Carries::a_packet && !record.pieces.empty())
                throw TraceFormatError(
                    record.line, fmt::format("the transmission has no \"pieces\", and node {} has several messages "
                                             "that node {} lacks: it must say which it carries",
                                             record.from, record.to));
            record.pieces.push_back(messages.piece(packet));
            if (carries == Carries::a_packet && !messages.has_target())
                return;
            if (carries == Carries::a_packet)
                break;
        }
    }
    if (record.pieces.empty())
        throw TraceError(record.line,
                         fmt::format("the transmission has no \"pieces\", and node {} has nothing in step {} "
                                     "that node {} lacks",
                                     record.from, record.step, record.to));
}

void find_sizes(Record& record, const TraceMessages& messages)
{
    for (Piece& piece : record.pieces)
        messages.complete(piece);
    if (record.bytes != Record::left_out)
        return;
    record.bytes = 0;
    for (const Piece& piece : record.pieces)
        record.bytes += piece.length;
}

std::unique_ptr<Ledger> make_ledger(const TraceQuestion& question, const Problem& problem, const Topology& topology)
{
    if (is_barrier(problem.collective))
        return make_signal_ledger(problem, topology);
    if (is_reduction(problem.collective))
        return make_sum_ledger(problem, topology);
    return make_byte_ledger(problem, topology, question.redundant ? Deliveries::repeated : Deliveries::once);
}

Record by_ranks(const Record& record, const Group& groups, NodeId number)
{
    Record other = record;
    other.from = groups.rank(record.from);
    other.to = groups.rank(record.to);
    for (Piece& piece : other.pieces) {
        std::optional<Piece> known = with_ranks(piece, groups, number);
        if (!known)
            throw TraceError(record.line,
                             fmt::format("a piece has a node that is not in the group of node {}", record.from));
        piece = *std::move(known);
    }
    return other;
}

[[noreturn]] void refuse_in_group(NodeId number, const TraceError& error)
{
    throw TraceError(error.line, fmt::format("in group {}, by ranks: {}", number, error.reason));
}

}  // namespace

Books::Books(const TraceQuestion& question, Carries carries)
    : topology_(question.topology), groups_(groups_of(question.problem, question.topology)), carries_(carries)
{
    const Problem problem = in_group(question.problem);
    const Topology& network = groups_ ? groups_->network() : topology_;
    for (NodeId number = 0; number < (groups_ ? groups_->count() : 1); ++number)
        books_.push_back({TraceMessages(problem, network), make_ledger(question, problem, network)});
}

// A line that names no nodes of the network is left to the rules.
bool Books::has_book(const Record& record) const
{
    return !groups_ || (record.from < topology_.nodes() && record.to < topology_.nodes() &&
                        groups_->number(record.from) == groups_->number(record.to));
}

/// Calls work(record, book) with the record as its book knows it.
template <class Work>
void Books::in_book(const Record& record, const Work& work) const
{
    if (!groups_)
        return work(record, books_.front());
    const NodeId number = groups_->number(record.from);
    const Record known = by_ranks(record, *groups_, number);
    try {
        work(known, books_[number]);
    } catch (const TraceFormatError&) {
        throw;
    } catch (const TraceError& error) {
        refuse_in_group(number, error);
    }
}

/// The same for work that fills in what the record leaves out.
template <class Work>
void Books::complete_in_book(Record& record, const Work& work) const
{
    if (!groups_)
        return work(record, books_.front());
    Record known;
    in_book(record, [&](const Record& by_rank, const Book& book) {
        known = by_rank;
        work(known, book);
    });
    record.bytes = known.bytes;
    record.pieces.clear();
    for (const Piece& piece : known.pieces)
        record.pieces.push_back(with_nodes(piece, *groups_, groups_->number(record.from)));
}

void Books::require_one_group(const Record& record) const
{
    if (!has_book(record))
        throw TraceError(record.line, fmt::format("port {} of node {} leads to node {}, which is in another group",
                                                  record.port, record.from, record.to));
}

void Books::complete_pieces(Record& record) const
{
    complete_in_book(
        record, [this](Record& known, const Book& book) { find_pieces(known, book.messages, *book.ledger, carries_); });
}

void Books::complete_sizes(Record& record) const
{
    if (has_book(record))
        complete_in_book(record, [](Record& known, const Book& book) { find_sizes(known, book.messages); });
}

void Books::require_valid(const Record& record) const
{
    if (has_book(record))
        in_book(record, [](const Record& known, const Book& book) {
            for (const Piece& piece : known.pieces)
                book.messages.require_valid(known, piece);
        });
}

void Books::carry(const Record& record)
{
    in_book(record, [](const Record& known, const Book& book) {
        for (const Piece& piece : known.pieces)
            book.ledger->carry(known, piece);
        if (known.pieces.empty())
            book.ledger->carry(known, {});
    });
}

void Books::end_step()
{
    for (const Book& book : books_)
        book.ledger->end_step();
}

void Books::require_complete(const Ledger::Excused& excused) const
{
    if (!groups_)
        return books_.front().ledger->require_complete(excused);
    for (NodeId number = 0; number < groups_->count(); ++number)
        try {
            books_[number].ledger->require_complete([&](NodeId rank) { return excused(groups_->node(number, rank)); });
        } catch (const TraceError& error) {
            refuse_in_group(number, error);
        }
}

}  // namespace dcube
