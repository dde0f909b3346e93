import Testing

// Tests that disturb the cluster they run on, each on one of its own, one after the other.

/// Those that hold something to its time or to its memory: alone.
@Suite("On clusters of their own", .serialized)
struct OwnClusters {}

/// Those in which processes die while people do something, beside those of ``OperatedClusters``.
@Suite("On clusters of their own: what dies", .serialized)
struct FaultClusters {}

/// Those of what operators do and see: backups, other stores, monitors, logs.
@Suite("On clusters of their own: what operators do", .serialized)
struct OperatedClusters {}
