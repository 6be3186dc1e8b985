// Algorithms written in Python: a program of three arguments, program(me, mine, out), run on a node's data.

#include "python/src/bind.hpp"
#include "python/src/programs.hpp"

#include "base/names.hpp"
#include "collectives/problem_fields.hpp"
#include "run/report.hpp"

#include <dcube/collective.hpp>
#include <dcube/error.hpp>
#include <dcube/layout.hpp>

#include <fmt/format.h>
#include <pybind11/numpy.h>

#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace dcube::python {

namespace {

// _core.Algorithm, which is the base of the class in dcube/own_algorithms.py: that has the program. An Algorithm's
// texts are views; these are what they point to.
struct AlgorithmObject {
    Collective collective;
    std::string name;
    std::string summary;
    PortModel ports;
    Networks networks;
};

constexpr Networks all_networks[] = {Networks::hypercubes,    Networks::products,           Networks::no_hypercubes,
                                     Networks::equal_factors, Networks::rings_and_complete, Networks::groups,
                                     Networks::fabrics};

Networks parse_networks(const std::string& text)
{
    std::string known;
    for (const Networks networks : all_networks) {
        if (name(networks) == text)
            return networks;
        known += fmt::format("{}'{}'", known.empty() ? "" : ", ", name(networks));
    }
    throw InvalidArgument("networks", dcube::quoted(text), fmt::format("is not known: expected one of {}", known));
}

std::unique_ptr<AlgorithmObject> make_algorithm(const std::string& collective, const std::string& name,
                                                const std::string& summary, const std::string& ports,
                                                const std::string& networks)
{
    if (name.empty())
        throw InvalidArgument("name", "an algorithm has a name, which is not empty");
    return std::make_unique<AlgorithmObject>(
        AlgorithmObject{parse_collective(collective), name, summary, parse_ports(ports), parse_networks(networks)});
}

// The shape of a node's data, for arrays. They are Python's own, so that a program may keep them.
struct Shape {
    Shape(const Problem& problem, const Holding& holding, const Layout& layout, const Topology& topology)
        : element(is_reduction(problem.collective) || is_matrix(problem.collective) ? size_of(problem.type) : 1),
          type(element_type(problem)), message(static_cast<py::ssize_t>(layout.message / element)),
          nodes(holding.share == Share::message_per_node ? topology.nodes() : 0)
    {
    }

    [[nodiscard]] bool has_slots() const { return nodes != 0; }

    [[nodiscard]] py::array make() const
    {
        const py::tuple sides = nodes != 0 ? py::make_tuple(nodes, message) : py::make_tuple(message);
        // Zeros, so that a program that leaves something out does the same every time.
        return py::module_::import("numpy").attr("zeros")(sides, type);
    }

private:
    static std::string element_type(const Problem& problem)
    {
        if (!is_reduction(problem.collective) && !is_matrix(problem.collective))
            return "uint8";
        return std::string(element_types[static_cast<std::size_t>(problem.type)]);
    }

    std::size_t element;
    std::string type;
    py::ssize_t message;
    py::ssize_t nodes;
};

// All nodes' arrays in one run. Made and destroyed with the GIL held; the coroutines have references only.
class NodeArrays {
public:
    explicit NodeArrays(Programs& programs, NodeId nodes) : programs_(programs), nodes_(nodes) {}

    [[nodiscard]] Programs& programs() { return programs_; }
    [[nodiscard]] std::size_t nodes() const { return nodes_.size(); }

    // Called in the node's first step.
    void begin(Node& me, NodeData data, const Shape& input, const Shape& output)
    {
        programs_.in_python(me, [&] {
            Own& own = nodes_[me.id()];
            own = {};
            if (!data.input.empty()) {
                own.mine = input.make();
                me.copy(bytes_of(own.mine), data.input);
                own.mine.attr("flags").attr("writeable") = false;
            }
            if (!data.output.empty())
                own.out = output.make();
            programs_.begin(me, py::make_tuple(or_none(own.mine), or_none(own.out)));
        });
    }

    // The slots of missing nodes stay as they are.
    void end(Node& me, NodeData data, const Shape& output)
    {
        if (data.output.empty())
            return;
        programs_.in_python(me, [&] {
            const std::span<const std::byte> out = bytes_of(nodes_[me.id()].out);
            if (!output.has_slots() || me.topology().members() == me.topology().nodes())
                return me.copy(data.output, out);
            const std::size_t message = out.size() / me.topology().nodes();
            for (NodeId slot = 0; slot < me.topology().nodes(); ++slot)
                if (me.topology().is_member(slot))
                    me.copy(data.output.subspan(slot * message, message), out.subspan(slot * message, message));
        });
    }

private:
    struct Own {
        py::object mine{};
        py::object out{};
    };

    static std::span<std::byte> bytes_of(const py::object& array)
    {
        auto of = py::reinterpret_borrow<py::array>(array);
        return {static_cast<std::byte*>(of.mutable_data()), static_cast<std::size_t>(of.nbytes())};
    }

    static py::object or_none(const py::object& array) { return array ? array : py::none(); }

    Programs& programs_;
    std::vector<Own> nodes_;  // until the end of the run: labels of traces stick to addresses
};

// The state that all nodes' coroutines share.
struct Prepared {
    Shape input;
    Shape output;
};

Task run_node(Node& me, NodeData data, NodeArrays& arrays, std::shared_ptr<const Prepared> prepared)
{
    arrays.begin(me, data, prepared->input, prepared->output);
    Task program = drive(me, arrays.programs());
    co_await program;
    arrays.end(me, data, prepared->output);
}

CollectiveProgram prepare(const Topology& topology, const Problem& problem, NodeArrays& arrays)
{
    // The state of programs is told apart by their nodes' numbers, which groups have in common.
    if (topology.nodes() != arrays.nodes())
        throw InvalidArgument("within", "", "is for dcube's algorithms only, not for programs of one's own");
    arrays.programs().set_problem(problem);
    const Layout layout(problem, topology);
    const CollectiveTraits& of = traits(problem.collective);
    const auto prepared = std::make_shared<const Prepared>(
        Prepared{{problem, of.before, layout, topology}, {problem, of.after, layout, topology}});
    return [prepared, &arrays](Node& me, NodeData data) { return run_node(me, data, arrays, prepared); };
}

Algorithm algorithm_of(const AlgorithmObject& own, const LinkModel& link)
{
    Algorithm algorithm{.collective = own.collective, .name = own.name};
    algorithm.ports = own.ports;
    algorithm.half_duplex = true;  // the machine looks
    algorithm.link = link.kind;
    algorithm.networks = own.networks;
    return algorithm;
}

// Fields of the question that have unusual values and that no node has read. A program that is right for the usual
// values may be wrong for these.
std::string unread(const Problem& problem, const Programs& programs)
{
    struct Unusual {
        std::string_view key;
        bool is;
    };
    const Unusual all[] = {{"root", problem.root != 0},
                           {"peer", has_peer(problem.collective)},
                           {"operation", problem.operation != Operation::sum},
                           {"permutation", has_permutation(problem.collective)}};
    std::string found;
    for (const auto& [key, is] : all)
        if (const ProblemField& field = problem_field(key); is && field.applies(problem) && programs.is_unread(key))
            found += fmt::format("{}me.{}, which is {}", found.empty() ? "" : ", and ", key,
                                 shortened(to_string(field.get(problem))));
    return found;
}

}  // namespace

bool is_algorithm(py::handle what)
{
    return py::isinstance<AlgorithmObject>(what);
}

Collective collective_of(py::handle algorithm)
{
    return algorithm.cast<const AlgorithmObject&>().collective;
}

void with_algorithm(py::handle algorithm, const Machine& machine, std::uint64_t seed,
                    const std::function<void(const Entry&, RunOptions&)>& work)
{
    const Topology& topology = network_for(algorithm.cast<const AlgorithmObject&>().networks, machine.topology());
    Programs programs(algorithm.attr("program"), topology, py::cast(topology), seed, gil_for(machine));
    NodeArrays arrays(programs, topology.nodes());
    Algorithm own = algorithm_of(algorithm.cast<const AlgorithmObject&>(), machine.link());
    own.prepare = [&arrays](const Topology& network, const Problem& problem) {
        return prepare(network, problem, arrays);
    };
    const Entry entry = own_entry(for_recognised(std::move(own)));
    try {
        programs.run([&](RunOptions& options) { work(entry, options); });
    } catch (const VerificationError& error) {
        const Problem* const problem = programs.problem();
        const std::string hint = problem ? unread(*problem, programs) : "";
        if (hint.empty())
            throw;
        throw VerificationError(fmt::format("{}; the program has not read {}", error.what(), hint));
    }
}

void bind_algorithms(py::module_& module)
{
    py::class_<AlgorithmObject>(module, "Algorithm")
        .def(py::init(&make_algorithm), py::arg("collective"), py::arg("name"), py::arg("summary"), py::arg("ports"),
             py::arg("networks"))
        .def_property_readonly("collective", [](const AlgorithmObject& of) { return name(of.collective); })
        .def_property_readonly("name", [](const AlgorithmObject& of) { return of.name; })
        .def_property_readonly("summary", [](const AlgorithmObject& of) { return of.summary; })
        .def_property_readonly("ports", [](const AlgorithmObject& of) { return name(of.ports); })
        .def_property_readonly("networks", [](const AlgorithmObject& of) { return name(of.networks); });
}

}  // namespace dcube::python
