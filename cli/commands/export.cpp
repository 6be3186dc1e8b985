// dcube export: a run in the format of another tool.

#include "base/memory.hpp"
#include "base/numbers.hpp"
#include "cli/files/files.hpp"
#include "cli/files/interrupt.hpp"
#include "cli/output.hpp"
#include "cli/plan_options.hpp"
#include "cli/run_sweep.hpp"
#include "inspect/export/exports.hpp"
#include "run/recording.hpp"

#include <dcube/run.hpp>

#include <fmt/format.h>

#include <zlib.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <memory>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace dcube::cli {

namespace {

/// Compresses what it is given into a file, as gzip does. Throws what the file throws.
class GzipWriter {
public:
    explicit GzipWriter(NewFile& file);
    ~GzipWriter();
    GzipWriter(const GzipWriter&) = delete;
    GzipWriter& operator=(const GzipWriter&) = delete;

    void write(std::string_view text);
    /// Writes what is still held back; nothing can be written after it.
    void finish();

private:
    struct Stream;

    void compress(std::string_view text, int flush);

    NewFile& file_;
    std::unique_ptr<Stream> stream_;
};

struct GzipWriter::Stream {
    z_stream state{};
};

GzipWriter::GzipWriter(NewFile& file) : file_(file), stream_(std::make_unique<Stream>())
{
    constexpr int gzip_format = 16;
    constexpr int usual_memory = 8;
    if (deflateInit2(&stream_->state, Z_DEFAULT_COMPRESSION, Z_DEFLATED, MAX_WBITS + gzip_format, usual_memory,
                     Z_DEFAULT_STRATEGY) != Z_OK)
        throw std::bad_alloc();  // nothing else can go wrong
}

GzipWriter::~GzipWriter()
{
    deflateEnd(&stream_->state);
}

void GzipWriter::write(std::string_view text)
{
    constexpr std::size_t most_in_one_call = std::numeric_limits<uInt>::max();
    while (!text.empty()) {
        compress(text.substr(0, most_in_one_call), Z_NO_FLUSH);
        text.remove_prefix(std::min(text.size(), most_in_one_call));
    }
}

void GzipWriter::finish()
{
    compress("", Z_FINISH);
}

void GzipWriter::compress(std::string_view text, int flush)
{
    std::array<unsigned char, std::size_t{1} << 16> out;
    z_stream& state = stream_->state;
    // zlib does not change its input, but says so only from 1.3 on.
    state.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
    state.avail_in = static_cast<uInt>(text.size());
    do {
        state.next_out = out.data();
        state.avail_out = static_cast<uInt>(out.size());
        deflate(&state, flush);
        file_.write(std::as_bytes(std::span(out).first(out.size() - state.avail_out)));
    } while (state.avail_out == 0);
}

constexpr std::uint64_t usual_events = 1'000'000;

using Tool = std::unique_ptr<Export> (*)(const Recording& recording, std::uint64_t events);

std::unique_ptr<Export> make_goal(const Recording& recording, std::uint64_t)
{
    return goal_export(recording);
}

std::unique_ptr<Export> make_msccl(const Recording& recording, std::uint64_t)
{
    return msccl_export(recording);
}

constexpr Spelling<Tool> exporters[]{{make_goal, "goal"}, {chrome_export, "chrome"}, {make_msccl, "msccl"}};

struct ExportOptions {
    explicit ExportOptions(CLI::App& app)
        : format(app, tool), sweep(app, {.problems = Sweep::no, .machines = Sweep::no, .over = Over::first_rank})
    {
        add_text(app, {"--output", "FILE", "write to FILE, compressed if its name ends in .gz", "Output"}, output);
        add_number(app, {"--events", "N", "chrome: maximum number of events [1000000]", "Output"}, {1, 1'000'000'000},
                   events);
        add_quiet(app);
    }

    /// FORMAT, which stands before the collective.
    struct FormatOption {
        FormatOption(CLI::App& app, Tool& tool)
        {
            add_choice(app, {"FORMAT", "", "goal, chrome, msccl"}, exporters, "a format", tool);
        }
    };

    void reject_contradictions() const;

    Tool tool = nullptr;
    FormatOption format;
    RunSweep sweep;
    std::optional<std::string> output;
    std::optional<std::uint64_t> events;
};

void ExportOptions::reject_contradictions() const
{
    reject_if(tool == nullptr, "a format is missing: expected goal, chrome or msccl");
    reject_if(!output, "--output is missing: name the file to write");
    reject_if(output->empty() || *output == "-", fmt::format("--output '{}' is not a file's name", *output));
    note_written("--output", *output);
    reject_if(events && tool != chrome_export,
              fmt::format("--events is for chrome: {} is written whole", name_of(exporters, tool)));
}

// Runs the collective and keeps every packet of it.
Recording recorded(const ExportOptions& options, const Interrupt& interrupt)
{
    constexpr std::uint64_t bytes_of_a_packet = 512;  // with its pieces, and what the export works out
    const RunSweep& asked = options.sweep;
    const auto [topology, problem] = asked.questions().front();
    validate(problem, topology);
    PlanningWatch watch(interrupt);
    RecordingLimits limits;
    limits.flights = limits.pieces = available_memory() / 2 / bytes_of_a_packet;
    limits.steps = Step{1} << 26;
    Machine machine(topology, asked.machine.only(asked.problem.ports(), problem.link));
    const Entry& algorithm = find_algorithm(topology, asked.problem.ports(), problem, asked.algorithm.value_or("auto"));
    const auto require_room = [&](Detail detail) {
        if (detail != Detail::flights)
            throw InvalidArgument(fmt::format("the run has more packets, or pieces of messages, than memory can hold: "
                                              "{} are possible",
                                              grouped(limits.flights)));
    };
    require_room(expected_detail(algorithm, topology, problem, limits));
    VerifiedRunOptions how;
    how.seed = asked.problem.seed();
    RunOptions run;
    run.stop = interrupt.token();
    if (Progress* const progress = watch.progress()) {
        progress->expect(algorithm.cost(topology, problem).steps);
        run.on_step = [progress](Step) { progress->step(); };
    }
    Recording recording = record(machine, algorithm, problem, how, run, limits);
    require_room(recording.detail);
    return recording;
}

void write(const Export& what, NewFile& file, bool gzip, const Interrupt& interrupt)
{
    std::optional<GzipWriter> compressed;
    if (gzip)
        compressed.emplace(file);
    TextWriter text([&](std::string_view piece) {
        interrupt.check();
        if (compressed)
            compressed->write(piece);
        else
            file.write(piece);
    });
    what.write(text);
    text.flush();
    if (compressed)
        compressed->finish();
    file.commit();
}

void export_run(const ExportOptions& options, const Interrupt& interrupt)
{
    options.reject_contradictions();
    options.sweep.plans.use();
    NewFile file(*options.output);
    const Recording recording = recorded(options, interrupt);
    const std::unique_ptr<Export> what = options.tool(recording, options.events.value_or(usual_events));
    for (const std::string& line : what->notes())
        note(line);
    const bool gzip = options.output->ends_with(".gz");
    note(fmt::format("writing {} bytes to {}{}", grouped(size_of(*what)), *options.output,
                     gzip ? ", which will be less when compressed" : ""));
    write(*what, file, gzip, interrupt);
}

Execution define_export(CLI::App& app)
{
    const auto options = std::make_shared<ExportOptions>(app);
    return [options](const Interrupt& interrupt) {
        export_run(*options, interrupt);
        return 0;
    };
}

}  // namespace

extern const Command export_command{
    .name = "export",
    .usage = "export goal|chrome|msccl COLLECTIVE --dim D --output FILE",
    .summary = "a run for other tools: LogGOPSim, Perfetto, MSCCL",
    .footer =
        R"(Examples:
  dcube export goal all-to-all --dim 4 --output exchange.goal
  dcube export goal broadcast --dim 5 --tau 1 --beta 1000 --output b.goal
  dcube export chrome all-to-all --dim 3 --output exchange.json.gz
  dcube export chrome all-gather --dim 8 --events 50000 --output gather.json
  dcube export msccl all-reduce --dim 3 --packets 8 --output sums.xml

goal is LogGOPSim's input: the sends and receives of every rank, and the bytes that each send needs. The file and )"
        R"(standard error give the flags with which its packets take as long as dcube's, and say whether it )"
        R"(predicts the same time.

chrome opens in ui.perfetto.dev and chrome://tracing: a track for every directed link, the phases, the number of busy )"
        R"(links, and arrows from each packet to those that carry its bytes on.

msccl is XML for the runtimes of MSCCL and RCCL: two thread blocks per port, one sends and one receives. It supports broadcast, reduce, )"
        R"(all-gather, reduce-scatter, all-reduce and all-to-all.

dcube replay and dcube verify read goal and msccl files back.

The collective is run and verified first. The size of the file is printed before it is written.)",
    .define = define_export};

}  // namespace dcube::cli
