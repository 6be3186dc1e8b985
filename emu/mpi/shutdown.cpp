#include "emu/mpi/shutdown.hpp"

#include <sched.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <thread>

namespace dcube::detail {

namespace {

constexpr int farewell = 1;
constexpr unsigned tries_before_sleeping = 128;
constexpr std::chrono::milliseconds nap{1};
constexpr std::chrono::milliseconds precedence{100};

}  // namespace

void Shutdown::look(std::uint64_t calls)
{
    while (hear_one()) {
    }
    for (std::size_t rank = 0; rank < said_.size(); ++rank) {
        if (!said_[rank] || said_[rank]->calls >= calls)
            continue;
        if (rank_ != 0)  // rank 0 reports it for all if it is waiting too
            std::this_thread::sleep_for(precedence);
        const char* const why = said_[rank]->why.data();
        std::fprintf(stderr, "dcube: rank %zu: %s\n", rank, *why == '\0' ? "ended before the others" : why);
        MpiSession::abort(said_[rank]->code == 0 ? 1 : said_[rank]->code);
    }
}

// Receives one if one is there.
bool Shutdown::hear_one()
{
    int found = 0;
    MPI_Status status;
    MPI_Iprobe(MPI_ANY_SOURCE, farewell, ends_, &found, &status);
    if (found == 0)
        return false;
    Farewell said;
    MPI_Recv(&said, sizeof said, MPI_BYTE, status.MPI_SOURCE, farewell, ends_, MPI_STATUS_IGNORE);
    said_[static_cast<std::size_t>(status.MPI_SOURCE)] = said;
    return true;
}

MpiWorld::LastWord Shutdown::leave(std::uint64_t calls, int code, std::string_view why)
{
    Farewell mine{.calls = calls, .code = code};
    std::ranges::copy(why.substr(0, mine.why.size() - 1), mine.why.begin());
    said_[rank_] = mine;
    std::vector<MPI_Request> sent;
    for (std::size_t rank = 0; rank < said_.size(); ++rank)
        if (rank != rank_)
            MPI_Isend(&mine, sizeof mine, MPI_BYTE, static_cast<int>(rank), farewell, ends_, &sent.emplace_back());
    int done = 0;
    for (unsigned tries = 0; done == 0; ++tries) {
        if (hear_one())
            continue;
        if (tries < tries_before_sleeping)
            sched_yield();
        else
            std::this_thread::sleep_for(nap);  // others may be at work for long, and want the processor
        if (std::ranges::all_of(said_, [](const auto& one) { return one.has_value(); }))
            MPI_Testall(static_cast<int>(sent.size()), sent.data(), &done, MPI_STATUSES_IGNORE);
    }
    const auto decisive = std::ranges::find_if(said_, [](const auto& one) { return one->code != 0; });
    const auto rank = static_cast<unsigned>(decisive == said_.end() ? 0 : decisive - said_.begin());
    return {rank, said_[rank]->code, said_[rank]->why.data()};
}

bool Shutdown::left_together() const
{
    return std::ranges::all_of(said_, [&](const auto& one) { return one->calls == said_[rank_]->calls; });
}

}  // namespace dcube::detail
