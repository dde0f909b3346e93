import Testing

/// Waits until `isSo` holds, for at most 50 s: a machine that is busy with other things takes long. What is waited for
/// runs on the main actor, too, so it looks only now and then.
func eventually(isolation: isolated (any Actor)? = #isolation, _ what: String, _ isSo: () -> Bool) async throws {
    let end = ContinuousClock.now + .seconds(50)
    while !isSo() {
        try #require(.now < end, "\(what): not within 50 s")
        try await Task.sleep(for: .milliseconds(5))
    }
}
