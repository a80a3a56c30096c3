// Puts the blob into the program's read-only data. The assembler reads the file, so the compiler never sees its bytes
// (a C array of a megabyte takes g++ seconds and hundreds of megabytes).
#include "knowledge/embedded.h"

// Hidden: both ends are of this program, so position-independent code reaches them without a relocation.
__asm__(
    ".pushsection .rodata\n"
    ".balign 16\n"
    ".globl gpumedic_catalogue_begin\n"
    ".hidden gpumedic_catalogue_begin\n"
    "gpumedic_catalogue_begin:\n"
    ".incbin \"" GPUMEDIC_CATALOGUE_BLOB
    "\"\n"
    ".globl gpumedic_catalogue_end\n"
    ".hidden gpumedic_catalogue_end\n"
    "gpumedic_catalogue_end:\n"
    ".byte 0\n"
    ".popsection\n");

extern "C" {
extern const char gpumedic_catalogue_begin __attribute__((visibility("hidden")));
extern const char gpumedic_catalogue_end __attribute__((visibility("hidden")));
}

namespace gpumedic::knowledge {

std::string_view embedded_catalogue() { return {&gpumedic_catalogue_begin, &gpumedic_catalogue_end}; }

}  // namespace gpumedic::knowledge
