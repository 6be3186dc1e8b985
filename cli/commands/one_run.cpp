#include "cli/commands/one_run.hpp"

#include "cli/commands/machine_limit.hpp"
#include "cli/files/files.hpp"
#include "cli/files/matrix_files.hpp"
#include "cli/files/trace_table.hpp"
#include "cli/files/trace_writer.hpp"
#include "cli/output.hpp"
#include "cli/text/numbers.hpp"

#include <dcube/error.hpp>
#include <dcube/layout.hpp>
#include <dcube/run.hpp>

#include <fmt/format.h>

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace dcube::cli {

namespace {

// How long the blocks must be for `size` bytes of input: the least whole number of elements that holds them.
std::size_t block_size_for(std::size_t size, const Problem& smallest, const Topology& topology)
{
    const std::size_t element = smallest.bytes;
    const std::size_t blocks = Layout(smallest, topology).input_bytes / element;
    const std::size_t bytes = (size + blocks - 1) / blocks;
    return (bytes + element - 1) / element * element;
}

std::string limit_text(const RunCommand& command)
{
    if (command.block_size == BlockSize::open)
        return "the memory that can be had is";
    return fmt::format("all nodes' input with blocks of {} is", size_text(command.problem.bytes));
}

void tell_of_spreading(const RunCommand& command, std::size_t size, std::size_t padding)
{
    if (command.block_size == BlockSize::given && padding == 0)
        return;
    const std::string chosen = command.block_size == BlockSize::open
                                   ? fmt::format("blocks of {} chosen", size_text(command.problem.bytes))
                                   : "";
    const std::string padded = padding > 0 ? fmt::format("the end of the last padded with {} zero byte{}",
                                                         grouped(padding), padding == 1 ? "" : "s")
                                           : "";
    complain(fmt::format("{} bytes of input: {}{}{}", grouped(size), chosen,
                         chosen.empty() || padded.empty() ? "" : ", ", padded));
}

// All nodes' input from the file; settles the block size where it was left open.
std::vector<std::byte> read_input(const std::string& path, RunCommand& command)
{
    const std::size_t limit = command.block_size == BlockSize::open
                                  ? available_memory() / 2
                                  : Layout(command.problem, command.topology).input_bytes;
    std::vector<std::byte> input = read_file(path, limit, limit_text(command));
    const std::size_t size = input.size();
    if (command.block_size == BlockSize::open)
        command.problem.bytes = block_size_for(size, command.problem, command.topology);
    validate(command.problem, command.topology);
    input.resize(Layout(command.problem, command.topology).input_bytes);
    tell_of_spreading(command, size, input.size() - size);
    return input;
}

// A matrix file is dealt out as the layout says.
std::vector<std::byte> read_matrix(const std::string& path, RunCommand& command)
{
    const std::vector<std::byte> file = read_file(path, available_memory() / 4, "a quarter of the memory is");
    std::vector<std::byte> input = deal_out(file, path, command.problem, command.type_given, command.topology);
    validate(command.problem, command.topology);
    return input;
}

std::unique_ptr<NewFile> new_file(const std::optional<std::string>& path)
{
    return path ? std::make_unique<NewFile>(*path) : nullptr;
}

// The run itself, with what watches it.
class Run {
public:
    Run(const RunCommand& command, std::span<const std::byte> input, const Interrupt& interrupt, Progress* progress)
        : command_(command), interrupt_(interrupt), progress_(progress), output_(new_file(command.output)),
          trace_(new_file(command.trace))
    {
        how_.seed = command.seed;
        how_.repeat = command.repeat;
        how_.input = input;
        if (output_)
            how_.output = [this](std::span<const std::byte> bytes) { write_output(bytes); };
        run_.stop = interrupt_.token();
        run_.failing = command.failing;
        if (command.trace_format == TraceFormat::table)
            run_.trace = [this](const Transmission& one) { table_->write(one); };
        else if (trace_)
            run_.trace = [this](const Transmission& one) { writer_->write(one); };
    }

    Report operator()()
    {
        if (progress_) {
            run_.on_step = [this](Step) { progress_->step(); };
            progress_->expect(expected_steps());
        }
        if (command_.trace_format == TraceFormat::table)
            table_.emplace([this](std::string_view lines) { trace_ ? trace_->write(lines) : print(lines); },
                           what_is_run());
        else if (trace_)
            writer_.emplace(*trace_, what_is_run());
        Machine machine(command_.topology, command_.machine);
        Report report = run_verified(machine, algorithm(), command_.problem, how_, run_);
        commit();
        add_limit(report, command_.machine.pinning);
        return report;
    }

private:
    [[nodiscard]] const Algorithm& algorithm() const
    {
        if (command_.own)
            return *command_.own;
        return find_algorithm(command_.topology, command_.machine.ports, command_.problem, command_.algorithm);
    }

    [[nodiscard]] std::uint64_t expected_steps() const
    {
        return command_.repeat * algorithm().cost(command_.topology, command_.problem).steps;
    }

    [[nodiscard]] Report what_is_run() const
    {
        Report report;
        report.problem = command_.problem;
        report.topology = command_.topology;
        report.ports = command_.machine.ports;
        report.link = command_.machine.link;
        report.algorithm = algorithm().name;
        report.redundant = algorithm().redundant;
        report.failing = command_.failing;
        if (!command_.input)
            report.seed = command_.seed;
        return report;
    }

    void write_output(std::span<const std::byte> bytes)
    {
        if (is_matrix(command_.problem.collective))
            output_->write(collect(bytes, *command_.output, command_.problem, command_.topology));
        else
            output_->write(bytes);
    }

    void commit()
    {
        if (writer_)
            writer_->flush();
        if (table_)
            table_->flush();
        interrupt_.check();
        if (output_)
            output_->commit();
        if (trace_)
            trace_->commit();
    }

    const RunCommand& command_;
    const Interrupt& interrupt_;
    Progress* progress_;
    std::unique_ptr<NewFile> output_;
    std::unique_ptr<NewFile> trace_;
    std::optional<TraceWriter> writer_;
    std::optional<TraceTable> table_;
    VerifiedRunOptions how_;
    RunOptions run_;
};

}  // namespace

std::vector<std::byte> read_data(RunCommand& command)
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

}  // namespace dcube::cli
