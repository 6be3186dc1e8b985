#include "cli/commands/one_run.hpp"

#include "base/memory.hpp"
#include "base/numbers.hpp"
#include "base/sizes.hpp"
#include "cli/files/files.hpp"
#include "cli/files/matrix_files.hpp"
#include "cli/files/trace_output.hpp"
#include "cli/output.hpp"
#include "cli/ranks.hpp"
#include "cli/shared_options.hpp"
#include "cli/text/records.hpp"
#include "inspect/measure/kept_limits.hpp"
#include "inspect/measure/limit_of_run.hpp"
#include "run/ranks.hpp"
#include "run/report.hpp"

#include <dcube/layout.hpp>
#include <dcube/machine.hpp>
#include <dcube/run.hpp>

#include <fmt/format.h>

#include <memory>
#include <string_view>
#include <utility>

namespace dcube::cli {

namespace {

measure::Demand demand_of(const Report& report)
{
    const Layout layout(report.problem, report.topology);
    const Counts& counts = report.counts;
    return {.threads = report.threads,
            .steps = counts.steps,
            .transmissions = counts.transmissions,
            .packet_bytes = as_size(counts.transmissions == 0 ? 0 : counts.bytes / counts.transmissions),
            .data_bytes = layout.bytes()};
}

// Fills in the report's limit from the limits that are kept; leaves it empty where there are none for this host and
// build, none with as many threads, or others measured with another pinning than the run's. They are read once in the
// life of the program.
void add_limit(Report& report, const Pinning& pinning)
{
    static const std::optional<measure::Limits> limits = measure::kept_limits();
    if (report.ranks > 1)  // they are a process' limits
        return;
    if (!limits || limits->pin != name(pinning))
        return;
    if (const auto limit = limit_of_run(*limits, demand_of(report))) {
        report.limit_seconds = limit->seconds;
        report.limit_binds = limit->binds;
        report.limit_doubt = limit_doubt(*limits, *report.share_of_limit());
    }
}

// The layout of files: input and output are apart there, even if the run is in place.
Layout layout_in_files(const Problem& problem, const Topology& topology)
{
    return {out_of_place(problem), topology};
}

// How long the blocks must be for `size` bytes of input: the least whole number of elements that holds them.
std::size_t block_size_for(std::size_t size, const Problem& smallest, const Topology& topology)
{
    const std::size_t element = smallest.bytes;
    const std::size_t blocks = layout_in_files(smallest, topology).input_bytes / element;
    const std::size_t bytes = (size + blocks - 1) / blocks;
    return (bytes + element - 1) / element * element;
}

// Barriers take none, nor do messages of 0 packets.
bool takes_input(const RunCommand& command)
{
    return layout_in_files(command.problem, command.topology).input_bytes > 0;
}

std::string limit_text(const RunCommand& command)
{
    if (command.block_size == BlockSize::open)
        return takes_input(command) ? "the available memory is" : "all nodes' input is";
    return fmt::format("all nodes' input with blocks of {} is", size_text(command.problem.bytes));
}

void tell_of_spreading(const RunCommand& command, std::size_t size, std::size_t padding)
{
    if (size == 0 || (command.block_size == BlockSize::given && padding == 0))
        return;
    if (command.block_size == BlockSize::given && padding > size) {
        note(fmt::format("warning: {} of input do not fill blocks of {}: {} zero bytes follow them; without "
                         "--bytes the blocks are chosen to fit",
                         grouped(size, "byte"), size_text(command.problem.bytes), grouped(padding)));
        return;
    }
    const std::string chosen = command.block_size == BlockSize::open
                                   ? fmt::format("blocks of {} chosen", size_text(command.problem.bytes))
                                   : "";
    const std::string padded =
        padding > 0 ? fmt::format("the end of the last padded with {}", grouped(padding, "zero byte")) : "";
    note(fmt::format("{} bytes of input: {}{}{}", grouped(size), chosen, chosen.empty() || padded.empty() ? "" : ", ",
                     padded));
}

World& world_of(const RunCommand& command)
{
    return command.machine.world ? *command.machine.world : process_world();
}

// All nodes' input from the file; settles the block size where it was left open.
FileBytes read_input(const std::string& path, RunCommand& command)
{
    World& world = world_of(command);
    const std::size_t limit = command.block_size == BlockSize::open && takes_input(command)
                                  ? available_memory() / 2
                                  : layout_in_files(command.problem, command.topology).input_bytes;
    FileBytes input(world, path, limit, limit_text(command));
    const std::size_t size = input.bytes().size();
    if (command.block_size == BlockSize::open && takes_input(command))
        command.problem.bytes = block_size_for(size, command.problem, command.topology);
    validate(command.problem, command.topology);
    together(world, [&] { input.extend(layout_in_files(command.problem, command.topology).input_bytes); });
    tell_of_spreading(command, size, input.bytes().size() - size);
    return input;
}

// A matrix file is dealt out as the layout says.
FileBytes read_matrix(const std::string& path, RunCommand& command)
{
    World& world = world_of(command);
    std::vector<std::byte> input;
    const FileBytes file(world, path, available_memory() / 4, "a quarter of the memory is");
    together(world, [&] {
        input = deal_out(file.bytes(), path, command.problem, command.type_given, command.topology);
        validate(command.problem, command.topology);
    });
    return FileBytes(std::move(input));
}

std::unique_ptr<NewFile> new_file(const std::optional<std::string>& path)
{
    return path ? std::make_unique<NewFile>(*path) : nullptr;
}

const Entry& algorithm_for(const RunCommand& command)
{
    if (command.own)
        return *command.own;
    return find_algorithm(command.topology, command.machine.ports, command.problem, command.algorithm);
}

void name_run(Report& report, const RunCommand& command)
{
    report.link = command.machine.link;
    report.algorithm = full_name(algorithm_for(command), command.machine.link);
    report.failing = command.run.failing;
}

// The run itself, with what watches it.
class Run {
public:
    Run(const RunCommand& command, std::span<const std::byte> input, const Interrupt& interrupt, Progress* progress)
        : command_(command), world_(world_of(command)), interrupt_(interrupt), progress_(progress), how_(command.how),
          run_(command.run)
    {
        make_files();
        how_.input = input;
        if (output_)
            how_.output = [this](std::span<const std::byte> bytes) { write_output(bytes); };
        else if (shared_output_)
            how_.output = [this](std::span<const std::byte> bytes) { write_own_output(bytes); };
        run_.stop = interrupt_.token();
        if (is_traced())
            run_.trace = [this](const Transmission& one) { lines_->write(one); };
    }

    Report operator()()
    {
        if (progress_)
            run_.on_step = [this](Step) { progress_->step(); };
        together(world_, [this] { begin(); });
        Machine machine(command_.topology, command_.machine);
        const Entry* chosen = nullptr;
        together(world_, [&] { chosen = &algorithm_for(command_); });
        Report report = run_verified(machine, *chosen, command_.problem, how_, run_);
        commit();
        if (command_.threads_given)
            report.threads_asked = command_.machine.threads;
        add_limit(report, command_.machine.pinning);
        return report;
    }

private:
    // A table is printed where no file is named.
    [[nodiscard]] bool is_traced() const { return command_.trace || command_.trace_format == TraceFormat::table; }

    // The first rank writes the trace; all ranks write the output.
    [[nodiscard]] bool traces() const { return world_.rank() == 0; }

    void make_files()
    {
        if (world_.ranks() == 1)
            output_ = new_file(command_.output);
        else if (command_.output)
            shared_output_ = std::make_unique<NewFileOfRanks>(world_, *command_.output);
        together(world_, [&] {
            if (traces())
                trace_ = new_file(command_.trace);
        });
    }

    void begin()
    {
        if (progress_)
            progress_->expect(expected_steps());
        if (is_traced() && traces())
            lines_.emplace(
                command_.trace_format, [this](std::string_view lines) { trace_ ? trace_->write(lines) : print(lines); },
                what_is_run());
    }

    [[nodiscard]] std::uint64_t expected_steps() const
    {
        return how_.repeat * algorithm_for(command_).cost(command_.topology, command_.problem).steps;
    }

    [[nodiscard]] Report what_is_run() const
    {
        Report report;
        report.problem = command_.problem;
        report.topology = command_.topology;
        report.ports = command_.machine.ports;
        name_run(report, command_);
        report.redundant = algorithm_for(command_).redundant;
        if (!command_.input)
            report.seed = how_.seed;
        return report;
    }

    void write_output(std::span<const std::byte> bytes)
    {
        if (is_matrix(command_.problem.collective))
            output_->write(collect(bytes, *command_.output, command_.problem, command_.topology));
        else
            output_->write(bytes);
    }

    // The output of all ranks in the file's order. A matrix comes together on rank 0 only.
    [[nodiscard]] std::vector<std::byte> in_file_order(std::span<const std::byte> bytes)
    {
        if (!is_matrix(command_.problem.collective))
            return {bytes.begin(), bytes.end()};
        std::vector<std::byte> all;
        for (const std::vector<std::byte>& part : world_.gather(bytes))
            all.insert(all.end(), part.begin(), part.end());
        return traces() ? collect(all, *command_.output, command_.problem, command_.topology) : all;
    }

    // Every rank's part, which is a stretch of the whole unless it is a matrix.
    void write_own_output(std::span<const std::byte> bytes)
    {
        const Problem& problem = command_.problem;
        const NodeRange nodes = nodes_of_rank(world_.rank(), world_.ranks(), command_.topology.nodes());
        const Layout whole = layout_in_files(problem, command_.topology);
        const Layout own = whole.of(nodes);
        const auto write_at = [this](std::size_t offset, std::span<const std::byte> part) {
            shared_output_->write_at(offset, part);
        };
        if (!shared_output_->anywhere())
            return shared_output_->write_in_order(in_file_order(bytes));
        if (!is_matrix(problem.collective)) {
            shared_output_->set_size(whole.output_bytes);
            write_at(own.first_output, bytes);
            return;
        }
        const std::string header = matrix_header(*command_.output, problem, command_.topology);
        if (traces())
            write_at(0, std::as_bytes(std::span(header)));
        scatter_elements(bytes, own, nodes, *command_.output, problem, command_.topology, write_at);
    }

    void commit()
    {
        together(world_, [&] {
            if (lines_)
                lines_->flush();
            interrupt_.check();
        });
        if (shared_output_)
            shared_output_->commit();
        together(world_, [&] {
            if (output_)
                output_->commit();
            if (trace_)
                trace_->commit();
        });
    }

    const RunCommand& command_;
    World& world_;
    const Interrupt& interrupt_;
    Progress* progress_;
    std::unique_ptr<NewFile> output_;  // of one rank
    std::unique_ptr<NewFileOfRanks> shared_output_;
    std::unique_ptr<NewFile> trace_;
    std::optional<TraceOutput> lines_;  // of the trace
    VerifiedRunOptions how_;
    RunOptions run_;
};

constexpr Spelling<TraceFormat> trace_formats[]{{TraceFormat::jsonl, "jsonl"}, {TraceFormat::table, "table"}};

}  // namespace

FileBytes read_data(RunCommand& command)
{
    if (!command.input)
        return {};
    return is_matrix(command.problem.collective) ? read_matrix(*command.input, command)
                                                 : read_input(*command.input, command);
}

Report run_once(const RunCommand& command, std::span<const std::byte> input, const Interrupt& interrupt,
                Progress* progress)
{
    return Run(command, input, interrupt, progress)();
}

void print_failure(const RunCommand& command, const Error& error)
{
    const bool unusable = dynamic_cast<const InvalidArgument*>(&error) != nullptr;
    if (command.format != Format::json || unusable || dynamic_cast<const Interrupted*>(&error) != nullptr)
        return;
    Report asked = blank_report(command.topology, command.machine.ports, command.problem);
    name_run(asked, command);
    asked.seed = command.how.seed;
    print(failure_record(asked, error));
}

DataOptions::DataOptions(CLI::App& app)
{
    constexpr NumberRange repeats{1, 1'000'000};
    add_file(app, {"--input", "FILE", "the nodes' data, node after node; - is stdin", "Data"}, input_);
    add_file(app, {"--output", "FILE", "write the nodes' final data to FILE", "Data"}, output_, "the report");
    add_file(app, {"--trace", "FILE", "write a JSON line per transmission to FILE", "Data"}, trace_, "the report");
    add_choice(app, {"--trace-format", "FORMAT", "jsonl; table for people, printed without --trace [jsonl]", "Data"},
               trace_formats, "a trace format", trace_format_);
    add_number(app,
               {"--repeat", "N",
                "number of runs, the first, cold one included; the median time is reported [1, and warm ones for 20 ms "
                "if it is short]",
                "Machine"},
               repeats, repeat_);
    add_colour(app, colour_);
}

void DataOptions::reject_contradictions(const ProblemOptions& problem, std::size_t runs, Format format) const
{
    for (const auto& [option, given] :
         {std::pair{"--output", output_.has_value()}, std::pair{"--trace", trace_.has_value()},
          std::pair{"--trace-format", trace_format_.has_value()}, std::pair{"--input -", input_ == "-"}})
        reject_if(runs > 1 && given,
                  fmt::format("{} is for one run: it cannot be combined with a sweep of {}", option, runs));
    reject_if(trace_format_ == TraceFormat::jsonl && !trace_, "--trace-format jsonl needs a file: --trace FILE");
    reject_if(trace_format_ == TraceFormat::table && !trace_ && format != Format::text,
              "--trace-format table is printed before a text report: with another --format it needs --trace FILE");
    reject_if(trace_format_ == TraceFormat::table && !trace_ && is_quiet(),
              "--trace-format table is printed: with --quiet it needs --trace FILE");
    reject_if((trace_ || trace_format_) && repeat_ > 1,
              fmt::format("--trace records one run; it cannot be combined with --repeat {}", repeat_.value_or(1)));
    reject_if(input_ && problem.has_seed() && !problem.has_random_list(),
              "--seed cannot be combined with --input: the data come from the file");
}

void DataOptions::put_into(RunCommand& command, const ProblemOptions& problem) const
{
    command.type_given = problem.has_type();
    command.how.seed = problem.seed();
    command.how.repeat = as_size(repeat_.value_or(1));
    command.how.warm_seconds = repeat_ ? 0 : usual_warm_seconds;
    command.input = input_;
    command.output = output_;
    command.trace = trace_;
    command.trace_format = trace_format_.value_or(TraceFormat::jsonl);
    command.colour = colour_;
}

}  // namespace dcube::cli
