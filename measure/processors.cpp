#include "measure/processors.hpp"

#include "measure/host_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <fstream>
#include <map>

namespace dcube::measure {

namespace {

// Those online; where the kernel does not list them, those that cpuinfo has.
std::vector<unsigned> online_processors(const std::string& root)
{
    if (const auto list = line_of(root + "sys/devices/system/cpu/online"))
        return number_list(*list);
    std::vector<unsigned> numbers;
    std::ifstream file(root + "proc/cpuinfo");
    for (std::string line; std::getline(file, line);)
        if (line.starts_with("processor"))
            numbers.push_back(static_cast<unsigned>(numbers.size()));
    return numbers;
}

std::string lower_case(std::string text)
{
    std::ranges::transform(text, text.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return text;
}

}  // namespace

std::string processor_folder(const std::string& root, unsigned number)
{
    return fmt::format("{}sys/devices/system/cpu/cpu{}/", root, number);
}

std::string cpu_name(const std::string& root)
{
    const std::string path = root + "proc/cpuinfo";
    for (const char* const key : {"model name", "Model", "cpu model", "cpu", "uarch"})
        if (const auto name = value_in(path, key))
            return *name;
    const auto implementer = value_in(path, "CPU implementer");
    const auto part = value_in(path, "CPU part");
    return implementer && part ? fmt::format("implementer {}, part {}", *implementer, *part) : "";
}

std::vector<unsigned> online_nodes(const std::string& root)
{
    return number_list(line_of(root + "sys/devices/system/node/online").value_or(""));
}

std::vector<Processor> placed_processors(const std::string& root)
{
    std::vector<Processor> all;
    std::map<std::string, unsigned> sockets;
    for (const unsigned number : online_processors(root)) {
        const std::string topology = processor_folder(root, number) + "topology/";
        const auto core = number_list(line_of(topology + "thread_siblings_list").value_or(""));
        const auto socket = line_of(topology + "physical_package_id").value_or("0");
        const unsigned next = static_cast<unsigned>(sockets.size());
        all.push_back(
            {number, core.empty() ? number : core.front(), sockets.try_emplace(socket, next).first->second, 0});
    }
    for (const unsigned node : online_nodes(root)) {
        const auto list = line_of(fmt::format("{}sys/devices/system/node/node{}/cpulist", root, node));
        for (const unsigned number : number_list(list.value_or("")))
            for (Processor& processor : all)
                if (processor.number == number)
                    processor.numa_node = node;
    }
    return all;
}

std::vector<Cache> caches_of(const std::string& root, unsigned number)
{
    std::vector<Cache> all;
    for (unsigned index = 0;; ++index) {
        const std::string folder = fmt::format("{}cache/index{}/", processor_folder(root, number), index);
        const auto level = number_of(folder + "level");
        const auto bytes = bytes_in(line_of(folder + "size").value_or(""));
        if (!level || !bytes)
            return all;
        const auto sharing = number_list(line_of(folder + "shared_cpu_list").value_or(""));
        all.push_back({static_cast<unsigned>(*level), lower_case(line_of(folder + "type").value_or("unified")), *bytes,
                       static_cast<unsigned>(std::max<std::size_t>(1, sharing.size()))});
    }
}

}  // namespace dcube::measure
