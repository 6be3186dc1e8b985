#pragma once
// The commands of dcube-tools: those that measure, draw or export, for which a first result does not wait. dcube knows
// their names and executes dcube-tools for them (elsewhere.cpp).

namespace dcube::cli::tools {

struct Text {
    const char* name;
    const char* usage;
    const char* summary;
};

constexpr Text bench{"bench", "bench COLLECTIVE --dim D [OPTIONS]",
                     "measure runs repeatedly; compare what was measured"};
constexpr Text limits{"limits", "limits [OPTIONS]", "this machine's limits: copies, barriers, cache lines"};
constexpr Text view{"view", "view COLLECTIVE --dim D [OPTIONS]",
                    "look at a run: a page that plays it, a figure, or text"};
constexpr Text lab{"lab", "lab [COLLECTIVE] [OPTIONS]", "a page in which dcube runs: choose, run, look, change"};
constexpr Text exports{"export", "export goal|chrome|msccl COLLECTIVE --dim D --output FILE",
                       "a run in the format of another tool: LogGOPSim, Perfetto, MSCCL"};

}  // namespace dcube::cli::tools
