/// The work that registering takes on some servers, so that no program creates accounts by the thousands.
package enum ProofOfWork {
    /// More is refused: it would keep a phone busy for minutes.
    static let bitsMax = 28

    /// Finds the smallest number N such that the SHA-256 hash of `CHALLENGE:USERNAME:N` begins with `bits` zero bits.
    /// It tries 2^bits numbers on average, off the caller's actor.
    /// - Returns: the proof, `CHALLENGE:N`.
    /// - Throws: `CancellationError`.
    package static func find(_ challenge: String, bits: Int, for username: String) async throws -> String {
        var prefix = SHA256()
        prefix.update(Array("\(challenge):\(username):".utf8))
        var number: UInt64 = 0
        while true {
            // Between stretches other tasks get their turn.
            try Task.checkCancellation()
            await Task.yield()
            for _ in 0..<10_000 {
                var hash = prefix
                hash.update(Array(String(number).utf8))
                if leadingZeroBits(of: hash.finish()) >= bits { return "\(challenge):\(number)" }
                number += 1
            }
        }
    }

    private static func leadingZeroBits(of digest: SHA256.Digest) -> Int {
        var bits = 0
        for index in digest.indices {
            bits += digest[index].leadingZeroBitCount
            if digest[index] != 0 { break }
        }
        return bits
    }
}

/// SHA-256 (FIPS 180-4). Its copies go on independently of each other.
struct SHA256 {
    /// A hash, of eight words.
    typealias Digest = SIMD8<UInt32>

    private var state = Digest(
        0x6A09_E667, 0xBB67_AE85, 0x3C6E_F372, 0xA54F_F53A, 0x510E_527F, 0x9B05_688C, 0x1F83_D9AB, 0x5BE0_CD19)
    /// What does not fill a block yet.
    private var rest: [UInt8] = []
    private var count: UInt64 = 0

    mutating func update(_ bytes: [UInt8]) {
        count += UInt64(bytes.count)
        rest += bytes
        var start = 0
        while rest.count - start >= 64 {
            process(rest[start..<start + 64])
            start += 64
        }
        rest.removeFirst(start)
    }

    /// Ends the message.
    mutating func finish() -> Digest {
        let bits = count * 8
        let padding = 1 + (119 - rest.count) % 64
        update([0x80] + [UInt8](repeating: 0, count: padding - 1) + withUnsafeBytes(of: bits.bigEndian, Array.init))
        return state
    }

    private mutating func process(_ block: ArraySlice<UInt8>) {
        withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 64) { words in
            block.withUnsafeBytes { bytes in
                for index in 0..<16 {
                    words[index] = UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: index * 4, as: UInt32.self))
                }
            }
            for index in 16..<64 {
                let (early, late) = (words[index - 15], words[index - 2])
                let first = Self.rotate(early, 7) ^ Self.rotate(early, 18) ^ (early >> 3)
                let second = Self.rotate(late, 17) ^ Self.rotate(late, 19) ^ (late >> 10)
                words[index] = words[index - 16] &+ first &+ words[index - 7] &+ second
            }
            mix(UnsafeBufferPointer(words))
        }
    }

    private mutating func mix(_ words: UnsafeBufferPointer<UInt32>) {
        var (a, b, c, d) = (state[0], state[1], state[2], state[3])
        var (e, f, g, h) = (state[4], state[5], state[6], state[7])
        Self.constants.withUnsafeBufferPointer { constants in
            for index in 0..<64 {
                let sum = Self.rotate(e, 6) ^ Self.rotate(e, 11) ^ Self.rotate(e, 25)
                let first = h &+ sum &+ ((e & f) ^ (~e & g)) &+ constants[index] &+ words[index]
                let second =
                    (Self.rotate(a, 2) ^ Self.rotate(a, 13) ^ Self.rotate(a, 22)) &+ ((a & b) ^ (a & c) ^ (b & c))
                (h, g, f, e, d, c, b, a) = (g, f, e, d &+ first, c, b, a, first &+ second)
            }
        }
        state &+= Digest(a, b, c, d, e, f, g, h)
    }

    private static func rotate(_ word: UInt32, _ bits: UInt32) -> UInt32 { word >> bits | word << (32 - bits) }

    private static let constants: [UInt32] = [
        0x428A_2F98, 0x7137_4491, 0xB5C0_FBCF, 0xE9B5_DBA5, 0x3956_C25B, 0x59F1_11F1, 0x923F_82A4, 0xAB1C_5ED5,
        0xD807_AA98, 0x1283_5B01, 0x2431_85BE, 0x550C_7DC3, 0x72BE_5D74, 0x80DE_B1FE, 0x9BDC_06A7, 0xC19B_F174,
        0xE49B_69C1, 0xEFBE_4786, 0x0FC1_9DC6, 0x240C_A1CC, 0x2DE9_2C6F, 0x4A74_84AA, 0x5CB0_A9DC, 0x76F9_88DA,
        0x983E_5152, 0xA831_C66D, 0xB003_27C8, 0xBF59_7FC7, 0xC6E0_0BF3, 0xD5A7_9147, 0x06CA_6351, 0x1429_2967,
        0x27B7_0A85, 0x2E1B_2138, 0x4D2C_6DFC, 0x5338_0D13, 0x650A_7354, 0x766A_0ABB, 0x81C2_C92E, 0x9272_2C85,
        0xA2BF_E8A1, 0xA81A_664B, 0xC24B_8B70, 0xC76C_51A3, 0xD192_E819, 0xD699_0624, 0xF40E_3585, 0x106A_A070,
        0x19A4_C116, 0x1E37_6C08, 0x2748_774C, 0x34B0_BCB5, 0x391C_0CB3, 0x4ED8_AA4A, 0x5B9C_CA4F, 0x682E_6FF3,
        0x748F_82EE, 0x78A5_636F, 0x84C8_7814, 0x8CC7_0208, 0x90BE_FFFA, 0xA450_6CEB, 0xBEF9_A3F7, 0xC671_78F2,
    ]
}
