// The ranks of MPI as a World.
//
// A message of a step goes into a receive that was posted when the step before ended, as large as the longest message so
// far from that rank (rounded up to a power of two, 64 KiB at first). A longer one is announced by its size, and follows
// in pieces. Both ends keep the same account of what is posted.
//
// No call blocks: some MPIs spin in calls that do, and ranks that share a core then wait for their time slices. What is
// under way is tested, and after some tries the processor is offered to others.
//
#include <dcube/mpi.hpp>

#include "mpi/farewells.hpp"
#include "mpi/session.hpp"

#include <sched.h>

#include <algorithm>
#include <bit>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <exception>
#include <optional>
#include <utility>
#include <vector>

namespace dcube {

namespace {

using detail::Communicator;
using detail::MpiSession;
using Clock = std::chrono::steady_clock;

constexpr std::size_t first_posted = std::size_t{64} << 10;
constexpr unsigned tries_before_yielding = 20;
constexpr unsigned tries_between_looks = 128;
constexpr unsigned most_for_single_notes = 8;  // ranks: more combine their notes

enum Tag : int { message, announcement, piece, note };

int count_of(std::size_t bytes)
{
    return static_cast<int>(bytes);  // a piece's at most
}

int as_rank(unsigned rank)
{
    return static_cast<int>(rank);
}

// What was in it is not needed.
void make_room(MessageBuffer& buffer, std::size_t bytes)
{
    buffer.resize(0);
    buffer.resize(bytes);
}

unsigned number_of(int (*ask)(MPI_Comm, int*), MPI_Comm communicator)
{
    int number = 0;
    ask(communicator, &number);
    return static_cast<unsigned>(number);
}

// What is known of the messages to and from one rank.
struct Neighbour {
    std::size_t sending;    // bytes of the receive that is posted there
    std::size_t receiving;  // and here
    MessageBuffer ahead{};
    MPI_Request posted = MPI_REQUEST_NULL;
    std::uint64_t announced = 0;
};

class OfMpi final : public MpiWorld {
public:
    explicit OfMpi(const MpiOptions& options);
    ~OfMpi() override;

    [[nodiscard]] unsigned rank() const override { return rank_; }
    [[nodiscard]] unsigned ranks() const override { return ranks_; }
    [[nodiscard]] unsigned ranks_on_host() const override { return ranks_on_host_; }
    [[nodiscard]] unsigned hosts() const override { return hosts_; }

    void exchange(std::span<const unsigned> peers, std::span<MessageBuffer> mine, std::span<MessageBuffer> theirs,
                  std::span<const std::byte> note, std::span<std::byte> notes) override;
    [[nodiscard]] std::vector<std::byte> broadcast(std::span<const std::byte> bytes, unsigned from) override;
    [[nodiscard]] std::vector<std::vector<std::byte>> gather(std::span<const std::byte> bytes) override;
    void abandon(std::string_view why) noexcept override;
    [[nodiscard]] LastWord leave(int code, std::string_view why) override;

private:
    using Requests = std::vector<MPI_Request>;

    void find_hosts();
    [[nodiscard]] std::size_t posted_after(std::size_t bytes) const;
    void post(unsigned peer);
    void send_message(unsigned peer, std::span<const std::byte> bytes);
    void take_message(unsigned peer, const MPI_Status& status, MessageBuffer& into);
    void send_notes(std::span<const unsigned> peers, std::span<const std::byte> note, std::span<std::byte> notes);
    void send_pieces(std::span<const std::byte> bytes, unsigned to, MPI_Comm over, Requests& requests) const;
    void receive_pieces(std::span<std::byte> bytes, unsigned from, MPI_Comm over, Requests& requests) const;
    void wait(Requests& requests);
    void look_around(Clock::time_point since);

    std::shared_ptr<MpiSession> session_ = MpiSession::shared();
    MpiOptions options_;
    unsigned rank_ = number_of(MPI_Comm_rank, MPI_COMM_WORLD);
    unsigned ranks_ = number_of(MPI_Comm_size, MPI_COMM_WORLD);
    unsigned ranks_on_host_ = 1;
    unsigned hosts_ = 1;
    int exceptions_ = std::uncaught_exceptions();
    Communicator steps_;  // for messages that are received whatever their tag
    Communicator talk_;   // for all else
    detail::Farewells farewells_{rank_, ranks_};
    std::vector<Neighbour> neighbours_;
    std::uint64_t calls_ = 0;
    int last_code_ = 0;
    Requests first_;   // what every rank that is in the same call takes part in at once
    Requests second_;  // what it may take part in only when the first are through
    std::vector<MPI_Status> statuses_;
};

OfMpi::OfMpi(const MpiOptions& options) : options_(options)
{
    constexpr std::size_t shortest_piece = 64;  // that an announcement fits in
    options_.longest_piece = std::clamp(options_.longest_piece, shortest_piece, MpiOptions{}.longest_piece);
    const std::size_t posted = std::min(first_posted, options_.longest_piece);
    neighbours_.resize(ranks_);
    for (Neighbour& one : neighbours_)
        one.sending = one.receiving = posted;
    find_hosts();
}

OfMpi::~OfMpi()
{
    if (std::uncaught_exceptions() > exceptions_)
        abandon("ended by an exception");
    if (!farewells_.has_left())
        static_cast<void>(leave(0, ""));
    if (!farewells_.left_together())
        MpiSession::abort(last_code_ == 0 ? 1 : last_code_);  // MPI could not be finalised
    for (Neighbour& one : neighbours_)
        if (one.posted != MPI_REQUEST_NULL) {
            MPI_Cancel(&one.posted);
            MPI_Wait(&one.posted, MPI_STATUS_IGNORE);
        }
}

void OfMpi::find_hosts()
{
    MPI_Comm host = MPI_COMM_NULL;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &host);
    ranks_on_host_ = number_of(MPI_Comm_size, host);
    const unsigned first = number_of(MPI_Comm_rank, host) == 0 ? 1 : 0;
    MPI_Comm_free(&host);
    first_.resize(1);
    MPI_Iallreduce(&first, &hosts_, 1, MPI_UNSIGNED, MPI_SUM, talk_, first_.data());
    wait(first_);
}

// Returns when all requests are done, and forgets them; statuses_ are theirs.
void OfMpi::wait(Requests& requests)
{
    statuses_.resize(requests.size());
    const int count = static_cast<int>(requests.size());
    std::optional<Clock::time_point> since;
    int done = 0;
    for (unsigned tries = 1;; ++tries) {
        MPI_Testall(count, requests.data(), &done, statuses_.data());
        if (done != 0)
            break;
        if (tries < tries_before_yielding)
            continue;
        sched_yield();
        if (tries % tries_between_looks == 0) {
            since = since.value_or(Clock::now());
            look_around(*since);
        }
    }
    requests.clear();
}

// Whether there is any sense in waiting longer.
void OfMpi::look_around(Clock::time_point since)
{
    farewells_.look(calls_);
    const std::chrono::duration<double> silence = Clock::now() - since;
    if (options_.rank_timeout > 0 && silence.count() > options_.rank_timeout)
        abandon("nothing was heard of another rank for longer than the rank timeout");
}

MpiWorld::LastWord OfMpi::leave(int code, std::string_view why)
{
    LastWord last = farewells_.leave(calls_, code, why);
    last_code_ = last.code;
    return last;
}

void OfMpi::abandon(std::string_view why) noexcept
{
    std::fprintf(stderr, "dcube: rank %u: %.*s\n", rank_, count_of(why.size()), why.data());
    MpiSession::abort(1);
}

// How much is posted for the message after one that was longer than what was posted for it.
std::size_t OfMpi::posted_after(std::size_t bytes) const
{
    return bytes >= options_.longest_piece ? options_.longest_piece : std::bit_ceil(bytes);
}

void OfMpi::post(unsigned peer)
{
    Neighbour& one = neighbours_[peer];
    if (one.posted != MPI_REQUEST_NULL)
        return;
    make_room(one.ahead, one.receiving);
    MPI_Irecv(one.ahead.bytes().data(), count_of(one.receiving), MPI_BYTE, as_rank(peer), MPI_ANY_TAG, steps_,
              &one.posted);
}

void OfMpi::send_message(unsigned peer, std::span<const std::byte> bytes)
{
    Neighbour& one = neighbours_[peer];
    if (bytes.size() <= one.sending) {
        MPI_Isend(bytes.data(), count_of(bytes.size()), MPI_BYTE, as_rank(peer), message, steps_,
                  &first_.emplace_back());
        return;
    }
    one.announced = bytes.size();
    MPI_Isend(&one.announced, sizeof one.announced, MPI_BYTE, as_rank(peer), announcement, steps_,
              &first_.emplace_back());
    send_pieces(bytes, peer, steps_, second_);
    one.sending = posted_after(bytes.size());
}

// The message in the posted buffer, or the pieces that it announces.
void OfMpi::take_message(unsigned peer, const MPI_Status& status, MessageBuffer& into)
{
    Neighbour& one = neighbours_[peer];
    one.posted = MPI_REQUEST_NULL;
    if (status.MPI_TAG == announcement) {
        std::uint64_t bytes = 0;
        std::memcpy(&bytes, one.ahead.bytes().data(), sizeof bytes);
        make_room(into, bytes);
        receive_pieces(into.bytes(), peer, steps_, second_);
        one.receiving = posted_after(bytes);
    } else {
        int count = 0;
        MPI_Get_count(&status, MPI_BYTE, &count);
        std::swap(into, one.ahead);
        into.resize(static_cast<std::size_t>(count));
    }
}

// To and from those that are no peers; all in one where there are many ranks, who then cannot know whether they are
// everybody's peers.
void OfMpi::send_notes(std::span<const unsigned> peers, std::span<const std::byte> note_here,
                       std::span<std::byte> notes)
{
    const std::size_t size = note_here.size();
    std::ranges::copy(note_here, notes.begin() + static_cast<std::ptrdiff_t>(rank_ * size));
    if (ranks_ > most_for_single_notes) {
        MPI_Iallgather(note_here.data(), count_of(size), MPI_BYTE, notes.data(), count_of(size), MPI_BYTE, talk_,
                       &first_.emplace_back());
        return;
    }
    for (unsigned rank = 0; rank < ranks_; ++rank) {
        if (rank == rank_ || std::ranges::find(peers, rank) != peers.end())
            continue;
        MPI_Irecv(&notes[rank * size], count_of(size), MPI_BYTE, as_rank(rank), note, talk_, &first_.emplace_back());
        MPI_Isend(note_here.data(), count_of(size), MPI_BYTE, as_rank(rank), note, talk_, &first_.emplace_back());
    }
}

void OfMpi::exchange(std::span<const unsigned> peers, std::span<MessageBuffer> mine, std::span<MessageBuffer> theirs,
                     std::span<const std::byte> note_here, std::span<std::byte> notes)
{
    ++calls_;
    for (const unsigned peer : peers) {
        post(peer);
        first_.push_back(neighbours_[peer].posted);
    }
    for (std::size_t i = 0; i < peers.size(); ++i) {
        std::ranges::copy(note_here, mine[i].bytes().begin());
        send_message(peers[i], mine[i].bytes());
    }
    send_notes(peers, note_here, notes);
    wait(first_);
    for (std::size_t i = 0; i < peers.size(); ++i)
        take_message(peers[i], statuses_[i], theirs[i]);
    wait(second_);
    for (std::size_t i = 0; i < peers.size(); ++i) {
        const std::span<const std::byte> came = theirs[i].bytes().first(note_here.size());
        std::ranges::copy(came, notes.begin() + static_cast<std::ptrdiff_t>(peers[i] * came.size()));
        post(peers[i]);
    }
}

void OfMpi::send_pieces(std::span<const std::byte> bytes, unsigned to, MPI_Comm over, Requests& requests) const
{
    for (; !bytes.empty(); bytes = bytes.subspan(std::min(bytes.size(), options_.longest_piece)))
        MPI_Isend(bytes.data(), count_of(std::min(bytes.size(), options_.longest_piece)), MPI_BYTE, as_rank(to), piece,
                  over, &requests.emplace_back());
}

void OfMpi::receive_pieces(std::span<std::byte> bytes, unsigned from, MPI_Comm over, Requests& requests) const
{
    for (; !bytes.empty(); bytes = bytes.subspan(std::min(bytes.size(), options_.longest_piece)))
        MPI_Irecv(bytes.data(), count_of(std::min(bytes.size(), options_.longest_piece)), MPI_BYTE, as_rank(from),
                  piece, over, &requests.emplace_back());
}

std::vector<std::byte> OfMpi::broadcast(std::span<const std::byte> bytes, unsigned from)
{
    ++calls_;
    std::uint64_t size = bytes.size();
    MPI_Ibcast(&size, sizeof size, MPI_BYTE, as_rank(from), talk_, &first_.emplace_back());
    wait(first_);
    std::vector<std::byte> all(size);
    if (rank_ == from)
        std::ranges::copy(bytes, all.begin());
    for (std::span<std::byte> left = all; !left.empty();) {
        const std::size_t next = std::min(left.size(), options_.longest_piece);
        MPI_Ibcast(left.data(), count_of(next), MPI_BYTE, as_rank(from), talk_, &first_.emplace_back());
        wait(first_);
        left = left.subspan(next);
    }
    return all;
}

std::vector<std::vector<std::byte>> OfMpi::gather(std::span<const std::byte> bytes)
{
    ++calls_;
    const std::uint64_t size = bytes.size();
    std::vector<std::uint64_t> sizes(rank_ == 0 ? ranks_ : 0);
    MPI_Igather(&size, sizeof size, MPI_BYTE, sizes.data(), sizeof size, MPI_BYTE, 0, talk_, &first_.emplace_back());
    wait(first_);
    std::vector<std::vector<std::byte>> all(sizes.size());
    if (rank_ == 0)
        all[0].assign(bytes.begin(), bytes.end());
    else
        send_pieces(bytes, 0, talk_, second_);
    for (unsigned rank = 1; rank < all.size(); ++rank) {
        all[rank].resize(sizes[rank]);
        receive_pieces(all[rank], rank, talk_, second_);
    }
    wait(second_);
    return all;
}

}  // namespace

std::shared_ptr<MpiWorld> world_of_mpi(const MpiOptions& options)
{
    return std::make_shared<OfMpi>(options);
}

}  // namespace dcube
