#include "emu/pinning.hpp"

#include <dcube/error.hpp>

#include <fmt/format.h>
#include <hwloc.h>
#include <sched.h>

#include <algorithm>
#include <bit>

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
std::vector<unsigned> processors_below(hwloc_topology_t topology, hwloc_obj_t object, unsigned rank, Pinning pinning)
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

std::vector<unsigned> Processors::order(Pinning pinning) const
{
    std::vector<unsigned> all;
    if (pinning == Pinning::none)
        return all;
    const hwloc_obj_t root = hwloc_get_root_obj(machine_->topology);
    for (unsigned rank = 0;; ++rank) {
        const std::vector<unsigned> some = processors_below(machine_->topology, root, rank, pinning);
        if (some.empty())
            return all;
        all.insert(all.end(), some.begin(), some.end());
    }
}

// Uses the kernel's own calls: hwloc's masks would allocate memory at every loan.
Pinned::Pinned(const Pins& pins, std::size_t worker)
{
    if (!pins.any())
        return;
    cpu_set_t before;
    cpu_set_t wanted;
    CPU_ZERO(&wanted);
    CPU_SET(pins.of(worker), &wanted);
    if (sched_getaffinity(0, sizeof before, &before) == 0 && sched_setaffinity(0, sizeof wanted, &wanted) == 0)
        before_ = std::bit_cast<Mask>(before);
}

Pinned::~Pinned()
{
    if (!before_)
        return;
    const auto before = std::bit_cast<cpu_set_t>(*before_);
    sched_setaffinity(0, sizeof before, &before);
}

}  // namespace dcube::detail

namespace dcube {

std::vector<unsigned> pinned_processors(Pinning pinning)
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
