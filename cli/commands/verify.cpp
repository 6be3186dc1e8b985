// dcube verify: prints the judge's verdict on a trace.

#include "cli/output.hpp"
#include "cli/text/colour.hpp"
#include "cli/text/table.hpp"
#include "cli/text/verdict_text.hpp"
#include "cli/trace_options.hpp"

#include <memory>

namespace dcube::cli {

namespace {

struct VerifyOptions {
    explicit VerifyOptions(CLI::App& app)
        : trace(app, ProblemOptions::Reductions::without_operation, TraceOptions::Links::as_traced)
    {
        add_format(app, {Format::text, Format::json}, format);
        add_verbose(app, rows);
        add_quiet(app);
    }

    TraceOptions trace;
    Format format = Format::text;
    Rows rows = Rows::main;
};

void verify(const VerifyOptions& options)
{
    const JudgedTrace judged = options.trace.judged({}, options.format);
    print(options.format == Format::json ? in_format(verdict_record(judged.question, judged.verdict), Format::json)
                                         : verdict_text(judged, options.rows, choose_colour(ColourMode::automatic)));
}

Execution define_verify(CLI::App& app)
{
    const auto options = std::make_shared<VerifyOptions>(app);
    return [options](Interrupt&) {
        verify(*options);
        return 0;
    };
}

}  // namespace

extern const Command verify_command{.name = "verify",
                                    .usage = "verify FILE [COLLECTIVE --dim D] [OPTIONS]",
                                    .summary = "check a trace made by dcube or by another program",
                                    .footer = R"(Examples:
  dcube run scatter --dim 5 --trace t.jsonl
  dcube verify t.jsonl
  dcube verify - all-to-all --topology hypercube:3 --bytes 16 < other.jsonl
  dcube verify own.jsonl broadcast --dim 4 --bytes 1K --tau 5/2 --beta 100

The first line may describe the run, as dcube writes it:
  {"dcube_trace":1,"collective":"scatter","topology":"hypercube:5","bytes":64}
Without it the options do. Each later line is one transmission, sorted by step:
  {"step":1,"from":0,"to":1,"port":0,"bytes":64,
   "pieces":[{"origin":0,"target":1,"offset":0,"length":64}]}
A piece of a reduction has no origin (null), and may list its contributors:
  "sum_of":[0,3,[5,7]]; without it, it is all that its sender holds.
GOAL and MSCCL's XML, as dcube export writes them, are read too.
Under the link-bound model a line has "start_ns" and "end_ns" too: 7, or "5/2".)",
                                    .define = define_verify};

}  // namespace dcube::cli
