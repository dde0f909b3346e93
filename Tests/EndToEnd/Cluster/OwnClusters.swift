import Testing

// Tests that disturb the cluster they run on, each on one of its own: four rows side by side, as each mostly waits.

/// Those that hold something to its time or to its memory.
@Suite("On clusters of their own", .serialized)
struct OwnClusters {}

/// Those on several replicas of a service, of which some die or stand still.
@Suite("On clusters of their own: replicas", .serialized)
struct ReplicaClusters {}

/// Those in which processes die while people do something.
@Suite("On clusters of their own: what dies", .serialized)
struct FaultClusters {}

/// Those of what operators do and see: backups, other stores, monitors, logs.
@Suite("On clusters of their own: what operators do", .serialized)
struct OperatedClusters {}
