import Testing

@testable import Wire

struct RendezvousTests {
    private let keys = (0..<30_000).map { "cnv_\($0)" }

    private func seeds(_ count: Int) -> [UInt64] {
        (0..<count).map { Rendezvous.seed("tcp://10.0.0.\($0):7001") }
    }

    @Test("without replicas no key is served, and a single replica serves all")
    func few() {
        #expect(Rendezvous.pick("a", among: []) == nil)
        #expect(keys.allSatisfy { Rendezvous.pick($0, among: seeds(1)) == 0 })
    }

    @Test("keys are spread evenly", arguments: [2, 3, 5, 8])
    func even(count: Int) {
        let seeds = seeds(count)
        var shares = [Int](repeating: 0, count: count)
        for key in keys { shares[Rendezvous.pick(key, among: seeds) ?? 0] += 1 }
        let fair = keys.count / count
        for share in shares { #expect(abs(share - fair) < fair / 10) }
    }

    @Test("when a replica goes, only its keys move", arguments: 0..<5)
    func removal(gone: Int) {
        let all = seeds(5)
        var left = all
        left.remove(at: gone)
        for key in keys.prefix(5000) {
            let before = all[Rendezvous.pick(key, among: all) ?? 0]
            let after = left[Rendezvous.pick(key, among: left) ?? 0]
            #expect(before == after || before == all[gone])
        }
    }

    @Test("the order in which replicas are listed does not matter")
    func order() {
        let some = seeds(4)
        let others = Array(some.reversed())
        for key in keys.prefix(1000) {
            #expect(
                Rendezvous.pick(key, among: some).map { some[$0] }
                    == Rendezvous.pick(key, among: others).map { others[$0] })
        }
    }
}

struct FNVTests {
    @Test("the hash is FNV-1a over 64 bits, as its reference has it")
    func known() {
        #expect(Hash.fnv1a("") == 0xcbf2_9ce4_8422_2325)
        #expect(Hash.fnv1a("a") == 0xaf63_dc4c_8601_ec8c)
        #expect(Hash.fnv1a("foobar") == 0x8594_4171_f739_67e8)
    }
}
