#include "cli/ranks.hpp"

namespace dcube::cli {

const std::shared_ptr<World>& shared_world()
{
    static const std::shared_ptr<World> world = world_alone();
    return world;
}

World& process_world()
{
    return *shared_world();
}

bool speaks()
{
    return process_world().rank() == 0;
}

}  // namespace dcube::cli
