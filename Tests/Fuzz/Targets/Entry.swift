import Glibc

// The two functions called by Driver/driver.c on behalf of libFuzzer.

/// The target that `PARLEY_FUZZ_TARGET` names.
private let chosen: FuzzTarget = {
    let name = getenv("PARLEY_FUZZ_TARGET").map { String(cString: $0) } ?? ""
    guard let target = FuzzTarget[name] else {
        printError("PARLEY_FUZZ_TARGET must be one of: \(FuzzTarget.all.map(\.name).joined(separator: " "))")
        exit(64)
    }
    return target
}()

@_cdecl("parley_fuzz_prepare")
func prepareFuzzing() {
    if getenv("PARLEY_FUZZ_LIST") != nil {
        for target in FuzzTarget.all { print(target.name, target.bytesMax) }
        exit(0)
    }
    guard let folder = getenv("PARLEY_FUZZ_SEEDS").map({ String(cString: $0) }) else { return }
    for (number, seed) in chosen.seeds().enumerated() {
        guard let file = fopen("\(folder)/seed-\(number)", "w") else {
            printError("cannot write in \(folder)")
            exit(73)
        }
        fwrite(seed, 1, seed.count, file)
        fclose(file)
    }
    exit(0)
}

@_cdecl("parley_fuzz_one")
func fuzzOne(_ bytes: UnsafePointer<UInt8>?, _ count: Int) {
    do {
        try chosen.run(Array(UnsafeBufferPointer(start: bytes, count: count)))
    } catch {
        printError("\(chosen.name): \(error)")
        abort()
    }
}

private func printError(_ line: String) {
    let bytes = Array((line + "\n").utf8)
    _ = write(2, bytes, bytes.count)
}
