#pragma once
// Threads that start something together and are timed together.

#include "base/threads.hpp"
#include "emu/pinning.hpp"

#include <atomic>
#include <functional>
#include <span>
#include <vector>

namespace dcube::measure {

/// The time in seconds, from any beginning; called by several threads at once.
using TimeSource = std::function<double()>;

/// The steady clock.
double steady_seconds();

/// A turn of a loop that waits for another thread: `looks` is how often it has looked. After many looks it lets other
/// threads run, which on a single processor could not run otherwise.
void wait_briefly(unsigned looks);

/// Threads that live as long as the team, so that what one has touched first stays its own. Only the thread that made
/// the team may call run().
class Team {
public:
    /// Thread i runs on processors[i % processors.size()] only; anywhere if there are none. A processor that the system
    /// refuses is no error: that thread then runs anywhere.
    Team(unsigned threads, std::span<const unsigned> processors, TimeSource clock = steady_seconds);
    ~Team();
    Team(const Team&) = delete;
    Team& operator=(const Team&) = delete;

    [[nodiscard]] unsigned threads() const { return static_cast<unsigned>(threads_.size()); }

    /// Every thread calls work(its number) once, none before all are there. Returns the seconds from the first one's
    /// start to the last one's end. Rethrows what the thread with the smallest number threw.
    double run(const std::function<void(unsigned)>& work);

private:
    struct Turn;
    void dismiss();
    void live(unsigned number);
    void take_part(unsigned number);

    TimeSource clock_;
    detail::Pins pins_;
    std::vector<Turn> turns_;
    const std::function<void(unsigned)>* work_ = nullptr;  // written before round_, and not while a round lasts
    std::atomic<unsigned> round_ = 0;                      // rises when there is work; threads wait for it
    std::atomic<unsigned> present_ = 0;                    // threads that have come to this round's start
    std::atomic<unsigned> working_ = 0;                    // threads that have not finished it
    std::atomic<bool> over_ = false;
    std::vector<detail::JoiningThread> threads_;  // the last member: they use the others
};

}  // namespace dcube::measure
