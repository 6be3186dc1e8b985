// The ranks of MPI as a World.
//
// No call blocks: some MPIs spin in calls that do, and ranks that share a core then wait for their time slices.
// Requests under way are tested, and after some tries the processor is offered to others.

#include <dcube/mpi.hpp>

#include "emu/mpi/mail.hpp"
#include "emu/mpi/session.hpp"
#include "emu/mpi/shutdown.hpp"

#include <sched.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <optional>
#include <vector>

namespace dcube {

namespace {

using detail::as_rank;
using detail::Communicator;
using detail::count_of;
using detail::MpiSession;
using detail::Requests;
using Clock = std::chrono::steady_clock;

constexpr std::size_t shortest_piece = 64;  // in which an announcement fits
constexpr int note_tag = 0;
constexpr unsigned tries_before_yielding = 20;
constexpr unsigned tries_between_looks = 128;
constexpr unsigned most_for_single_notes = 8;  // ranks: more combine their notes

unsigned number_of(int (*ask)(MPI_Comm, int*), MPI_Comm communicator)
{
    int number = 0;
    ask(communicator, &number);
    return static_cast<unsigned>(number);
}

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
    void find_hosts();
    void send_notes(std::span<const unsigned> peers, std::span<const std::byte> note, std::span<std::byte> notes);
    void wait(Requests& requests);
    void look_around(Clock::time_point since);

    std::shared_ptr<MpiSession> session_ = MpiSession::shared();
    MpiOptions options_;
    unsigned rank_ = number_of(MPI_Comm_rank, MPI_COMM_WORLD);
    unsigned ranks_ = number_of(MPI_Comm_size, MPI_COMM_WORLD);
    unsigned ranks_on_host_ = 1;
    unsigned hosts_ = 1;
    int exceptions_ = std::uncaught_exceptions();
    Communicator talk_;  // for all but messages and the shutdown
    detail::Mail mail_;
    detail::Shutdown shutdown_{rank_, ranks_};
    std::uint64_t calls_ = 0;
    int last_code_ = 0;
    Requests first_;   // the requests in which every rank of the same call takes part at once
    Requests second_;  // the requests that have to wait until the first are through
    std::vector<MPI_Status> statuses_;
};

OfMpi::OfMpi(const MpiOptions& options)
    : options_(options), mail_(ranks_, std::clamp(options.longest_piece, shortest_piece, MpiOptions{}.longest_piece))
{
    find_hosts();
}

OfMpi::~OfMpi()
{
    if (std::uncaught_exceptions() > exceptions_)
        abandon("ended by an exception");
    if (!shutdown_.has_left())
        static_cast<void>(leave(0, ""));
    if (!shutdown_.left_together())
        MpiSession::abort(last_code_ == 0 ? 1 : last_code_);  // MPI could not be finalised
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
    shutdown_.look(calls_);
    const std::chrono::duration<double> silence = Clock::now() - since;
    if (options_.rank_timeout > 0 && silence.count() > options_.rank_timeout)
        abandon("another rank did not respond within the rank timeout");
}

MpiWorld::LastWord OfMpi::leave(int code, std::string_view why)
{
    LastWord last = shutdown_.leave(calls_, code, why);
    last_code_ = last.code;
    return last;
}

void OfMpi::abandon(std::string_view why) noexcept
{
    std::fprintf(stderr, "dcube: rank %u: %.*s\n", rank_, count_of(why.size()), why.data());
    MpiSession::abort(1);
}

// Sends notes to and from ranks that are not peers, in one collective call if there are many ranks, since a rank cannot
// know whether it is every other rank's peer.
void OfMpi::send_notes(std::span<const unsigned> peers, std::span<const std::byte> note, std::span<std::byte> notes)
{
    const std::size_t size = note.size();
    std::ranges::copy(note, notes.begin() + static_cast<std::ptrdiff_t>(rank_ * size));
    if (ranks_ > most_for_single_notes) {
        MPI_Iallgather(note.data(), count_of(size), MPI_BYTE, notes.data(), count_of(size), MPI_BYTE, talk_,
                       &first_.emplace_back());
        return;
    }
    for (unsigned rank = 0; rank < ranks_; ++rank) {
        if (rank == rank_ || std::ranges::find(peers, rank) != peers.end())
            continue;
        const int other = as_rank(rank);
        MPI_Irecv(&notes[rank * size], count_of(size), MPI_BYTE, other, note_tag, talk_, &first_.emplace_back());
        MPI_Isend(note.data(), count_of(size), MPI_BYTE, other, note_tag, talk_, &first_.emplace_back());
    }
}

void OfMpi::exchange(std::span<const unsigned> peers, std::span<MessageBuffer> mine, std::span<MessageBuffer> theirs,
                     std::span<const std::byte> note, std::span<std::byte> notes)
{
    ++calls_;
    for (const unsigned peer : peers)
        first_.push_back(mail_.expected_from(peer));
    for (std::size_t i = 0; i < peers.size(); ++i) {
        std::ranges::copy(note, mine[i].bytes().begin());
        mail_.send(peers[i], mine[i].bytes(), first_, second_);
    }
    send_notes(peers, note, notes);
    wait(first_);
    for (std::size_t i = 0; i < peers.size(); ++i)
        mail_.take(peers[i], statuses_[i], theirs[i], second_);
    wait(second_);
    for (std::size_t i = 0; i < peers.size(); ++i) {
        const std::span<const std::byte> came = theirs[i].bytes().first(note.size());
        std::ranges::copy(came, notes.begin() + static_cast<std::ptrdiff_t>(peers[i] * came.size()));
        mail_.expect_from(peers[i]);
    }
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
        const std::size_t next = std::min(left.size(), mail_.longest_piece());
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
        send_pieces(bytes, mail_.longest_piece(), 0, talk_, second_);
    for (unsigned rank = 1; rank < all.size(); ++rank) {
        all[rank].resize(sizes[rank]);
        receive_pieces(all[rank], mail_.longest_piece(), rank, talk_, second_);
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
