#pragma once
// Schedules in other tools' formats: what every node does, and what waits for what. They are read back as the lines of
// a trace that say the same.

#include "judge/trace_line.hpp"
#include "judge/trace_reader.hpp"

#include <dcube/judge.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace dcube {

class ForeignSchedule {
public:
    ForeignSchedule() = default;
    ForeignSchedule(const ForeignSchedule&) = delete;
    ForeignSchedule& operator=(const ForeignSchedule&) = delete;
    virtual ~ForeignSchedule() = default;

    /// The question that its comments give, if they do: then they have the steps, too.
    [[nodiscard]] virtual const std::optional<TraceQuestion>& header() const = 0;
    /// Its packets, by step. Throws TraceError, which names the line of the file.
    [[nodiscard]] virtual std::vector<Record> records(const TraceQuestion& question) const = 0;
};

/// GOAL, if the first line is that of such a file; else null, and the trace can be read from its first line. Throws
/// TraceFormatError.
std::unique_ptr<ForeignSchedule> read_goal(TraceReader& trace);
/// The same of MSCCL's XML.
std::unique_ptr<ForeignSchedule> read_msccl(TraceReader& trace);

/// A deed of a node: it sends or receives, or does work of its own, which takes no time.
struct Deed {
    enum class Kind : std::uint8_t { work, send, receive };
    static constexpr std::int64_t any = -1;  ///< sender or tag of what is received

    Kind kind = Kind::work;
    NodeId node = 0;
    std::int64_t peer = any;
    std::int64_t tag = any;
    std::uint64_t packets = 1;   ///< of a send: its link carries one in each step
    std::optional<Step> step{};  ///< of a send, if the file gives its step
    std::uint64_t line = 0;
    std::vector<std::uint32_t> after{};        ///< the deeds that must be done before
    std::vector<std::uint32_t> after_begin{};  ///< the deeds that must have begun before: a receive begins to wait
};

/// Called for every deed in an order in which they can happen: a send begins in that step, a receive takes the bytes
/// that `message` sent, or work is done.
using Happens = std::function<void(std::uint32_t deed, Step step, std::uint32_t message)>;

/// Lets every deed happen as soon as all that it waits for is done, a send also not before its step: in order on each
/// link, one packet per step, except that all with the same given step go together; and with one port, one at a node. A
/// message waits for its receiver, and one received in a step is done when the step ends. Throws TraceError for deeds
/// that never happen, and for messages that are never received.
void let_happen(const std::vector<Deed>& deeds, PortModel ports, const Happens& happens);

}  // namespace dcube
