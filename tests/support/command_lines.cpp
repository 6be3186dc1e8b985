#include "tests/support/command_lines.hpp"

#include "tests/support/catch.hpp"

#include <dcube/program.hpp>

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <iomanip>
#include <iostream>
#include <iterator>
#include <optional>
#include <sstream>
#include <utility>

namespace dcube::test {

namespace {

void flush_all()
{
    std::cout.flush();
    std::fflush(nullptr);
}

// While it lives, one of the standard streams leads elsewhere.
class Redirected {
public:
    Redirected(int stream, int to) : stream_(stream), kept_(dup(stream)) { dup2(to, stream); }
    ~Redirected()
    {
        dup2(kept_, stream_);
        close(kept_);
    }
    Redirected(const Redirected&) = delete;
    Redirected& operator=(const Redirected&) = delete;

private:
    int stream_;
    int kept_;
};

// A file in memory, which is read back.
class Captured {
public:
    Captured() : file_(memfd_create("captured", MFD_CLOEXEC)) {}
    ~Captured() { close(file_); }
    Captured(const Captured&) = delete;
    Captured& operator=(const Captured&) = delete;

    [[nodiscard]] int file() const { return file_; }
    [[nodiscard]] std::string text() const
    {
        std::string text(static_cast<std::size_t>(lseek(file_, 0, SEEK_END)), '\0');
        text.resize(static_cast<std::size_t>(std::max<ssize_t>(0, pread(file_, text.data(), text.size(), 0))));
        return text;
    }

private:
    int file_;
};

// While it lives, the environment is as processes have it that process.hpp starts.
class UsualEnvironment {
public:
    UsualEnvironment()
    {
        for (const auto& [name, value] : variables) {
            const char* const before = std::getenv(name);
            before_.emplace_back(before == nullptr ? std::nullopt : std::optional<std::string>(before));
            set(name, value);
        }
    }
    ~UsualEnvironment()
    {
        for (std::size_t i = 0; i < before_.size(); ++i)
            set(variables[i].first, before_[i] ? before_[i]->c_str() : nullptr);
    }
    UsualEnvironment(const UsualEnvironment&) = delete;
    UsualEnvironment& operator=(const UsualEnvironment&) = delete;

private:
    static constexpr std::array<std::pair<const char*, const char*>, 6> variables{{{"NO_COLOR", nullptr},
                                                                                   {"CLICOLOR", nullptr},
                                                                                   {"CLICOLOR_FORCE", nullptr},
                                                                                   {"COLUMNS", nullptr},
                                                                                   {"TERM", nullptr},
                                                                                   {"XDG_CACHE_HOME", "/dev/null"}}};

    static void set(const char* name, const char* value)
    {
        if (value == nullptr)
            unsetenv(name);
        else
            setenv(name, value, 1);
    }

    std::vector<std::optional<std::string>> before_;
};

// "--dim" of "  --dim D   ..." and "  -q,--quiet   ..."; the name alone is a flag's.
std::optional<HelpedOption> option_in(const std::string& line)
{
    const std::size_t name = line.find("--");
    if (!line.starts_with("  -") || name == std::string::npos)
        return std::nullopt;
    const std::size_t end = std::min(line.find_first_of(" ,", name), line.size());
    const std::size_t space = std::min(line.find(' ', name), line.size());
    const bool takes_value = space + 1 < line.size() && line[space + 1] != ' ';
    return HelpedOption{line.substr(name, end - name), takes_value};
}

}  // namespace

Outcome executed(const std::string& line)
{
    std::vector<std::string> words{"dcube"};
    std::istringstream stream(line);
    for (std::string word; stream >> std::quoted(word);)
        words.push_back(word == "''" ? "" : word);
    const UsualEnvironment environment;
    const Captured out;
    const Captured err;
    const int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
    Outcome outcome;
    flush_all();
    {
        const Redirected in(STDIN_FILENO, nothing);
        const Redirected printed(STDOUT_FILENO, out.file());
        const Redirected complained(STDERR_FILENO, err.file());
        std::cin.clear();  // an earlier line may have come to its end
        outcome.exit_code = run_program(std::move(words));
        flush_all();
    }
    close(nothing);
    outcome.out = out.text();
    outcome.err = err.text();
    return outcome;
}

const std::vector<std::string>& commands_of_dcube()
{
    static const std::vector<std::string> all = [] {
        std::vector<std::string> commands;
        bool listed = false;
        for (const std::string& line : lines_of(executed("--help").out)) {
            if (line.empty() || line.front() != ' ')
                listed = line == "To begin:" || line == "Other commands:";
            else if (listed && line.size() > 2 && line[2] != ' ')
                commands.push_back(line.substr(2, line.find(' ', 2) - 2));
        }
        return commands;
    }();
    return all;
}

std::vector<HelpedOption> options_of(const std::string& command)
{
    std::vector<HelpedOption> all;
    for (const std::string& line : lines_of(executed(command + " --help").out)) {
        if (const std::optional<HelpedOption> option = option_in(line))
            all.push_back(*option);
        if (!all.empty() && (line.find("may be repeated") != line.npos || line.find("repeatable") != line.npos))
            all.back().repeatable = true;
    }
    std::erase_if(all, [](const HelpedOption& one) { return one.name == "--help"; });
    return all;
}

nlohmann::ordered_json json_of(const std::string& line)
{
    const Outcome outcome = executed(line + " --format json");
    CAPTURE(line, outcome.err);
    REQUIRE(outcome.exit_code == 0);
    return nlohmann::ordered_json::parse(outcome.out);
}

std::vector<std::string> keys_of(const nlohmann::ordered_json& record)
{
    std::vector<std::string> keys;
    for (const auto& [key, value] : record.items())
        keys.push_back(key);
    return keys;
}

void check_refused(const std::string& line, const std::string& complaint)
{
    CAPTURE(line);
    const Outcome outcome = executed(line);
    CHECK(outcome.exit_code == 2);
    CHECK(outcome.out.empty());
    CHECK(std::ranges::count(outcome.err, '\n') == 1);
    CHECK(outcome.err.starts_with("dcube: "));
    CHECK_THAT(outcome.err, Catch::Contains(complaint));
}

}  // namespace dcube::test
