// Mistakes that the compiler reports: -D MISTAKE=1 and so on make one each; 0 makes none.

#include "emu/script.hpp"

#include <dcube/machine.hpp>

using namespace dcube;

Task sub_task(Node& me)
{
    co_await me.next_step();
}

TaskOf<int> number(Node& me)
{
    co_await me.next_step();
    co_return 1;
}

Task program(Node& me, const Script& script, const Regions& regions)
{
    static_cast<void>(script);
    static_cast<void>(regions);
    co_await me.next_step();
#if MISTAKE == 1
    me.next_step();
#elif MISTAKE == 2
    me.until(3);
#elif MISTAKE == 3
    me.arrival(0);
#elif MISTAKE == 4
    me.room(0);
#elif MISTAKE == 5
    follow(me, script, regions);
#elif MISTAKE == 6
    sub_task(me);
#elif MISTAKE == 7
    number(me);
#elif MISTAKE == 8
    me.exchange(0, std::span<const std::byte>(), std::span<std::byte>());
#elif MISTAKE == 9
    me.any_arrival();
#elif MISTAKE == 10
    me.send(1, me.receive(0));
#elif MISTAKE == 11
    me.send(1, me.receive_joined(0));
#endif
}
