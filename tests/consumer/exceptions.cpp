// Exceptions between a program and the library: thrown there and caught here, thrown here inside a run and caught here
// again. Where both were not one type in the two, the wrong handler would catch them, or none. And a function that only
// a class declares, which the library could forget to export.

#include <dcube/dcube.hpp>

#include <cstdio>
#include <exception>
#include <functional>
#include <stdexcept>

namespace {

struct OwnError : dcube::InvalidArgument {
    using InvalidArgument::InvalidArgument;
};

dcube::Task receives_nothing(dcube::Node& me)
{
    std::byte into{};
    me.receive(0, std::span(&into, 1));
    co_await me.next_step();
}

dcube::Task throws_what_is_its_own(dcube::Node& me)
{
    co_await me.next_step();
    if (me.id() == 3)
        throw OwnError("node 3's");
}

template <typename Expected>
bool is_thrown(const char* what, const std::function<void()>& action)
{
    try {
        action();
    } catch (const Expected&) {
        return true;
    } catch (const std::exception& error) {
        std::printf("%s: %s\n", what, error.what());
        return false;
    }
    std::printf("%s: nothing was thrown\n", what);
    return false;
}

// A program's own exception comes as a ProgramError in which it is nested.
void run_and_unpack(dcube::Machine& machine)
{
    try {
        machine.run(throws_what_is_its_own);
    } catch (const dcube::ProgramError& error) {
        std::rethrow_if_nested(error);
    }
}

}  // namespace

int main()
{
    dcube::Machine machine(dcube::Topology::hypercube(3));
    bool good = is_thrown<dcube::InvalidArgument>("a wrong name", [] { (void)dcube::Topology::parse("nonsense"); });
    good &= is_thrown<dcube::Error>("its base", [] { (void)dcube::Topology::parse("nonsense"); });
    good &= is_thrown<std::runtime_error>("the base of all", [] { (void)dcube::Topology::parse("nonsense"); });
    good &= is_thrown<dcube::RuleViolation>("a broken rule", [&] { machine.run(receives_nothing); });
    good &= is_thrown<OwnError>("an exception of one's own", [&] { run_and_unpack(machine); });
    good &= machine.topology() == dcube::Topology::parse("hypercube:3");
    return good ? 0 : 1;
}
