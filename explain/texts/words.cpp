// What docs/glossary.md has too.

#include "explain/texts/texts.hpp"

#include <fmt/format.h>

namespace dcube::explain {

std::span<const WordText> word_texts()
{
    static const std::vector<WordText> words{
        {"node", "a virtual processor with a number and memory of its own; it sees nothing else"},
        {"port",
         "where a node meets one of its links; on a hypercube port k leads to the node whose number differs in bit k"},
        {"link", "two directed links between two ports, one in each direction"},
        {"channel", "the bounded queue that carries the packets of one directed link"},
        {"packet", "what one transmission moves"},
        {"block", "what one node has for another one, or for all, in one packet of the unit model; a message is "
                  "`--packets` blocks"},
        {"transmission", "one packet crossing one directed link once; a hop"},
        {"step", "a tick of the clock that all nodes share; what arrives in it can leave in the next"},
        {"stage", "a step of a link-bound algorithm: what the paper lets all links send side by side"},
        {"round", "on products: every copy of a factor runs its own exchange once"},
        {"program", "the coroutine that every node runs"},
        {"phase", "some steps that have a name: entries of the catalogue tell theirs, with a sentence each; in "
                  "programs of your own nodes say when they begin one"},
        {"schedule", "which packet crosses which link in which step; a plan is a schedule with places in memory"},
        {"machine", "network, port model, link model and threads"},
        {"port model", "`all` ports at once, or `one` packet sent and one received a step"},
        {"link model", "`unit`: every packet takes a step; `link-bound`: a packet of s bytes takes tau s + beta"},
        {"virtual time", "when the last byte has arrived, in ns, under the link-bound model"},
        {"collective", "what is to be achieved: broadcast, all-to-all, ..."},
        {"algorithm", "one path to it: an entry of the catalogue"},
        {"status", "the sum of a node's distances to all others"},
        {"lower bound", "a number of steps, transmissions or ns below which no algorithm can stay, with a reason"},
        {"optimal", "equal to a lower bound"},
        {"limit",
         "what this machine can do at most, measured by `dcube limits`: of the host, where a lower bound is of "
         "the collective"},
        {"barrier", "what the clock's threads do at the end of a step: none begins the next one before all have ended "
                    "this one"},
        {"rank",
         "one of the processes that a machine is spread over, with a range of the nodes; its peers are the ranks "
         "with which its nodes have links"},
        {"working set", "the memory that something reads and writes again and again"},
        {"path", "a sequence of links; never \"way\""}};
    return words;
}

std::span<const WordText> letter_texts()
{
    static const std::vector<WordText> letters{
        {"d, N", "dimension, number of nodes: 2^d, or the product of the n_i"},
        {"m", "packets a message (unit model); bytes a message (link-bound)"},
        {"M",
         "packets a port, ceil(m/d); M(n): the own packets that a node sends in the first n steps of an all-to-all"},
        {"T", "the steps, or the time, that a run takes"},
        {"tau, beta", "ns a byte, ns a packet"},
        {"h", "hops: how far apart two nodes are"},
        {"g; X; q", "groups of a pipelined algorithm; packets a link in the transpose; halvings in the all-reduce"},
        {"c; e; p", "d/2, the positions of a matrix's bits; bytes an element; bytes of a pair of nodes"},
        {"|x|", "number of 1 bits of x"},
        {"rho", "(N-1) mod d"},
        {"n_i, T_i, AS_i", "nodes, steps and average status of factor i"},
        {"S, AS", "status, average status"},
        {"K, K_n", "the sum of 1/C(n,k) over k: 1, 2, 5/2, 8/3, 8/3, 13/5"},
        {"nu", "the most packets that one step can move with one port"},
    };
    return letters;
}

std::span<const WordText> ambiguous_texts()
{
    static const std::vector<WordText> words{
        {"class", "Bertsekas et al.: all rotations of a node (R_kn); Stout & Wagar: all nodes at one distance (C_k); "
                  "on products: all packets of one offset"},
        {"A1, A2, A3",
         "Dimakopoulos & Dimopoulos' algorithms for total exchange, which dcube calls row-by-row, factor-by-factor and "
         "homogeneous; and ARBITRARY SEND 1 to 3, which it calls subcube, waves and subcubes"},
        {"message", "what one node has for another; Stout & Wagar cut it in packets, with Dimakopoulos & Dimopoulos it "
                    "is one packet"},
        {"optimal", "Bertsekas et al.: in steps and transmissions; Dimakopoulos & Dimopoulos: in steps; Stout & Wagar: "
                    "the leading term is least possible, except for BROADCAST 4 with one packet size and for "
                    "DISTRIBUTE 2 with large messages"},
    };
    return words;
}

std::span<const PapersWords> papers_words()
{
    static constexpr PapersWords table[] = {
        {"node", "processor", "", ""},
        {"port k", "link k+1", "link k", "link of a dimension", "port"},
        {"step", "time unit", "stage", ""},
        {"all ports", "multiple link availability, MLA", "link-bound", "multiport", "port model"},
        {"one port", "single link availability, SLA", "processor-bound, DMA-bound", "single-port", "port model"},
        {"packet", "", "part of a message", "message"},
        {"broadcast", "single node broadcast", "BROADCAST", ""},
        {"reduce", "single node accumulation", "", ""},
        {"scatter", "single node scatter", "DISTRIBUTE", ""},
        {"gather", "single node gather", "COLLECT", ""},
        {"all-gather", "multinode broadcast", "COMPLETE BROADCAST", "multinode broadcast"},
        {"reduce-scatter", "multinode accumulation", "HISTOGRAM", ""},
        {"all-to-all", "total exchange", "COMPLETE EXCHANGE", "total exchange, multiscatter"},
        {"send", "", "OPPOSITE CORNER SEND, O.C. SEND, ARBITRARY SEND", ""},
        {"permute", "", "PERMUTED SEND, INVERSION", ""},
        {"antipode", "", "opposite corner", ""},
        {"distance", "Hamming distance", "number of differing bits", ""},
        {"status", "sum of Hamming distances", "", "total distance"},
    };
    return table;
}

const std::vector<WordText>& paper_word_texts()
{
    static const std::vector<WordText> words = [] {
        std::vector<WordText> all;
        const auto add = [&](const PapersWords& row, std::string_view list, std::string_view whose) {
            for (const std::string_view word : words_in(list))
                all.push_back({std::string(word), fmt::format("{}'s name of what dcube calls {}", whose, row.word),
                               std::string(row.see.empty() ? row.word : row.see)});
        };
        for (const PapersWords& row : papers_words()) {
            add(row, row.bertsekas, "Bertsekas et al.");
            add(row, row.stout, "Stout & Wagar");
            add(row, row.dimakopoulos, "Dimakopoulos & Dimopoulos");
        }
        return all;
    }();
    return words;
}

std::vector<std::string_view> words_in(std::string_view list)
{
    std::vector<std::string_view> words;
    while (!list.empty()) {
        const std::size_t end = std::min(list.find_first_of(",;"), list.size());
        words.push_back(list.substr(0, end));
        list.remove_prefix(std::min(list.size(), end + 2));
    }
    return words;
}

}  // namespace dcube::explain
