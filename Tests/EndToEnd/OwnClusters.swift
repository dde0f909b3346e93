import Testing

// Tests that disturb the cluster they run on, each on one of its own, one after the other.

/// Those that hold something to its time or to its memory: alone.
@Suite("On clusters of their own", .serialized)
struct OwnClusters {}

/// Those in which processes die while people do something, beside those of ``ReplicaClusters``.
@Suite("On clusters of their own: what dies", .serialized)
struct FaultClusters {}

/// Those of several replicas, of what a cluster stands upon, and of who watches it.
@Suite("On clusters of their own: what there are several of, and what is behind", .serialized)
struct ReplicaClusters {}
