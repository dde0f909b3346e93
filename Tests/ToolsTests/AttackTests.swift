import Testing

@testable import LabCommand

@Suite("Attacks that compare times")
struct AttackTests {
    @Test("equal times tell nothing apart, and slower ones do")
    func shares() {
        let ones = (0..<200).map { Duration.microseconds(1000 + $0 * 7 % 100) }
        #expect(AddressGuesser.share(ones, slowerThan: ones) == 0.5)
        #expect(AddressGuesser.share(ones, slowerThan: ones.reversed()) == 0.5)
        #expect(AddressGuesser.share(ones, slowerThan: ones.map { $0 - .milliseconds(1) }) == 1)
        #expect(AddressGuesser.share(ones, slowerThan: ones.map { $0 + .milliseconds(1) }) == 0)
        #expect(AddressGuesser.share([], slowerThan: ones) == 0.5)
        let some = [1, 2, 3].map { Duration.milliseconds($0) }
        #expect(AddressGuesser.share(some, slowerThan: [.milliseconds(2)]) == 0.5)
        #expect(AddressGuesser.share([.milliseconds(3)], slowerThan: some) == 2.5 / 3)
    }

    @Test("the bound narrows with the tries: 2 ms are found among times that differ by 20 ms")
    func bounds() {
        #expect(AddressGuesser.bound(0) > 1 && AddressGuesser.bound(100) > 2 * AddressGuesser.bound(1000))
        let unknown = (0..<1000).map { Duration.microseconds(2000 + $0 * 20) }
        let known = unknown.map { $0 + .milliseconds(2) }
        #expect(abs(AddressGuesser.share(known, slowerThan: unknown) - 0.5) > AddressGuesser.bound(1000))
        let noise = unknown.map { $0 + .microseconds(100) }
        #expect(abs(AddressGuesser.share(noise, slowerThan: unknown) - 0.5) < AddressGuesser.bound(1000))
    }
}
