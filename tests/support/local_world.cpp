#include "tests/support/local_world.hpp"

#include "base/threads.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <exception>
#include <mutex>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

namespace test_support {

using namespace dcube;

namespace {

using Bytes = std::vector<std::byte>;

constexpr const char* everybody_waits = "all ranks that are left wait for each other";

enum class Mail { step, note, broadcast, gather };

std::string_view name(Mail call)
{
    switch (call) {
    case Mail::step: return "exchange with a peer";
    case Mail::note: return "exchange";
    case Mail::broadcast: return "broadcast";
    case Mail::gather: return "gather";
    }
    return "";
}

struct Message {
    Mail call;
    Bytes bytes;
};

// The mail of all ranks, under one lock.
class Post {
public:
    explicit Post(unsigned ranks) : ranks_(ranks), boxes_(std::size_t{ranks} * ranks), states_(ranks), bells_(ranks) {}

    void send(unsigned from, unsigned to, Mail call, std::span<const std::byte> bytes)
    {
        const std::scoped_lock lock(mutex_);
        box(from, to).push_back({call, Bytes(bytes.begin(), bytes.end())});
        bells_[to].notify_all();
    }

    // A message that is there already is delivered even if its sender has ended since.
    Bytes receive(unsigned to, unsigned from, Mail call)
    {
        std::unique_lock lock(mutex_);
        std::deque<Message>& waiting = box(from, to);
        states_[to].waits_for = from;
        if (waiting.empty() && nobody_goes_on())
            give_up(everybody_waits);
        while (waiting.empty()) {
            if (!given_up_.empty())
                throw LostRank(given_up_);
            if (states_[from].ended)
                throw LostRank(fmt::format("rank {} waits for rank {}, which has ended", to, from));
            bells_[to].wait(lock);
        }
        states_[to].waits_for = to;
        Message message = std::move(waiting.front());
        waiting.pop_front();
        if (message.call != call)
            throw LostRank(
                fmt::format("rank {} calls {} where rank {} calls {}", to, name(call), from, name(message.call)));
        return std::move(message.bytes);
    }

    void end(unsigned rank)
    {
        const std::scoped_lock lock(mutex_);
        states_[rank].ended = true;
        if (nobody_goes_on())
            give_up(everybody_waits);
        ring_all();
    }

    void abandon(unsigned rank, std::string_view why)
    {
        const std::scoped_lock lock(mutex_);
        give_up(fmt::format("rank {} cannot go on: {}", rank, why));
    }

private:
    struct State {
        unsigned waits_for = ~0U;  // another rank; else it goes on
        bool ended = false;
    };

    std::deque<Message>& box(unsigned from, unsigned to) { return boxes_[std::size_t{from} * ranks_ + to]; }

    // Every rank that has not ended waits for one that has not ended, and nothing is under way.
    bool nobody_goes_on()
    {
        for (unsigned rank = 0; rank < ranks_; ++rank) {
            const State& state = states_[rank];
            if (state.ended)
                continue;
            const bool waits = state.waits_for < ranks_ && state.waits_for != rank;
            if (!waits || states_[state.waits_for].ended || !box(state.waits_for, rank).empty())
                return false;
        }
        return true;
    }

    void give_up(const std::string& why)
    {
        if (given_up_.empty())
            given_up_ = why;
        ring_all();
    }

    void ring_all()
    {
        for (std::condition_variable& bell : bells_)
            bell.notify_all();
    }

    unsigned ranks_;
    std::mutex mutex_;
    std::vector<std::deque<Message>> boxes_;  // by sender and receiver
    std::vector<State> states_;
    std::vector<std::condition_variable> bells_;
    std::string given_up_;
};

class LocalWorld final : public World {
public:
    LocalWorld(std::shared_ptr<Post> post, unsigned rank, unsigned ranks, unsigned hosts)
        : post_(std::move(post)), rank_(rank), ranks_(ranks), hosts_(hosts)
    {
    }

    [[nodiscard]] unsigned rank() const override { return rank_; }
    [[nodiscard]] unsigned ranks() const override { return ranks_; }
    [[nodiscard]] unsigned hosts() const override { return hosts_; }
    [[nodiscard]] unsigned ranks_on_host() const override
    {
        unsigned count = 0;
        for (unsigned rank = 0; rank < ranks_; ++rank)
            count += host_of(rank) == host_of(rank_);
        return count;
    }

    void exchange(std::span<const unsigned> peers, std::span<MessageBuffer> mine, std::span<MessageBuffer> theirs,
                  std::span<const std::byte> note, std::span<std::byte> notes) override
    {
        if (notes.size() != ranks_ * note.size() || mine.size() != peers.size() || theirs.size() != peers.size())
            throw std::logic_error("an exchange with too few or too many messages or notes");
        // Another world may have received into these since: no rank may read them any more.
        for (MessageBuffer& buffer : theirs)
            buffer = MessageBuffer();
        for (unsigned to = 0; to < ranks_; ++to)
            send_step(to, peers, mine, note);
        for (unsigned from = 0; from < ranks_; ++from)
            receive_step(from, peers, theirs, note, notes.subspan(from * note.size(), note.size()));
    }

    [[nodiscard]] Bytes broadcast(std::span<const std::byte> bytes, unsigned from) override
    {
        if (from != rank_)
            return post_->receive(rank_, from, Mail::broadcast);
        for (unsigned to = 0; to < ranks_; ++to)
            if (to != rank_)
                post_->send(rank_, to, Mail::broadcast, bytes);
        return {bytes.begin(), bytes.end()};
    }

    [[nodiscard]] std::vector<Bytes> gather(std::span<const std::byte> bytes) override
    {
        if (rank_ != 0) {
            post_->send(rank_, 0, Mail::gather, bytes);
            return {};
        }
        std::vector<Bytes> all{Bytes(bytes.begin(), bytes.end())};
        for (unsigned from = 1; from < ranks_; ++from)
            all.push_back(post_->receive(0, from, Mail::gather));
        return all;
    }

    void abandon(std::string_view why) noexcept override { post_->abandon(rank_, why); }

private:
    static constexpr std::size_t nobody = ~std::size_t{0};

    [[nodiscard]] unsigned host_of(unsigned rank) const { return rank * hosts_ / ranks_; }

    static std::size_t place_of(unsigned rank, std::span<const unsigned> peers)
    {
        const auto found = std::ranges::find(peers, rank);
        return found == peers.end() ? nobody : static_cast<std::size_t>(found - peers.begin());
    }

    void send_step(unsigned to, std::span<const unsigned> peers, std::span<MessageBuffer> mine,
                   std::span<const std::byte> note)
    {
        if (to == rank_)
            return;
        const std::size_t place = place_of(to, peers);
        if (place == nobody)
            return post_->send(rank_, to, Mail::note, note);
        const std::span<std::byte> bytes = mine[place].bytes();
        if (bytes.size() < note.size())
            throw std::logic_error("a message without room for the note");
        std::ranges::copy(note, bytes.begin());
        post_->send(rank_, to, Mail::step, bytes);
    }

    void receive_step(unsigned from, std::span<const unsigned> peers, std::span<MessageBuffer> theirs,
                      std::span<const std::byte> mine, std::span<std::byte> note)
    {
        if (from == rank_) {
            std::ranges::copy(mine, note.begin());
            return;
        }
        const std::size_t place = place_of(from, peers);
        const Bytes bytes = post_->receive(rank_, from, place == nobody ? Mail::note : Mail::step);
        if (bytes.size() < note.size())
            throw std::logic_error("notes of different sizes");
        std::ranges::copy(std::span(bytes).first(note.size()), note.begin());
        if (place == nobody)
            return;
        theirs[place].resize(bytes.size());
        std::ranges::copy(bytes, theirs[place].bytes().begin());
    }

    std::shared_ptr<Post> post_;
    unsigned rank_;
    unsigned ranks_;
    unsigned hosts_;
};

bool is_lost_rank(const std::exception_ptr& error)
{
    try {
        std::rethrow_exception(error);
    } catch (const LostRank&) {
        return true;
    } catch (...) {
        return false;
    }
}

}  // namespace

void run_ranks(unsigned ranks, const RankProgram& program, unsigned hosts)
{
    const auto post = std::make_shared<Post>(ranks);
    std::vector<std::exception_ptr> errors(ranks);
    {
        std::vector<dcube::detail::JoiningThread> threads;
        for (unsigned rank = 0; rank < ranks; ++rank)
            threads.emplace_back([&, rank] {
                try {
                    program(std::make_shared<LocalWorld>(post, rank, ranks, hosts));
                } catch (...) {
                    errors[rank] = std::current_exception();
                }
                post->end(rank);
            });
    }
    std::erase(errors, std::exception_ptr());
    std::ranges::stable_partition(errors, [](const std::exception_ptr& error) { return !is_lost_rank(error); });
    if (!errors.empty())
        std::rethrow_exception(errors.front());
}

}  // namespace test_support
