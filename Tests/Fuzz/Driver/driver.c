// What libFuzzer calls. The rest is Swift (Tests/Fuzz/Targets/Entry.swift); a target in C, since SwiftPM gives executables
// in Swift a `main` of their own and libFuzzer brings its.
#include <stddef.h>
#include <stdint.h>

extern void parley_fuzz_prepare(void);
extern void parley_fuzz_one(const uint8_t *bytes, size_t count);

int LLVMFuzzerInitialize(int *argc, char ***argv) {
    (void)argc;
    (void)argv;
    parley_fuzz_prepare();
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count) {
    parley_fuzz_one(bytes, count);
    return 0;
}
