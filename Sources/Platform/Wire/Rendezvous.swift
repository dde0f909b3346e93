/// Which replica serves a key: all who know the same replicas agree, and when one goes only its keys move.
enum Rendezvous {
    /// A replica's fixed part of the sum.
    static func seed(_ replica: String) -> UInt64 { Hash.mix(Hash.fnv1a(replica)) }

    /// How much the replica with this seed wants the key; the highest bidder serves it.
    static func bid(_ key: UInt64, _ seed: UInt64) -> UInt64 { Hash.mix(key ^ seed) }

    /// The index of the winner in `seeds`, or nil when there is none.
    static func pick(_ key: String, among seeds: [UInt64]) -> Int? {
        let key = Hash.fnv1a(key)
        return seeds.indices.max { bid(key, seeds[$0]) < bid(key, seeds[$1]) }
    }
}
