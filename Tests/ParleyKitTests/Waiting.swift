import Testing

/// Waits until `isSo` holds, for at most 20 s.
func eventually(isolation: isolated (any Actor)? = #isolation, _ what: String, _ isSo: () -> Bool) async throws {
    let end = ContinuousClock.now + .seconds(20)
    while !isSo() {
        try #require(.now < end, "\(what): not within 20 s")
        try await Task.sleep(for: .milliseconds(1))
    }
}
