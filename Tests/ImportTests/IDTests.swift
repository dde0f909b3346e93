import Testing

@testable import Import

@Suite("Ids, hashes and sorting")
struct IDTests {
    @Test("ids stay where Parley allows them, and others follow from the path alone")
    func ids() {
        #expect(DerivedID.person("Abc123") == "Abc123")
        let derived = DerivedID.person("-a_b")
        #expect(derived == DerivedID.person("-a_b") && DerivedID.isAllowed(derived) && derived.count == 32)
        #expect(Array(derived)[12] == "8" && "89ab".contains(Array(derived)[16]))
        #expect(DerivedID.direct(["b", "a"]) == "a_b" && DerivedID.direct(["a"]) == "a_a")
    }

    @Test("the settings of hashes are read from JSON and from the console's text")
    func hashes() throws {
        let console = """
            hash_config {
              algorithm: SCRYPT,
              base64_signer_key: jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA==,
              base64_salt_separator: Bw==,
              rounds: 8,
              mem_cost: 14,
            }
            """
        let config = try HashConfig(console)
        let json = """
            {"algorithm":"SCRYPT","base64_signer_key":"jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsE\
            mYUSDzZvpjeJ9WmXA==","base64_salt_separator":"Bw==","rounds":8,"mem_cost":14}
            """
        #expect(try HashConfig(json) == config)
        guard case .scrypt(let settings) = config else {
            Issue.record("\(config)")
            return
        }
        #expect(settings.rounds == 8 && settings.memoryCost == 14)
        #expect(try HashConfig(#"{"algorithm":"PBKDF2_SHA256","rounds":1000}"#) == .pbkdf2(.sha256, rounds: 1_000))
        #expect(try HashConfig("algorithm: PBKDF_SHA1, rounds: 1") == .pbkdf2(.sha1, rounds: 1))
        #expect(try HashConfig("algorithm: bcrypt") == .bcrypt)
        #expect(try HashConfig("algorithm: HMAC_SHA256, base64_signer_key: AAAA") == .unchecked("HMAC_SHA256"))
        for wrong in [
            "", "algorithm: ROT13", "algorithm: SCRYPT", console.replacing("mem_cost: 14", with: "mem_cost: 40"),
            "algorithm: PBKDF_SHA1", "algorithm: PBKDF2_SHA256, rounds: 2000001",
            "algorithm: PBKDF_SHA1, rounds: 99999999999999999999",
        ] {
            #expect(throws: ImportError.self) { try HashConfig(wrong) }
        }
    }

    @Test("records are sorted in bounded memory, and equal keys keep their order")
    func sorting() throws {
        for bytesMax in [100, 1 << 20] {
            let sorter = Sorter(in: "/tmp", bytesMax: bytesMax)
            for number in 0..<1_000 {
                try sorter.add([UInt8(number * 7 % 50), 1], [UInt8(number / 4)])
            }
            let sorted = try sorter.sorted()
            var keys: [UInt8] = []
            while let group = try sorted.nextGroup() {
                keys.append(group.key[0])
                #expect(group.values == group.values.sorted { $0[0] < $1[0] } && group.values.count == 20)
            }
            #expect(keys == Array(0..<50))
        }
    }
}
