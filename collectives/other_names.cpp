#include "collectives/other_names.hpp"

#include <algorithm>
#include <utility>

namespace dcube {

namespace {

struct LibraryCall {
    Collective collective;
    std::string_view name;
};

// The calls of other libraries; each collective's MPI call first. MPI's vector forms are the same collectives, with
// counts; of MPI_Reduce_scatter_block they are all equal.
constexpr LibraryCall calls[]{
    {Collective::broadcast, "MPI_Bcast"},
    {Collective::broadcast, "ncclBroadcast"},
    {Collective::broadcast, "ncclBcast"},
    {Collective::reduce, "MPI_Reduce"},
    {Collective::reduce, "ncclReduce"},
    {Collective::scatter, "MPI_Scatter"},
    {Collective::scatter, "MPI_Scatterv"},
    {Collective::scatter, "ncclScatter"},
    {Collective::gather, "MPI_Gather"},
    {Collective::gather, "MPI_Gatherv"},
    {Collective::gather, "ncclGather"},
    {Collective::all_gather, "MPI_Allgather"},
    {Collective::all_gather, "MPI_Allgatherv"},
    {Collective::all_gather, "ncclAllGather"},
    {Collective::reduce_scatter, "MPI_Reduce_scatter"},
    {Collective::reduce_scatter, "MPI_Reduce_scatter_block"},
    {Collective::reduce_scatter, "ncclReduceScatter"},
    {Collective::all_reduce, "MPI_Allreduce"},
    {Collective::all_reduce, "ncclAllReduce"},
    {Collective::scan, "MPI_Scan"},
    {Collective::exscan, "MPI_Exscan"},
    {Collective::all_to_all, "MPI_Alltoall"},
    {Collective::all_to_all, "MPI_Alltoallv"},
    {Collective::all_to_all, "ncclAlltoAll"},
    {Collective::send, "MPI_Send"},
    {Collective::send, "ncclSend"},
    {Collective::exchange, "MPI_Sendrecv"},
    {Collective::barrier, "MPI_Barrier"},
};

struct TextbookName {
    Collective collective;
    std::string_view name;
};

// The names in Grama, Gupta, Karypis, Kumar, Introduction to Parallel Computing (2003), chapter 4, and in Johnsson & Ho
// 1989.
constexpr TextbookName textbook_names[]{
    {Collective::broadcast, "one-to-all-broadcast"},
    {Collective::reduce, "all-to-one-reduction"},
    {Collective::scatter, "one-to-all-personalized"},
    {Collective::scatter, "one-to-all-personalized-communication"},
    {Collective::gather, "all-to-one-personalized"},
    {Collective::gather, "all-to-one-personalized-communication"},
    {Collective::all_gather, "all-to-all-broadcast"},
    {Collective::reduce_scatter, "all-to-all-reduction"},
    {Collective::all_to_all, "all-to-all-personalized"},
    {Collective::all_to_all, "all-to-all-personalized-communication"},
};

// Names of two collectives, which say only who sends to whom.
constexpr std::pair<std::string_view, std::string_view> names_of_two[]{
    {"one-to-all", "broadcast (one-to-all-broadcast) or scatter (one-to-all-personalized)"},
    {"all-to-one", "reduce (all-to-one-reduction) or gather (all-to-one-personalized)"},
};

char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

// "all-reduce", "All_Reduce" and "allreduce" are "allreduce".
std::string squeezed(std::string_view text)
{
    std::string letters;
    for (const char c : text)
        if (c != '-' && c != '_' && c != ' ')
            letters += lower(c);
    return letters;
}

std::string_view without_library(std::string_view call)
{
    for (const std::string_view library : {"MPI_", "nccl"})
        if (call.starts_with(library))
            return call.substr(library.size());
    return call;
}

}  // namespace

std::vector<std::string_view> library_calls(Collective collective)
{
    std::vector<std::string_view> names;
    for (const LibraryCall& call : calls)
        if (call.collective == collective)
            names.push_back(call.name);
    return names;
}

std::string short_name_of(std::string_view call)
{
    std::string name(without_library(call));
    std::ranges::transform(name, name.begin(), lower);
    return name;
}

std::vector<std::string> other_names(Collective collective)
{
    std::vector<std::string> names;
    const auto add = [&](std::string one) {
        if (!one.empty() && one != name(collective) && std::ranges::find(names, one) == names.end())
            names.push_back(std::move(one));
    };
    for (const std::string_view alias : traits(collective).aliases)
        add(std::string(alias));
    for (const std::string_view call : library_calls(collective))
        add(short_name_of(call));
    for (const std::string_view call : library_calls(collective))
        add(std::string(call));
    for (const TextbookName& one : textbook_names)
        if (one.collective == collective)
            add(std::string(one.name));
    return names;
}

std::string_view either_of(std::string_view text)
{
    for (const auto& [name, either] : names_of_two)
        if (squeezed(name) == squeezed(text))
            return either;
    return {};
}

bool is_name_of(Collective collective, std::string_view text)
{
    const std::string letters = squeezed(text);
    const auto is_called = [&](std::string_view one) { return squeezed(one) == letters; };
    return is_called(name(collective)) || std::ranges::any_of(other_names(collective), is_called);
}

}  // namespace dcube
