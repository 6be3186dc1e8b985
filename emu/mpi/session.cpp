#include "emu/mpi/session.hpp"

#include <dcube/error.hpp>
#include <dcube/mpi.hpp>

#include <pthread.h>

#include <array>
#include <csignal>
#include <cstddef>
#include <cstdlib>

namespace dcube {

namespace {

bool is_open = false;  // initialised by us, and not finalised

// Some launchers report success if a rank ends early with exit(0), and the others wait for ever.
void abort_if_open()
{
    if (is_open)
        detail::MpiSession::abort(1);
}

// The threads that MPI starts must not be those that get our signals: they would end the process.
void initialise()
{
    sigset_t all;
    sigset_t before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int provided = MPI_THREAD_SINGLE;
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided);
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    is_open = true;
    static const int registered = std::atexit(abort_if_open);
    static_cast<void>(registered);
    if (provided < MPI_THREAD_FUNNELED)
        throw InvalidArgument(mpi_version() + " allows no threads: one with MPI_THREAD_FUNNELED is needed");
}

}  // namespace

namespace detail {

std::shared_ptr<MpiSession> MpiSession::shared()
{
    static std::weak_ptr<MpiSession> current;
    std::shared_ptr<MpiSession> session = current.lock();
    if (!session) {
        session = std::make_shared<MpiSession>();
        current = session;
    }
    return session;
}

MpiSession::MpiSession()
{
    int initialised = 0;
    int finalised = 0;
    MPI_Initialized(&initialised);
    MPI_Finalized(&finalised);
    if (finalised != 0)
        throw InvalidArgument("MPI was finalised already: keep a world of MPI as long as the process needs one");
    if (initialised == 0) {
        initialise();
        is_mine_ = true;
    }
}

MpiSession::~MpiSession()
{
    if (!is_mine_)
        return;
    is_open = false;
    MPI_Finalize();
}

void MpiSession::abort(int code) noexcept
{
    is_open = false;  // MPI_Abort may call exit
    MPI_Abort(MPI_COMM_WORLD, code);
    std::_Exit(code);
}

}  // namespace detail

std::string mpi_version()
{
    std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> text{};
    int length = 0;
    MPI_Get_library_version(text.data(), &length);
    const std::string_view all(text.data(), static_cast<std::size_t>(length));
    return std::string(all.substr(0, all.find_first_of(",\n")));
}

}  // namespace dcube
