#pragma once
// Engine: what stands behind a Machine: the parts that it is made of, for as long as it lives, and what nodes and their
// sends and receives find of the running step. Each part is a class with one job:
//
//   Links       the tables of all links: channels, virtual times, counts
//   Chunk       some nodes, which one worker at a time runs
//   Clock       every chunk once per step, on whichever worker comes
//   Ranks       the processes that the machine is spread over, and what they agree on
//   Traffic     what a packet goes through; Observers: what more there is to that, in runs that want it
//   Run         one run of programs: opens and closes steps (run.hpp); Diagnosis: what went wrong in it

#include "base/cache_line.hpp"
#include "emu/chunk.hpp"
#include "emu/clock.hpp"
#include "emu/links.hpp"
#include "emu/lossy_links.hpp"
#include "emu/observers.hpp"
#include "emu/plain_traffic.hpp"
#include "emu/ranks.hpp"
#include "emu/script_check.hpp"
#include "emu/storage.hpp"
#include "emu/traffic.hpp"
#include "emu/translation_table.hpp"

#include <dcube/machine.hpp>

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string_view>

namespace dcube::detail {

class Engine {
public:
    Engine(const Topology& topology, const MachineOptions& options);
    ~Engine();
    Engine(const Engine&) = delete;
    Engine& operator=(const Engine&) = delete;

    // The operations that a Machine offers.
    Counts run(const Machine::Program& program, const RunOptions& options);
    void for_each_node(const std::function<void(NodeId)>& work);
    void require_memory(std::uint64_t bytes, std::string_view what) const;

    // The parts.
    [[nodiscard]] const Topology& topology() const { return topology_; }
    [[nodiscard]] const MachineOptions& options() const { return options_; }
    [[nodiscard]] Ranks& ranks() { return ranks_; }
    [[nodiscard]] const Ranks& ranks() const { return ranks_; }
    [[nodiscard]] Links& links() { return links_; }
    [[nodiscard]] const Links& links() const { return links_; }
    [[nodiscard]] Clock& clock() { return clock_; }
    [[nodiscard]] std::span<Chunk> chunks() const { return {chunks_.get(), clock_.chunks()}; }
    [[nodiscard]] NodeState& node(NodeId id) const { return nodes_[id]; }
    [[nodiscard]] Storage& storage() { return storage_; }
    [[nodiscard]] CheckedScripts& checked_scripts() { return checked_scripts_; }
    [[nodiscard]] const TranslationTable& translations() const { return translations_; }
    void make_translations() { translations_.make(topology_); }
    [[nodiscard]] Observers& observers() { return observers_; }

    // The machine's rules, for sends and receives.
    [[nodiscard]] bool one_port() const { return options_.ports == PortModel::one; }
    [[nodiscard]] bool half_duplex() const { return options_.link.duplex == Duplex::half; }
    [[nodiscard]] bool checked() const { return !options_.unchecked; }

    // The run's traffic, or an idle one.
    [[nodiscard]] Traffic& traffic() const { return *traffic_; }
    [[nodiscard]] std::uint64_t seed() const { return seed_; }  // of its random numbers
    // Each chunk has a copy of it.
    [[nodiscard]] const PlainTraffic& plain_traffic() const { return plain_traffic_; }
    // True if nothing is unusual, as loops over nodes require (tiles.hpp).
    [[nodiscard]] bool plain() const { return plain_; }
    // Only for runs in which links fail.
    [[nodiscard]] LossyLinks& lossy_links() const { return *lossy_links_; }

    // The latest run's, for those who ask where its time went.
    [[nodiscard]] const EngineCounts& engine_counts() const { return engine_counts_; }
    void set_engine_counts(const EngineCounts& counts) { engine_counts_ = counts; }

    // The running step; 0 if there is none.
    [[nodiscard]] Step step() const { return step_; }
    void set_step(Step step) { step_ = step; }

    // Called by the sender on one-port machines: a packet has set out for this node. For a node of another rank, that
    // rank notes it. On half-duplex machines the sender's own packet counts as one for itself.
    void note_arrival(NodeId receiver);
    // Whether two packets have set out for one node in this step, or one from it and one for it on half duplex.
    [[nodiscard]] bool second_receive() const { return second_receive_.load(std::memory_order_relaxed); }

    // Looks at the node again, if it still waits (chunk.hpp).
    void ring(NodeId id);
    // A bell was rung in this step.
    void note_bell()
    {
        if (!rung_.load(std::memory_order_relaxed))
            rung_.store(true, std::memory_order_relaxed);
    }
    // When a step has ended: whether one of its bells is still to be answered. A chunk that ran after its bell was rung
    // has answered it already.
    [[nodiscard]] bool take_bells();

    // Runs `work` once for every chunk, shared among the workers if there is enough of it.
    using EachChunk = std::function<void(Chunk&)>;
    void on_all_chunks(const EachChunk& work, Clock::Next how);
    void on_all_chunks(const EachChunk& work) { on_all_chunks(work, {Clock::Next::How::by_guess, work_of_visit()}); }
    [[nodiscard]] std::uint64_t work_of_visit() const;
    // Rare events of the step that has ended, in all chunks.
    [[nodiscard]] Chunk::Tally take_tally();

    // Makes ready what is the run's own.
    void prepare(const RunOptions& options);
    // Makes the machine as new: no task, no packet, all counters zero. Memory that was lent is kept for the next run.
    void reset(bool ended_well);

private:
    void make();
    void make_nodes();
    void cut();
    void cut_anew();
    [[nodiscard]] std::string on_rank(std::uint64_t needed, std::uint64_t limit) const;
    // Links that leave this rank's nodes for another rank.
    template <class Function>
    void for_each_link_out(const Function& function) const
    {
        if (ranks_.border())
            ranks_.border()->for_each_out(function);
    }

    // The machine.
    Topology topology_;
    MachineOptions options_;
    Ranks ranks_;
    std::uint64_t own_memory_;
    Links links_;
    Clock clock_;
    std::unique_ptr<Chunk[]> chunks_;
    Memory node_memory_;
    NodeState* nodes_ = nullptr;
    TranslationTable translations_;
    CheckedScripts checked_scripts_;
    Storage storage_;
    Observers observers_{*this};

    // The run.
    std::atomic<bool> busy_{false};
    EngineCounts engine_counts_;  // set between runs
    bool plain_ = false;
    Step step_ = 0;
    PlainTraffic plain_traffic_;
    Traffic* traffic_;
    std::uint64_t seed_ = 0;
    std::unique_ptr<Traffic> traffic_of_run_;
    std::unique_ptr<LossyLinks> lossy_links_;  // if links fail in the run
    std::atomic<bool> second_receive_{false};
    alignas(cache_line) std::atomic<bool> rung_{false};
};

}  // namespace dcube::detail
