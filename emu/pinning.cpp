#include "emu/pinning.hpp"

#include <dcube/error.hpp>

#include <fmt/format.h>
#include <hwloc.h>
#include <sched.h>

#include <algorithm>

namespace dcube::detail {

struct Processors::Machine {
    hwloc_topology_t topology = nullptr;

    Machine() = default;
    Machine(const Machine&) = delete;
    Machine& operator=(const Machine&) = delete;
    ~Machine()
    {
        if (topology)
            hwloc_topology_destroy(topology);
    }
};

namespace {

[[noreturn]] void refuse(std::string_view why)
{
    throw InvalidArgument("pin", why);
}

// Synthetic machines number processors as they lie, so that a bitmap of the system's numbers does for both.
void keep_only(hwloc_topology_t topology, hwloc_const_bitmap_t allowed, const char* whose)
{
    if (hwloc_topology_restrict(topology, allowed, 0) != 0)
        refuse(fmt::format("threads cannot be pinned: {} has none of the processors that exist", whose));
}

// The `rank`th processors of the cores below an object: the first ones, the second ones.
std::vector<unsigned> processors_below(hwloc_topology_t topology, hwloc_obj_t object, unsigned rank,
                                       Pinning::Kind pinning)
{
    if (object->type == HWLOC_OBJ_CORE || object->type == HWLOC_OBJ_PU) {
        const hwloc_obj_t found = hwloc_get_obj_inside_cpuset_by_type(topology, object->cpuset, HWLOC_OBJ_PU, rank);
        return found ? std::vector{found->os_index} : std::vector<unsigned>{};
    }
    std::vector<std::vector<unsigned>> parts;
    std::size_t longest = 0;
    for (unsigned child = 0; child < object->arity; ++child) {
        parts.push_back(processors_below(topology, object->children[child], rank, pinning));
        longest = std::max(longest, parts.back().size());
    }
    std::vector<unsigned> all;
    if (pinning == Pinning::compact)
        for (const std::vector<unsigned>& part : parts)
            all.insert(all.end(), part.begin(), part.end());
    else
        for (std::size_t turn = 0; turn < longest; ++turn)
            for (const std::vector<unsigned>& part : parts)
                if (turn < part.size())
                    all.push_back(part[turn]);
    return all;
}

// hwloc has the kinds by ascending performance; where it cannot order them, as the system lists them.
std::vector<unsigned> cores_of_kinds(hwloc_topology_t topology)
{
    std::vector<unsigned> cores;
    const std::unique_ptr<hwloc_bitmap_s, void (*)(hwloc_bitmap_t)> those(hwloc_bitmap_alloc(), hwloc_bitmap_free);
    const int kinds = hwloc_cpukinds_get_nr(topology, 0);
    for (int kind = 0; kind < kinds; ++kind) {
        if (hwloc_cpukinds_get_info(topology, static_cast<unsigned>(kind), those.get(), nullptr, nullptr, nullptr, 0) !=
            0)
            return {};
        const int some = hwloc_get_nbobjs_inside_cpuset_by_type(topology, those.get(), HWLOC_OBJ_CORE);
        if (some > 0)
            cores.push_back(static_cast<unsigned>(some));
    }
    return cores.size() > 1 ? cores : std::vector<unsigned>{};
}

}  // namespace

Processors::Processors(std::unique_ptr<Machine> machine) : machine_(std::move(machine)) {}
Processors::Processors(Processors&&) noexcept = default;
Processors::~Processors() = default;

Processors Processors::of_this_process()
{
    auto machine = std::make_unique<Machine>();
    if (hwloc_topology_init(&machine->topology) != 0 || hwloc_topology_load(machine->topology) != 0)
        refuse("threads cannot be pinned: the system does not list its processors");
    if (!hwloc_topology_get_support(machine->topology)->cpubind->set_thisthread_cpubind)
        refuse("threads cannot be pinned on this system: only none is possible");
    const std::unique_ptr<hwloc_bitmap_s, void (*)(hwloc_bitmap_t)> allowed(hwloc_bitmap_alloc(), hwloc_bitmap_free);
    if (hwloc_get_cpubind(machine->topology, allowed.get(), HWLOC_CPUBIND_THREAD) == 0)
        keep_only(machine->topology, allowed.get(), "this process");
    return Processors(std::move(machine));
}

Processors Processors::described(const std::string& words, std::span<const unsigned> allowed)
{
    auto machine = std::make_unique<Machine>();
    if (hwloc_topology_init(&machine->topology) != 0 ||
        hwloc_topology_set_synthetic(machine->topology, words.c_str()) != 0 ||
        hwloc_topology_load(machine->topology) != 0)
        refuse(fmt::format("'{}' is not a machine description of hwloc", words));
    const std::unique_ptr<hwloc_bitmap_s, void (*)(hwloc_bitmap_t)> kept(hwloc_bitmap_alloc(), hwloc_bitmap_free);
    for (const unsigned processor : allowed)
        hwloc_bitmap_set(kept.get(), processor);
    if (!allowed.empty())
        keep_only(machine->topology, kept.get(), words.c_str());
    return Processors(std::move(machine));
}

std::vector<unsigned> Processors::order(const Pinning& pinning) const
{
    const Pinning::Kind kind = pinning.kind();
    if (kind == Pinning::none)
        return {};
    if (kind == Pinning::one_per_l3)
        return one_per_l3();
    if (kind == Pinning::listed)
        return listed(pinning.processors());
    std::vector<unsigned> all;
    const hwloc_obj_t root = hwloc_get_root_obj(machine_->topology);
    const Pinning::Kind neighbours = kind == Pinning::scatter ? kind : Pinning::compact;
    for (unsigned rank = 0;; ++rank) {
        const std::vector<unsigned> some = processors_below(machine_->topology, root, rank, neighbours);
        if (some.empty() || (rank > 0 && kind == Pinning::no_smt))
            return all;
        all.insert(all.end(), some.begin(), some.end());
    }
}

std::vector<unsigned> Processors::one_per_l3() const
{
    std::vector<unsigned> all;
    for (hwloc_obj_t cache = nullptr;
         (cache = hwloc_get_next_obj_by_type(machine_->topology, HWLOC_OBJ_L3CACHE, cache)) != nullptr;)
        all.push_back(processors_below(machine_->topology, cache, 0, Pinning::compact).front());
    if (all.empty())
        refuse("one-per-l3 is not possible: the system lists no third-level cache");
    return all;
}

std::vector<unsigned> Processors::listed(const std::vector<unsigned>& processors) const
{
    std::vector<unsigned> known = order(Pinning::compact);
    std::ranges::sort(known);
    for (const unsigned processor : processors)
        if (!std::ranges::binary_search(known, processor))
            refuse(fmt::format("threads cannot be pinned to processor {}: this process may use {}", processor,
                               name(Pinning(known))));
    return processors;
}

ProcessorCounts Processors::counts() const
{
    const hwloc_topology_t topology = machine_->topology;
    const auto count = [&](hwloc_obj_type_t type) {
        return static_cast<unsigned>(std::max(0, hwloc_get_nbobjs_by_type(topology, type)));
    };
    const auto most_cores = [&](hwloc_obj_type_t type) {
        unsigned most = 0;
        for (hwloc_obj_t one = nullptr; (one = hwloc_get_next_obj_by_type(topology, type, one)) != nullptr;)
            most = std::max(most, static_cast<unsigned>(processors_below(topology, one, 0, Pinning::compact).size()));
        return most;
    };
    ProcessorCounts counts;
    counts.processors = count(HWLOC_OBJ_PU);
    counts.cores =
        static_cast<unsigned>(processors_below(topology, hwloc_get_root_obj(topology), 0, Pinning::compact).size());
    counts.l3_caches = count(HWLOC_OBJ_L3CACHE);
    counts.cores_per_l3 = most_cores(HWLOC_OBJ_L3CACHE);
    counts.numa_nodes = std::max(1U, count(HWLOC_OBJ_NUMANODE));
    counts.packages = std::max(1U, count(HWLOC_OBJ_PACKAGE));
    counts.cores_per_package = std::max(most_cores(HWLOC_OBJ_PACKAGE), counts.packages == 1 ? counts.cores : 1);
    counts.cores_of_kinds = cores_of_kinds(topology);
    return counts;
}

}  // namespace dcube::detail

namespace dcube {

std::vector<unsigned> pinned_processors(const Pinning& pinning)
{
    if (pinning == Pinning::none)
        return {};
    std::vector<unsigned> order = detail::Processors::of_this_process().order(pinning);
    if (std::ranges::any_of(order, [](unsigned processor) { return processor >= CPU_SETSIZE; }))
        detail::refuse(fmt::format("threads cannot be pinned: this machine has processors above {}, which are more "
                                   "than a set of them has room for",
                                   CPU_SETSIZE - 1));
    return order;
}

}  // namespace dcube
