#pragma once
// Messages from rank to rank in a step.
//
// A message goes into a receive that was posted when the step before ended, as large as the longest message so far from
// that rank (rounded up to a power of two, 64 KiB at first). A longer one is announced by its size, and follows in
// pieces. Both ends keep the same account of what is posted.

#include "emu/mpi/session.hpp"

#include <dcube/world.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace dcube::detail {

using Requests = std::vector<MPI_Request>;

inline int count_of(std::size_t bytes)
{
    return static_cast<int>(bytes);  // a piece's at most
}

inline int as_rank(unsigned rank)
{
    return static_cast<int>(rank);
}

void send_pieces(std::span<const std::byte> bytes, std::size_t longest, unsigned to, MPI_Comm over, Requests& requests);
void receive_pieces(std::span<std::byte> bytes, std::size_t longest, unsigned from, MPI_Comm over, Requests& requests);

class Mail {
public:
    Mail(unsigned ranks, std::size_t longest_piece);
    ~Mail();
    Mail(const Mail&) = delete;
    Mail& operator=(const Mail&) = delete;

    [[nodiscard]] std::size_t longest_piece() const { return longest_piece_; }

    /// Posts a receive for the next message, if none is posted yet.
    void expect_from(unsigned peer);
    /// The request of that receive.
    [[nodiscard]] MPI_Request expected_from(unsigned peer);
    /// Adds to `first` what can be waited for at once, to `second` what the peer must have begun to take before. The
    /// bytes are lent until both are done.
    void send(unsigned peer, std::span<const std::byte> bytes, Requests& first, Requests& second);
    /// Takes the message that has come into the posted receive; if that only announced one, makes room for the message,
    /// which comes with `second`.
    void take(unsigned peer, const MPI_Status& status, MessageBuffer& into, Requests& second);

private:
    struct Neighbour {
        std::size_t sending;    // bytes of the receive that is posted there
        std::size_t receiving;  // and here
        MessageBuffer ahead{};
        MPI_Request posted = MPI_REQUEST_NULL;
        std::uint64_t announced = 0;
    };

    [[nodiscard]] std::size_t posted_after(std::size_t bytes) const;

    Communicator steps_;  // its own: what is posted takes whatever tag comes
    std::size_t longest_piece_;
    std::vector<Neighbour> neighbours_;
};

}  // namespace dcube::detail
