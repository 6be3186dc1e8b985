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

    /// What its comments say that it is of, if they do: then they have the steps, too.
    [[nodiscard]] virtual const std::optional<TraceQuestion>& header() const = 0;
    /// Its packets, by step. Throws TraceError, which names the line of the file.
    [[nodiscard]] virtual std::vector<Record> records(const TraceQuestion& question) const = 0;
};

/// GOAL, if the first line is that of such a file; else null, and the trace can be read from its first line. Throws
/// TraceFormatError.
std::unique_ptr<ForeignSchedule> read_goal(TraceReader& trace);
/// The same of MSCCL's XML.
std::unique_ptr<ForeignSchedule> read_msccl(TraceReader& trace);

/// What a node does: it sends or receives, or does work of its own, which takes no time.
struct Deed {
    enum class Kind : std::uint8_t { work, send, receive };
    static constexpr std::int64_t any = -1;  ///< sender or tag of what is received

    Kind kind = Kind::work;
    NodeId node = 0;
    std::int64_t peer = any;
    std::int64_t tag = any;
    std::uint64_t packets = 1;   ///< of send: its link carries one in each step
    std::optional<Step> step{};  ///< of send, if the file says in which step
    std::uint64_t line = 0;
    std::vector<std::uint32_t> after{};        ///< what must be done before
    std::vector<std::uint32_t> after_begin{};  ///< what must have begun before: a receive begins to wait
};

/// What happens, in an order in which it can happen: a send begins in that step, something is received, and is what
/// `message` sent, or work is done.
using Happens = std::function<void(std::uint32_t deed, Step step, std::uint32_t message)>;

/// Lets every deed happen as soon as what it waits for is done, a send also not before its step: in order on each link,
/// one packet a step, but all that have the same step of their own together; and with one port, one at a node. What is
/// sent waits for its receiver, and one received in a step is done when it ends. Throws TraceError for what never
/// happens, and for what nobody receives.
void let_happen(const std::vector<Deed>& deeds, PortModel ports, const Happens& happens);

}  // namespace dcube
