import Foundation

extension TestCluster {
    /// A cluster like ``shared`` that requires message requests, which is the default outside tests.
    public static var asking: TestCluster {
        get async throws { try await firstAsking.value }
    }

    private nonisolated static let firstAsking = Task {
        // A cluster started elsewhere has its own settings; the variable says that it requires requests.
        if let elsewhere, ProcessInfo.processInfo.environment["PARLEY_TEST_ASKING"] != nil {
            return await TestCluster(at: elsewhere)
        }
        return try await TestCluster(Options(settings: askingSettings).withoutTemplate)
    }

    /// The settings of a cluster that requires message requests.
    public nonisolated static let askingSettings = [
        "conversations": ["PARLEY_REQUESTS_REQUIRED": "yes", "PARLEY_LIMITS_REPORTS_PER_MINUTE": "1000000"]
    ]
}
