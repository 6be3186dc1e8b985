#pragma once
// Pinning: which processor each of a machine's workers runs on, and a thread that is pinned to one for a while.

#include <dcube/machine.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace dcube::detail {

// What there is of the processors that may be used.
struct ProcessorCounts {
    unsigned processors = 1;
    unsigned cores = 1;
    unsigned l3_caches = 0;     // 0: none is listed
    unsigned cores_per_l3 = 0;  // of the one that most share
    unsigned numa_nodes = 1;
    unsigned packages = 1;
    unsigned cores_per_package = 1;          // of the one with most
    std::vector<unsigned> cores_of_kinds{};  // the kinds of cores, the fastest last; empty where all are equal
};

// The processors that may be used, and how they lie: in packages, by the memory (NUMA node) and the caches that they
// share, in cores. Processors have the system's numbers.
class Processors {
public:
    // The processors that the calling thread may use, by the process' affinity and cgroup. Takes milliseconds. Throws
    // InvalidArgument if the system does not bind threads.
    static Processors of_this_process();
    // The processors of a machine described in hwloc's words, "pack:2 [numa] l3:2 core:4 pu:2": two packages, each with
    // memory of its own and two caches that four cores of two processors share. `allowed`: the ones that may be used;
    // none: all. Throws InvalidArgument if these are no such words, or no processor is left.
    static Processors described(const std::string& words, std::span<const unsigned> allowed = {});

    Processors(Processors&&) noexcept;
    ~Processors();

    // The processors in the order in which workers get them.
    // compact, scatter: every processor once; first one of every core, then the second ones. compact: neighbours in
    // caches and memory follow each other. scatter: packages, memories and caches take turns.
    // no_smt: as compact, the first ones only. one_per_l3: the first one of each third-level cache. none: no processor.
    // Throws InvalidArgument: one_per_l3 where no such cache is listed, and a list with a processor that is not here.
    [[nodiscard]] std::vector<unsigned> order(const Pinning& pinning) const;

    [[nodiscard]] ProcessorCounts counts() const;

private:
    struct Machine;
    explicit Processors(std::unique_ptr<Machine> machine);
    [[nodiscard]] std::vector<unsigned> one_per_l3() const;
    [[nodiscard]] std::vector<unsigned> listed(const std::vector<unsigned>& processors) const;

    std::unique_ptr<Machine> machine_;
};

// The processors of workers 0, 1, ..; if there are more workers, they begin again. Without processors nothing is
// pinned.
class Pins {
public:
    Pins() = default;
    explicit Pins(std::vector<unsigned> processors) : processors_(std::move(processors)) {}

    [[nodiscard]] bool any() const { return !processors_.empty(); }
    [[nodiscard]] unsigned of(std::size_t worker) const { return processors_[worker % processors_.size()]; }

private:
    std::vector<unsigned> processors_;
};

// While it lives, the calling thread runs on its worker's processor; then again where it might before. oneTBB's threads
// and the caller's are lent, so they are given back as they came. A processor that there is not, or that is taken from
// the process meanwhile, is no error: the thread then stays as it is. So it does on systems other than Linux.
class Pinned {
public:
    Pinned(const Pins& pins, std::size_t worker);
    Pinned(const Pinned&) = delete;
    Pinned& operator=(const Pinned&) = delete;
    ~Pinned();

private:
    using Mask = std::array<std::uint64_t, 16>;  // a bit a processor, as the system has them

    std::optional<Mask> before_;  // where it might run; none if that was not changed
};

}  // namespace dcube::detail
