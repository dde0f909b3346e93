import Testing

@testable import ParleyClient

@Suite("Proof of work")
struct ProofOfWorkTests {
    private static func hash(_ text: String) -> String {
        var hash = SHA256()
        hash.update(Array(text.utf8))
        let digest = hash.finish()
        return digest.indices.map { index in
            let digits = String(digest[index], radix: 16)
            return String(repeating: "0", count: 8 - digits.count) + digits
        }.joined()
    }

    @Test("SHA-256 is that of FIPS 180-4, also where the padding needs a block of its own")
    func vectors() {
        let table = [
            ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            (
                "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
            ),
            (String(repeating: "a", count: 55), "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318"),
            (String(repeating: "a", count: 64), "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb"),
        ]
        for (text, expected) in table { #expect(Self.hash(text) == expected, "\(text.utf8.count) bytes") }
    }

    @Test("the proof is the first number whose hash begins with so many zero bits, as proto/REFERENCE.md shows")
    func found() async throws {
        #expect(try await ProofOfWork.find("abc", bits: 0, for: "alice") == "abc:0")
        #expect(try await ProofOfWork.find("abc", bits: 12, for: "alice") == "abc:6452")
        #expect(Self.hash("abc:alice:6452").hasPrefix("000"))
    }

    @Test("work ends when its task is cancelled")
    func cancelled() async {
        let work = Task { try await ProofOfWork.find("abc", bits: 256, for: "alice") }
        work.cancel()
        await #expect(throws: CancellationError.self) { try await work.value }
    }
}
