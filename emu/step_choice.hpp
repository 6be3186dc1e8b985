#pragma once
// StepChoice: whether a step is run by one worker or by all, learned from how long steps took on this machine. It
// outlives runs and machines, and changes nothing but time.

#include <dcube/machine.hpp>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace dcube::detail {

// Steps are told apart by their work, a rough number of ns that is known beforehand, in half octaves. For each size the
// mean time per ns of work is kept, alone and together; a mean not yet measured is guessed. The slower of the two is
// tried again ever more rarely, and not any more if it was far slower.
class StepChoice {
public:
    // The table shared by all machines of this many threads.
    static StepChoice& of(unsigned threads);

    explicit StepChoice(unsigned threads) : threads_(threads) {}

    struct Choice {
        bool together;   // all workers run it
        bool is_a_look;  // to see how long that takes, though it was slower, or is not known
        bool is_timed;   // its time is to be noted
        double gain_ns;  // by running it so rather than alone, as far as is known
    };
    // How the next step, of this much work, is run.
    Choice choose(std::uint64_t work_ns);
    // The same for a step that is like no other.
    [[nodiscard]] Choice guess(std::uint64_t work_ns) const;
    void note(bool together, std::uint64_t work_ns, double ns);

    // For diagnostics: the times learned, by size, where any is known.
    [[nodiscard]] std::vector<StepSeconds> learned() const;

private:
    static constexpr std::uint64_t least_ns = 1024;  // less is not worth looking at a watch
    static constexpr std::uint64_t most_ns = 65535;  // this much or more is always shared
    static constexpr unsigned first_octave = 10;
    static constexpr std::size_t sizes = 12;

    // ns per ns of work. The first times are those of cold caches, so the least of some counts, and then their mean.
    struct Way {
        static constexpr std::uint32_t enough = 8;

        std::atomic<float> mean{0};
        std::atomic<std::uint32_t> times{0};

        [[nodiscard]] float known() const;  // 0: not tried often enough
        void note(float taken, float share);
    };
    struct Size {
        Way alone;
        Way together;
        std::atomic<std::uint32_t> uses{0};
        std::atomic<std::uint32_t> next_look{first_look};
        // The look that is going on: steps that it has left at most, and times to be noted.
        std::atomic<bool> looks_together{false};
        std::atomic<std::uint32_t> steps_left{0};
        std::atomic<std::uint32_t> times_left{0};
    };
    static constexpr std::uint32_t first_look = 64;
    static constexpr std::uint32_t steps_of_a_look = 400;  // threads that are borrowed may come late, or not at all
    static constexpr std::uint32_t times_of_a_look = 12;
    static constexpr std::uint32_t steps_between_times = 8;

    static std::size_t size_of(std::uint64_t work_ns);

    unsigned threads_;
    std::array<Size, sizes> sizes_{};
};

}  // namespace dcube::detail
