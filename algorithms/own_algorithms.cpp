#include "algorithms/own_algorithms.hpp"

#include "algorithms/idle.hpp"
#include "algorithms/programs/in_groups.hpp"
#include "algorithms/programs/renaming.hpp"
#include "algorithms/programs/walked_time.hpp"
#include "base/files.hpp"
#include "base/memo.hpp"
#include "base/names.hpp"
#include "base/numbers.hpp"

#include <dcube/error.hpp>
#include <dcube/judge.hpp>
#include <dcube/schedule.hpp>

#include <fmt/format.h>

#include <deque>
#include <istream>
#include <memory>
#include <string>
#include <tuple>
#include <utility>

namespace dcube {

namespace {

// A deque, so that the addresses of its elements stay valid.
std::deque<Entry>& added_algorithms()
{
    static std::deque<Entry> all;
    return all;
}

// Why a schedule with this header cannot solve the problem; empty if it can. The links may be different ones.
std::string difference(const TraceQuestion& header, const Topology& topology, const Problem& problem)
{
    Problem of = header.problem;
    of.link = problem.link;
    of.tuning = problem.tuning;
    if (of.collective != problem.collective)
        return fmt::format("its header says that it is of {}", name(of.collective));
    if (header.topology != topology)
        return fmt::format("its header says that it is for {}", header.topology.name());
    if (detail::walk_key(topology, of) != detail::walk_key(topology, problem))
        return fmt::format("its header says that it is of another problem: {} of {}, root {}",
                           counted(of.packets, "packet"), counted(of.bytes, "byte"), of.root);
    return {};
}

/// A file with a schedule.
class ScheduleFile {
public:
    ScheduleFile(Collective collective, PortModel ports, std::string_view name)
        : name_(name), file_(name.substr(1)), ports_(ports)
    {
        entry_ = {{.collective = collective, .name = name_},
                  {.paper = "a schedule from a file", .origin = Origin::own}};
        entry_.ports = ports;
        entry_.half_duplex = true;  // the judge looks
        entry_.networks = Networks::products;
        entry_.uneven = may_be_uneven(entry_.collective);
        entry_.obstacle = [this](const Topology& topology, const Problem& problem) {
            return judged(topology, problem)->obstacle;
        };
        entry_.cost = [this](const Topology& topology, const Problem& problem) {
            return possible(topology, problem)->schedule.cost(topology, problem);
        };
        entry_.storage = [this](const Topology& topology, const Problem& problem) {
            return possible(topology, problem)->schedule.storage(topology, problem);
        };
        entry_.prepare = [this](const Topology& topology, const Problem& problem) {
            return possible(topology, problem)->schedule.prepare(topology, problem);
        };
    }
    ScheduleFile(const ScheduleFile&) = delete;
    ScheduleFile& operator=(const ScheduleFile&) = delete;

    [[nodiscard]] const Entry& entry() const { return entry_; }

private:
    struct Judged {
        std::string obstacle;
        Algorithm schedule;  // if there is none
    };

    std::shared_ptr<const Judged> judged(const Topology& topology, const Problem& problem)
    {
        return known_.get(detail::walk_key(topology, problem), [&] { return read(topology, problem); });
    }

    std::shared_ptr<const Judged> possible(const Topology& topology, const Problem& problem)
    {
        std::shared_ptr<const Judged> found = judged(topology, problem);
        if (!found->obstacle.empty())
            throw InvalidArgument(found->obstacle);
        return found;
    }

    [[nodiscard]] Judged read(const Topology& topology, const Problem& problem) const
    {
        try {
            PieceSchedule schedule;
            bool redundant = false;
            JudgeOptions how;
            how.schedule = true;
            how.accepted = collected_in(schedule);
            how.question = [&](const std::optional<TraceQuestion>& header) {
                TraceQuestion question{topology, ports_, problem};
                if (header)
                    if (const std::string other = difference(*header, topology, problem); !other.empty())
                        throw InvalidArgument(other);
                redundant = question.redundant = header && header->redundant;
                return question;
            };
            judge_trace(*opened(), how);
            Algorithm head{.collective = entry_.collective, .name = name_};
            head.redundant = redundant;
            return {"", algorithm_of(std::move(head), std::move(schedule))};
        } catch (const TraceError& error) {
            return {TraceError(file_, error).what(), {}};
        } catch (const InvalidArgument& error) {
            return {fmt::format("{}: {}", file_, error.what()), {}};
        }
    }

    [[nodiscard]] std::unique_ptr<std::istream> opened() const
    {
        return prefixed("it cannot be read", [&] { return detail::open_file(file_); });
    }

    std::string name_;
    std::string file_;
    PortModel ports_;
    Entry entry_;
    detail::Memo<detail::WalkKey, Judged> known_{8};
};

}  // namespace

const Entry& add_algorithm(Entry own)
{
    for (const Entry* const other : algorithms_for(own.collective))
        if (same_name(other->name, own.name))
            throw InvalidArgument(fmt::format("{} has an algorithm {} already", dcube::name(own.collective), own.name));
    if (own.name.empty() || own.name == "auto" || detail::is_file(own.name) || !own.cost || !own.prepare)
        throw InvalidArgument("an added algorithm needs a name, a cost and a program");
    own.origin = Origin::own;
    if (!own.storage)
        own.storage = [](const Topology&, const Problem&) { return std::uint64_t{0}; };
    return added_algorithms().emplace_back(
        detail::in_groups(detail::renaming(detail::idle_on_nothing(std::move(own)))));
}

const Entry& add_algorithm(Algorithm own)
{
    return add_algorithm(Entry{std::move(own), {}});
}

std::vector<const Entry*> algorithms_for(Collective collective)
{
    std::vector<const Entry*> all;
    for (const Entry& entry : catalogue())
        if (entry.collective == collective)
            all.push_back(&entry);
    for (const Entry& entry : added_algorithms())
        if (entry.collective == collective)
            all.push_back(&entry);
    return all;
}

namespace detail {

bool is_file(std::string_view algorithm)
{
    return algorithm.starts_with('@');
}

const Entry& algorithm_in_file(Collective collective, PortModel ports, std::string_view name)
{
    using Key = std::tuple<Collective, PortModel, std::string>;
    constexpr std::size_t all = 1'000'000;  // they must last
    static Memo<Key, std::shared_ptr<ScheduleFile>> files(all);
    return (*files.get(Key(collective, ports, name),
                       [&] { return std::make_shared<ScheduleFile>(collective, ports, name); }))
        ->entry();
}

}  // namespace detail

}  // namespace dcube
