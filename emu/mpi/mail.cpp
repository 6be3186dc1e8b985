#include "emu/mpi/mail.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

namespace dcube::detail {

namespace {

constexpr std::size_t first_posted = std::size_t{64} << 10;

enum Tag : int { message, announcement, piece };

// The old contents are not needed.
void make_room(MessageBuffer& buffer, std::size_t bytes)
{
    buffer.resize(0);
    buffer.resize(bytes);
}

}  // namespace

void send_pieces(std::span<const std::byte> bytes, std::size_t longest, unsigned to, MPI_Comm over, Requests& requests)
{
    for (; !bytes.empty(); bytes = bytes.subspan(std::min(bytes.size(), longest)))
        MPI_Isend(bytes.data(), count_of(std::min(bytes.size(), longest)), MPI_BYTE, as_rank(to), piece, over,
                  &requests.emplace_back());
}

void receive_pieces(std::span<std::byte> bytes, std::size_t longest, unsigned from, MPI_Comm over, Requests& requests)
{
    for (; !bytes.empty(); bytes = bytes.subspan(std::min(bytes.size(), longest)))
        MPI_Irecv(bytes.data(), count_of(std::min(bytes.size(), longest)), MPI_BYTE, as_rank(from), piece, over,
                  &requests.emplace_back());
}

Mail::Mail(unsigned ranks, std::size_t longest_piece) : longest_piece_(longest_piece)
{
    const std::size_t posted = std::min(first_posted, longest_piece);
    neighbours_.resize(ranks);
    for (Neighbour& one : neighbours_)
        one.sending = one.receiving = posted;
}

Mail::~Mail()
{
    for (Neighbour& one : neighbours_)
        if (one.posted != MPI_REQUEST_NULL) {
            MPI_Cancel(&one.posted);
            MPI_Wait(&one.posted, MPI_STATUS_IGNORE);
        }
}

// The size to post for the next message, after one of `bytes` that was longer than what was posted for it.
std::size_t Mail::posted_after(std::size_t bytes) const
{
    return bytes >= longest_piece_ ? longest_piece_ : std::bit_ceil(bytes);
}

void Mail::expect_from(unsigned peer)
{
    Neighbour& one = neighbours_[peer];
    if (one.posted != MPI_REQUEST_NULL)
        return;
    make_room(one.ahead, one.receiving);
    MPI_Irecv(one.ahead.bytes().data(), count_of(one.receiving), MPI_BYTE, as_rank(peer), MPI_ANY_TAG, steps_,
              &one.posted);
}

MPI_Request Mail::expected_from(unsigned peer)
{
    expect_from(peer);
    return neighbours_[peer].posted;
}

void Mail::send(unsigned peer, std::span<const std::byte> bytes, Requests& first, Requests& second)
{
    Neighbour& one = neighbours_[peer];
    if (bytes.size() <= one.sending) {
        MPI_Isend(bytes.data(), count_of(bytes.size()), MPI_BYTE, as_rank(peer), message, steps_,
                  &first.emplace_back());
        return;
    }
    one.announced = bytes.size();
    MPI_Isend(&one.announced, sizeof one.announced, MPI_BYTE, as_rank(peer), announcement, steps_,
              &first.emplace_back());
    send_pieces(bytes, longest_piece_, peer, steps_, second);
    one.sending = posted_after(bytes.size());
}

// The message in the posted buffer, or the pieces that it announces.
void Mail::take(unsigned peer, const MPI_Status& status, MessageBuffer& into, Requests& second)
{
    Neighbour& one = neighbours_[peer];
    one.posted = MPI_REQUEST_NULL;
    if (status.MPI_TAG == announcement) {
        std::uint64_t bytes = 0;
        std::memcpy(&bytes, one.ahead.bytes().data(), sizeof bytes);
        make_room(into, bytes);
        receive_pieces(into.bytes(), longest_piece_, peer, steps_, second);
        one.receiving = posted_after(bytes);
    } else {
        int count = 0;
        MPI_Get_count(&status, MPI_BYTE, &count);
        std::swap(into, one.ahead);
        into.resize(static_cast<std::size_t>(count));
    }
}

}  // namespace dcube::detail
