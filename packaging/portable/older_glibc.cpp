// Two functions that g++'s static libraries take from glibc 2.35 and 2.36, for modules that shall be loaded with
// glibc 2.34. Hidden, so that they take the place of glibc's here and nowhere else.

#include <dlfcn.h>
#include <link.h>
#include <sys/random.h>

#include <cstdint>
#include <cstdlib>

namespace {

// The object in memory with the code at an address, and where its table for unwinding is.
struct Sought {
    std::uintptr_t address;
    std::uintptr_t table = 0;
};

std::uintptr_t start_of(const dl_phdr_info& object, const ElfW(Phdr) & segment)
{
    return object.dlpi_addr + segment.p_vaddr;
}

int look(dl_phdr_info* object, std::size_t, void* data)
{
    auto& sought = *static_cast<Sought*>(data);
    bool has_address = false;
    std::uintptr_t table = 0;
    for (int i = 0; i < object->dlpi_phnum; ++i) {
        const ElfW(Phdr)& segment = object->dlpi_phdr[i];
        const std::uintptr_t start = start_of(*object, segment);
        if (segment.p_type == PT_LOAD)
            has_address |= sought.address >= start && sought.address - start < segment.p_memsz;
        else if (segment.p_type == PT_GNU_EH_FRAME)
            table = start;
    }
    if (has_address)
        sought.table = table;
    return has_address ? 1 : 0;
}

}  // namespace

// For libgcc's unwinder, which reads nothing but the table from the result.
extern "C" [[gnu::visibility("hidden")]] int _dl_find_object(void* address, dl_find_object* result) noexcept
{
    Sought sought{.address = reinterpret_cast<std::uintptr_t>(address)};
    dl_iterate_phdr(look, &sought);
    if (sought.table == 0)
        return -1;
    *result = {};
    result->dlfo_eh_frame = reinterpret_cast<void*>(sought.table);
    return 0;
}

// For std::random_device.
extern "C" [[gnu::visibility("hidden")]] std::uint32_t arc4random() noexcept
{
    std::uint32_t value = 0;
    if (getrandom(&value, sizeof value, 0) != sizeof value)
        std::abort();
    return value;
}
