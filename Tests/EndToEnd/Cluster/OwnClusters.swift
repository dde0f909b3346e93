import Testing

// Tests that disturb their cluster run on one of their own. The four suites run side by side, as each mostly waits.

/// Tests of limits of time or memory.
@Suite("On clusters of their own", .serialized)
struct OwnClusters {}

/// Tests with several replicas of a service, some of which die or freeze.
@Suite("On clusters of their own: replicas", .serialized)
struct ReplicaClusters {}

/// Tests in which processes die under load.
@Suite("On clusters of their own: faults", .serialized)
struct FaultClusters {}

/// Tests of operations: backups, other stores, monitors, logs.
@Suite("On clusters of their own: operations", .serialized)
struct OperatedClusters {}
