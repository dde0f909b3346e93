import Testing

/// Tests that disturb the cluster they run on, each on one of its own, one after the other.
@Suite("On clusters of their own", .serialized)
struct OwnClusters {}
