/// Decides which replica serves a key. All processes that know the same replicas agree, and when a replica goes, only
/// its keys move.
enum Rendezvous {
    /// The part of a replica's bids that is the same for all keys.
    static func seed(_ replica: String) -> UInt64 { Hash.mix(Hash.fnv1a(replica)) }

    /// The bid of the replica with this seed for the key; the highest bidder serves it.
    static func bid(_ key: UInt64, _ seed: UInt64) -> UInt64 { Hash.mix(key ^ seed) }

    /// The index of the winner in `seeds`, or nil when there is none.
    static func pick(_ key: String, among seeds: [UInt64]) -> Int? {
        let key = Hash.fnv1a(key)
        return seeds.indices.max { bid(key, seeds[$0]) < bid(key, seeds[$1]) }
    }
}
