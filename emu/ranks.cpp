// What all ranks of a machine tell each other beside the messages of a step, so that each of them decides the same.

#include "emu/byte_stream.hpp"
#include "emu/engine.hpp"
#include "emu/remote_error.hpp"

#include <fmt/format.h>

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace dcube::detail {

namespace {

// This host's name, and the processors to which a rank's threads would keep.
std::vector<std::byte> told_pins(Pinning pinning)
{
    std::array<char, 256> host{};
    gethostname(host.data(), host.size() - 1);
    ValueWriter told;
    told.put_text(host.data());
    for (const unsigned processor : pinned_processors(pinning))
        told.put(processor);
    return told.bytes();
}

struct RankPins {
    std::string host;
    std::vector<unsigned> processors;
};

RankPins pins_in(std::span<const std::byte> told)
{
    ValueReader reader(told);
    RankPins pins{reader.get_text(), {}};
    while (!reader.ended())
        pins.processors.push_back(reader.get<unsigned>());
    return pins;
}

}  // namespace

// A rank knows nothing of the others' threads; its processors are those that the launcher leaves it.
void Engine::require_own_processors() const
{
    std::map<std::pair<std::string, unsigned>, unsigned> taken;
    const std::vector<std::vector<std::byte>> all = world_->gather_everywhere(told_pins(options_.pinning));
    for (unsigned rank = 0; rank < all.size(); ++rank) {
        const RankPins pins = pins_in(all[rank]);
        for (const unsigned processor : pins.processors)
            if (const auto [one, first] = taken.insert({{pins.host, processor}, rank}); !first)
                throw InvalidArgument(
                    fmt::format("ranks {} and {} would both pin threads to processor {} of {}: have the launcher bind "
                                "each rank to processors of its own, or pin none",
                                one->second, rank, processor, pins.host));
    }
}

// Names of networks need not say all.
void Engine::require_same_machine() const
{
    if (world_->ranks() > topology_.nodes())
        throw InvalidArgument(fmt::format("{} ranks are too many for the {} nodes of {}: 1 to {} are allowed",
                                          world_->ranks(), topology_.nodes(), topology_.title(), topology_.nodes()));
    if (options_.unchecked)
        throw InvalidArgument("an unchecked machine counts nothing: it cannot be spread over several ranks");
    require_same(*world_, "the machine",
                 fmt::format("{} {} {} {} {} {} {} {} {} {}", topology_.title(), topology_.nodes(),
                             topology_.directed_links(), name(options_.ports), name(options_.link.kind),
                             to_string(options_.link.tau), to_string(options_.link.beta), name(options_.link.clock),
                             name(options_.channel), options_.channel_capacity));
    require_same(*world_, "pinning", name(options_.pinning));
    if (options_.pinning != Pinning::none)
        require_own_processors();
    require_same(*world_, "whether lent bytes are watched", LentBytes::watched(options_) ? "yes" : "no");
}

// All ranks are asked for the same run; any of them may want to be told of it.
void Engine::agree_on(const RunOptions& options)
{
    ValueWriter told;
    told.put(static_cast<bool>(options.trace));
    told.put(static_cast<bool>(options.on_step));
    told.put(options.seed);
    for (const Failing& one : options.failing)
        told.put(one);
    traced_ = told_ = false;
    const std::vector<std::vector<std::byte>> all = world_->gather_everywhere(told.bytes());
    for (unsigned rank = 0; rank < all.size(); ++rank) {
        ValueReader reader(all[rank]);
        traced_ = reader.get<bool>() || traced_;
        told_ = reader.get<bool>() || told_;
        if (!std::ranges::equal(std::span(all[rank]).subspan(2), std::span(all[0]).subspan(2)))
            throw InvalidArgument(
                fmt::format("ranks 0 and {} disagree about the seed, or what fails in the run", rank));
    }
    settles_ = lent_ || one_port() || traced_ || told_;
}

namespace {

struct FailureKey {
    Step step;
    NodeId node;
    Port port;
};

}  // namespace

// Of all ranks' failures the first; of like ones the lowest rank's.
Failure Engine::first_of_all(const Failure& own)
{
    if (!border_)
        return own;
    if (!border_->tell({.failed = own.error != nullptr}).failed)
        return {};
    ValueWriter told;
    told.put(FailureKey{own.step, own.node, own.port});
    const std::vector<std::byte> error = detail::told(own.error);
    told.bytes().insert(told.bytes().end(), error.begin(), error.end());
    const std::vector<std::vector<std::byte>> all = world_->gather_everywhere(told.bytes());
    Failure first;
    for (unsigned rank = 0; rank < all.size(); ++rank) {
        ValueReader reader(all[rank]);
        const auto key = reader.get<FailureKey>();
        const auto theirs = std::span(all[rank]).subspan(sizeof key);
        first.keep_first({key.step, key.node, rank == world_->rank() ? own.error : error_in(theirs), key.port});
    }
    return first;
}

Failure Engine::of_lowest_rank(const Failure& own)
{
    if (!border_)
        return own;
    Failure mine = own;
    mine.step = mine.node = mine.port = 0;
    return first_of_all(mine);
}

void Engine::agree_on_failure(const Failure& own)
{
    const Failure failure = first_of_all(own);
    if (failure.error)
        std::rethrow_exception(failure.error);
}

// What ends the run is the same on all ranks from here on.
void Engine::settle(const RunOptions& options)
{
    if (!border_)
        return;
    if (settles_) {
        const StepNote late =
            border_->tell({.failed = failure_.error != nullptr, .stop = options.stop.stop_requested()});
        all_.failed = late.failed;
        all_.stop = late.stop;
    }
    if (all_.failed)
        failure_ = first_of_all(failure_);
}

// What each rank has begun, in the order of ranks; across them what is begun is told by its name and meaning. What a
// rank tells apart from its first is something else, even if it means the same.
Beginnings Engine::begun_everywhere(const Beginnings& own)
{
    if (!border_)
        return own;
    ValueWriter told;
    for (const auto& one : {own.first(), own.different()})
        if (one) {
            told.put(one->node);
            told.put(one->meaning);
            told.put(one->what != own.first()->what && one->meaning == own.first()->meaning);
            told.put_text(one->name);
        }
    begun_names_.clear();
    Beginnings all;
    const std::vector<std::vector<std::byte>> ranks = world_->gather_everywhere(told.bytes());
    for (unsigned rank = 0; rank < ranks.size(); ++rank)
        for (ValueReader reader(ranks[rank]); !reader.ended();) {
            const auto node = reader.get<NodeId>();
            const auto meaning = reader.get<std::uint64_t>();
            const auto other = reader.get<bool>();
            const Begun& what = *begun_names_.insert({reader.get_text(), meaning, other}).first;
            all.note({&what, what.name, node, meaning});
        }
    return all;
}

// Over all ranks: what one has sent another may have taken, and sums wrap around.
bool Engine::any_under_way()
{
    std::uint64_t under_way = 0;
    for (std::size_t chunk = 0; chunk < clock_.chunks(); ++chunk)
        under_way += chunks_[chunk].sent() - chunks_[chunk].lost() - chunks_[chunk].taken();
    return border_ ? border_->tell({.under_way = under_way}).under_way != 0 : under_way != 0;
}

// Ids stay in ascending order.
Waiting Engine::who_waits_everywhere()
{
    Waiting waiting = who_waits();
    if (!border_)
        return waiting;
    ValueWriter told;
    for (const auto& [key, ids] : waiting) {
        const auto& [since, port, what] = key;
        told.put(since);
        told.put(port);
        told.put_text(what);
        told.put_text({reinterpret_cast<const char*>(ids.data()), ids.size() * sizeof(NodeId)});
    }
    waiting.clear();
    for (const std::vector<std::byte>& rank : world_->gather_everywhere(told.bytes()))
        for (ValueReader reader(rank); !reader.ended();) {
            const auto since = reader.get<Step>();
            const auto port = reader.get<Port>();
            std::vector<NodeId>& ids = waiting[{since, port, reader.get_text()}];
            const std::string more = reader.get_text();
            const std::size_t before = ids.size();
            ids.resize(before + more.size() / sizeof(NodeId));
            std::memcpy(ids.data() + before, more.data(), more.size());
        }
    return waiting;
}

}  // namespace dcube::detail
