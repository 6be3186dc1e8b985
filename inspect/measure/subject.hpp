#pragma once
// Subjects of measurements: they can be run again and again, and return their time.

#include <dcube/machine.hpp>
#include <dcube/problem.hpp>
#include <dcube/stop.hpp>
#include <dcube/topology.hpp>

#include <cstdint>
#include <memory>
#include <string>

namespace dcube::measure {

/// The facts that are the same in every run of a subject.
struct Facts {
    std::string algorithm;  ///< its name in the catalogue
    unsigned threads = 1;   ///< threads that really work
    std::uint64_t steps = 0;
    std::uint64_t transmissions = 0;
    std::uint64_t link_bytes = 0;
    std::uint64_t data_bytes = 0;  ///< input and output of all nodes
    bool verified = false;
};

class Subject {
public:
    Subject() = default;
    virtual ~Subject() = default;
    Subject(const Subject&) = delete;
    Subject& operator=(const Subject&) = delete;

    /// Does it once; the seconds it took.
    virtual double run() = 0;
    /// Whether the latest run's result is right. Throws VerificationError.
    virtual void check() = 0;
    /// After the first run.
    [[nodiscard]] virtual Facts facts() const = 0;
    /// How threads shared the latest run; all 0 where nobody counted that.
    [[nodiscard]] virtual EngineCounts engine_counts() const { return {}; }
};

/// A collective on a machine.
struct Setup {
    Topology topology = Topology::hypercube(0);
    Problem problem{};
    MachineOptions machine{};
    std::string algorithm = "auto";
    std::uint64_t seed = 1;    ///< the data's
    bool any_threads = false;  ///< the number of threads was not asked for: no doubt arises if fewer work
};

/// Bytes that the subject of this setup holds as long as it lives, in the rank that holds most. Throws InvalidArgument
/// as find_algorithm does.
std::uint64_t memory_of(const Setup& setup);

/// The machine built, the algorithm planned, the data filled, and every page touched by a thread of the machine. run()
/// returns Counts::wall_seconds, and throws Interrupted after the running step once a stop is requested. All ranks of
/// the machine's world do all of this together. Throws InvalidArgument: no such algorithm, or not enough memory.
std::unique_ptr<Subject> prepared(const Setup& setup, const StopToken& stop);

}  // namespace dcube::measure
