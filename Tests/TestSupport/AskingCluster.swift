import Foundation

extension TestCluster {
    /// As ``shared``, but who writes to somebody for the first time asks, as they do unless it is set otherwise.
    public static var asking: TestCluster {
        get async throws { try await firstAsking.value }
    }

    private nonisolated static let firstAsking = Task {
        // Somebody else's is as its operator set it, and says so.
        if let elsewhere, ProcessInfo.processInfo.environment["PARLEY_TEST_ASKING"] != nil {
            return await TestCluster(at: elsewhere)
        }
        return try await TestCluster(Options(settings: askingSettings))
    }

    /// What makes a cluster one where people ask.
    public nonisolated static let askingSettings = [
        "conversations": ["PARLEY_REQUESTS_REQUIRED": "yes", "PARLEY_LIMITS_REPORTS_PER_MINUTE": "1000000"]
    ]
}
