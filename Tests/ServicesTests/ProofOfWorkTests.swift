import Schema
import Testing

@testable import ConversationsService

@Suite("Proof of work")
struct ProofOfWorkTests {
    @Test("a proof is a challenge and a number; its work is the hash with the username")
    func proofs() throws {
        let proof = try #require(ProofOfWork("abc:6452"))
        #expect(proof.challenge == "abc" && proof.zeroBits(for: "alice") >= 12 && proof.zeroBits(for: "bob") < 12)
        for text in ["", "abc", "abc:", "abc:x", "abc:-1", "abc: 1", "abc:1:2", "abc:١"] {
            #expect(ProofOfWork(text) == nil, "\(text)")
        }
    }

    @Test("what was asked for survives a round trip; other bytes are refused")
    func terms() {
        let terms = ProofOfWork.Terms(bits: 20, expiresAt: Timestamp(1_790_000_000_000_000))
        #expect(ProofOfWork.Terms(terms.bytes) == terms)
        #expect(ProofOfWork.Terms([]) == nil && ProofOfWork.Terms(terms.bytes + [0]) == nil)
    }
}
