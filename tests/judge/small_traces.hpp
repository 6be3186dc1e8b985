#pragma once
// Small correct traces, made without any of the algorithms: one-port constructions with one packet per message, in
// which no node could do anything earlier.

#include "judge/trace_line.hpp"

#include "tests/support/small_problems.hpp"
#include "tests/support/sum_of_text.hpp"

#include <dcube/problem.hpp>
#include <dcube/topology.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace small_traces {

using dcube::Collective;
using dcube::NodeId;
using dcube::Port;
using dcube::Problem;
using dcube::Record;
using dcube::Step;
using test_support::example;
using test_support::needs_two;
using Trace = std::vector<Record>;
using MaybeNode = std::optional<NodeId>;

inline Record line(Step step, NodeId from, Port port, std::uint64_t bytes, MaybeNode origin, MaybeNode target,
                   std::uint64_t offset = 0)
{
    Record record;
    record.step = step;
    record.from = from;
    record.to = from ^ (1U << port);
    record.port = port;
    record.bytes = bytes;
    record.pieces = {{origin, target, offset, bytes}};
    return record;
}

inline std::string text(const Record& record)
{
    const auto shown = [](MaybeNode node) { return node ? std::to_string(*node) : "null"; };
    const auto time = [](const std::optional<dcube::Rational>& t) {
        const std::string quote = t && t->denominator != 1 ? "\"" : "";
        return t ? quote + dcube::to_string(*t) + quote : "null";
    };
    std::string pieces;
    for (const auto& piece : record.pieces)
        pieces += fmt::format(R"({}{{"origin":{},"target":{},"offset":{},"length":{}{}}})", pieces.empty() ? "" : ",",
                              shown(piece.origin), shown(piece.target), piece.offset, piece.length,
                              test_support::sum_of_text(piece));
    return fmt::format(R"({{"step":{},"from":{},"to":{},"port":{},"bytes":{},"start_ns":{},"end_ns":{},)"
                       R"("pieces":[{}]}})"
                       "\n",
                       record.step, record.from, record.to, record.port, record.bytes, time(record.start_ns),
                       time(record.end_ns), pieces);
}

inline std::string text(const Trace& trace)
{
    std::string all;
    for (const Record& record : trace)
        all += text(record);
    return all;
}

inline void sort_by_step(Trace& trace)
{
    std::stable_sort(trace.begin(), trace.end(), [](const Record& a, const Record& b) { return a.step < b.step; });
}

/// Everything backwards, in time and direction.
inline Trace reversed(Trace trace)
{
    Step last = 0;
    for (const Record& record : trace)
        last = std::max(last, record.step);
    for (Record& record : trace) {
        record.step = last + 1 - record.step;
        std::swap(record.from, record.to);
        std::swap(record.pieces[0].origin, record.pieces[0].target);
    }
    sort_by_step(trace);
    return trace;
}

/// Recursive doubling.
inline Trace broadcast(unsigned d, NodeId root, std::uint64_t bytes)
{
    Trace trace;
    for (Port k = 0; k < d; ++k)
        for (NodeId label = 0; label < 1U << k; ++label)
            trace.push_back(line(k + 1, label ^ root, k, bytes, root, {}));
    return trace;
}

/// The farthest first, low bits first; a hop per step.
inline Trace scatter(unsigned d, NodeId root, std::uint64_t bytes)
{
    Trace trace;
    Step sent = 0;
    for (unsigned level = d; level > 0; --level) {
        for (NodeId label = 1; label < 1U << d; ++label) {
            if (static_cast<unsigned>(std::popcount(label)) != level)
                continue;
            Step step = ++sent;
            NodeId at = 0;
            for (Port k = 0; k < d; ++k) {
                if ((label >> k & 1) == 0)
                    continue;
                trace.push_back(line(step++, at ^ root, k, bytes, root, label ^ root));
                at |= 1U << k;
            }
        }
    }
    sort_by_step(trace);
    return trace;
}

/// Dimension by dimension, partners swap all that they hold.
inline Trace all_gather(unsigned d, std::uint64_t bytes)
{
    Trace trace;
    Step step = 0;
    for (Port k = 0; k < d; ++k) {
        for (NodeId o = 0; o < 1U << k; ++o) {
            ++step;
            for (NodeId node = 0; node < 1U << d; ++node)
                trace.push_back(line(step, node, k, bytes, node ^ o, {}));
        }
    }
    return trace;
}

inline Trace all_reduce(unsigned d, std::uint64_t bytes)
{
    Trace trace;
    for (Port k = 0; k < d; ++k)
        for (NodeId node = 0; node < 1U << d; ++node)
            trace.push_back(line(k + 1, node, k, bytes, {}, {}));
    return trace;
}

/// The same without the sums that nobody needs, those of subcubes after which no node comes.
inline Trace scan(unsigned d, std::uint64_t bytes)
{
    Trace trace = all_reduce(d, bytes);
    const NodeId last = (1U << d) - 1;
    std::erase_if(trace, [&](const Record& record) { return record.from >> record.port == last >> record.port; });
    return trace;
}

inline Trace all_to_all(unsigned d, std::uint64_t bytes)
{
    Trace trace;
    Step step = 0;
    for (Port k = 0; k < d; ++k) {
        for (NodeId o = 0; o < 1U << k; ++o) {
            for (NodeId x = 0; x < 1U << (d - 1 - k); ++x) {
                ++step;
                for (NodeId node = 0; node < 1U << d; ++node)
                    trace.push_back(line(step, node, k, bytes, node ^ o, node ^ (x << (k + 1) | 1U << k)));
            }
        }
    }
    return trace;
}

/// One message, dimension by dimension.
inline Trace send(unsigned d, NodeId root, NodeId peer, std::uint64_t bytes)
{
    Trace trace;
    NodeId at = root;
    for (Port k = 0; k < d; ++k) {
        if (((root ^ peer) >> k & 1) == 0)
            continue;
        trace.push_back(line(static_cast<Step>(trace.size()) + 1, at, k, bytes, root, peer));
        at ^= 1U << k;
    }
    return trace;
}

inline Trace exchange(unsigned d, NodeId root, NodeId peer, std::uint64_t bytes)
{
    Trace trace = send(d, root, peer, bytes);
    for (const Record& record : send(d, peer, root, bytes))
        trace.push_back(record);
    sort_by_step(trace);
    return trace;
}

/// Every node's message to its antipode, dimension by dimension.
inline Trace inversion(unsigned d, std::uint64_t bytes)
{
    const NodeId all = (1U << d) - 1;
    Trace trace;
    for (Port k = 0; k < d; ++k)
        for (NodeId node = 0; node <= all; ++node) {
            const NodeId origin = node ^ ((1U << k) - 1);
            trace.push_back(line(k + 1, node, k, bytes, origin, origin ^ all));
        }
    return trace;
}

/// Neighbours signal to each other, dimension by dimension. The packets are empty.
inline Trace barrier(unsigned d)
{
    Trace trace;
    for (Port k = 0; k < d; ++k)
        for (NodeId node = 0; node < 1U << d; ++node) {
            trace.push_back(line(k + 1, node, k, 0, {}, {}));
            trace.back().pieces.clear();
        }
    return trace;
}

inline Trace make(const Problem& problem, unsigned d)
{
    switch (problem.collective) {
    case Collective::broadcast: return broadcast(d, problem.root, problem.bytes);
    case Collective::reduce: return reversed(broadcast(d, problem.root, problem.bytes));
    case Collective::scatter: return scatter(d, problem.root, problem.bytes);
    case Collective::gather: {
        // Packets that arrive at the root stand first in their step: they alone cannot be moved to an earlier one.
        Trace trace = reversed(scatter(d, problem.root, problem.bytes));
        std::stable_sort(trace.begin(), trace.end(), [&](const Record& a, const Record& b) {
            return a.step != b.step ? a.step < b.step : a.to == problem.root && b.to != problem.root;
        });
        return trace;
    }
    case Collective::all_gather: return all_gather(d, problem.bytes);
    case Collective::reduce_scatter: return reversed(all_gather(d, problem.bytes));
    case Collective::all_reduce: return all_reduce(d, problem.bytes);
    case Collective::scan:
    case Collective::exscan: return scan(d, problem.bytes);
    case Collective::send: return send(d, problem.root, problem.peer, problem.bytes);
    case Collective::exchange: return exchange(d, problem.root, problem.peer, problem.bytes);
    case Collective::barrier: return barrier(d);
    case Collective::permute:
    case Collective::matrix_half_turn: return inversion(d, problem.bytes);
    case Collective::all_to_all:
    case Collective::matrix_transpose:
    case Collective::matrix_quarter_turn:
    case Collective::matrix_relayout: return all_to_all(d, problem.bytes);
    }
    return {};
}

}  // namespace small_traces
