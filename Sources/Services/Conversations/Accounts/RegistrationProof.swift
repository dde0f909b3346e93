import FoundationEssentials  // JSON only; ServiceKit links it anyway.
import HTTPClient
import Logging
import Reactor
import Schema
import ServiceKit
import Wire

/// What an account takes besides a name and a password, so that no program creates them by the thousands.
///
/// Each proof is for one account: work is done for one username, and a token is spent by whoever verifies it.
@ReactorActor
final class RegistrationProof {
    enum Kind: String, CaseIterable, Sendable {
        case none
        case work = "proof-of-work"
        case verifier
    }

    nonisolated static var settings: [Setting] {
        [
            Setting(
                "registration.challenge", .choice(Kind.allCases.map(\.rawValue)), default: "none",
                "what an account takes: nothing, work of the app, or a token that a verifier accepts, as of a CAPTCHA"),
            Setting(
                "registration.work-bits", .integer(1...ProofOfWork.bitsMax), default: "20",
                "how much work: one bit more is twice as much; 20 take an app about a second"),
            Setting(
                "registration.verifier-url", .text,
                "where tokens are verified: a siteverify address of a CAPTCHA, or your own"),
            Setting("registration.verifier-secret", .secret, "what the verifier expects as \"secret\""),
            Setting("registration.verifier-page", .text, "URL of the page that gives people a token"),
        ]
    }

    private static let purpose = "registration challenge"
    /// How long an app has for the work, and the person for entering what is missing.
    private static let lifetime = Duration.seconds(600)

    let kind: Kind
    private let context: ServiceContext
    private let verifier: TokenVerifier?
    private var admission = Admission(
        .init(
            places: verifiedMax, strangers: verifiedMax, failed: verifiedMax / 8, perPlace: verifiedPerPlaceMax,
            perKnownPlace: 4 * verifiedPerPlaceMax))
    nonisolated static let verifiedMax = 64
    nonisolated static let verifiedPerPlaceMax = 2
    private let page: String

    init(_ context: ServiceContext) {
        self.context = context
        let settings = context.settings
        kind = Kind(rawValue: settings.text("registration.challenge")) ?? .none
        page = settings.text("registration.verifier-page")
        verifier = kind == .verifier ? TokenVerifier(settings, context.log) : nil
    }

    /// - Throws: ``StartRefused`` if the verifier cannot be asked.
    func checkSettings() throws {
        guard let verifier, !verifier.isUsable else { return }
        throw StartRefused(
            "registration.challenge is \"verifier\": set registration.verifier-url to an http or https URL", code: 64)
    }

    /// Returns what an account takes now.
    func challenge() throws -> Challenge {
        switch kind {
        case .none: return Challenge(kind: .noChallenge)
        case .verifier: return Challenge(kind: .token, page: page)
        case .work:
            let expiresAt = context.clock.now + Self.lifetime
            let bits = context.settings.integer("registration.work-bits")
            // Sealed with its difficulty, so that it stays the same for whoever works when the setting changes.
            let text = try context.sealer.seal(
                ProofOfWork.Terms(bits: bits, expiresAt: expiresAt).bytes, for: Self.purpose)
            return Challenge(kind: .work, text: text, bits: UInt32(bits), expiresAtUs: expiresAt.rawValue)
        }
    }

    /// Checks what costs nothing to check: that there is a proof, and that the work was done.
    /// - Throws: ``Refusal`` `proof_required`.
    func check(_ proof: String, for username: String) async throws {
        switch kind {
        case .none: return
        case .verifier:
            if proof.isEmpty { throw Refusal.tokenRequired(page) }
        case .work:
            guard let work = ProofOfWork(proof),
                let sealed = try await context.sealer.open(work.challenge, for: Self.purpose),
                let terms = ProofOfWork.Terms(sealed), terms.expiresAt > context.clock.now,
                work.zeroBits(for: username) >= terms.bits
            else { throw Refusal.workRequired }
        }
    }

    /// Has a token verified, which spends it. A slow verifier has few tokens of one address at a time, and few of all
    /// addresses that had a wrong one lately.
    /// - Parameter place: the address that asks, of IPv6 its /64.
    /// - Throws: ``Refusal`` `proof_required`; `rate_limited` if the address must wait; `unavailable` if the verifier
    ///   does not answer.
    func spend(_ proof: String, at place: String) async throws {
        guard let verifier else { return }
        guard proof.utf8.allSatisfy({ 0x20..<0x7F ~= $0 }) else { throw Refusal.tokenRequired(page) }
        guard let ticket = admission.enter(place) else { throw Refusal.rateLimited(.seconds(1)) }
        defer { admission.leave(ticket) }
        guard try await verifier.accepts(proof) else {
            admission.failed(from: place)
            throw Refusal.tokenRequired(page)
        }
        admission.signedIn(from: place)
    }
}

/// Work that an app has done for one username. Pure.
struct ProofOfWork {
    static let bitsMax = 32

    /// What was asked for.
    struct Terms: Equatable {
        var bits: Int
        var expiresAt: Timestamp

        var bytes: [UInt8] { [UInt8(bits)] + withUnsafeBytes(of: expiresAt.rawValue.bigEndian, Array.init) }
    }

    let challenge: String
    private let number: Substring

    /// - Parameter text: `CHALLENGE:NUMBER`.
    init?(_ text: String) {
        guard let colon = text.firstIndex(of: ":") else { return nil }
        (challenge, number) = (String(text[..<colon]), text[text.index(after: colon)...])
        guard !number.isEmpty, number.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else {
            return nil
        }
    }

    /// How many zero bits the hash of the work begins with.
    func zeroBits(for username: String) -> Int {
        var text = Array("\(challenge):\(username):\(number)".utf8)
        let hash = Sodium.sha256 {
            defer { text = [] }
            return text
        }
        let zeros = hash.prefix { $0 == 0 }.count
        return zeros * 8 + (zeros < hash.count ? hash[zeros].leadingZeroBitCount : 0)
    }
}

extension ProofOfWork.Terms {
    init?(_ bytes: [UInt8]) {
        guard bytes.count == 9 else { return nil }
        self.init(bits: Int(bytes[0]), expiresAt: Timestamp(bytes[1...].reduce(0) { $0 << 8 | Int64($1) }))
    }
}

/// Asks the operator's verifier about tokens, by the form that reCAPTCHA, hCaptcha and Turnstile share: `secret` and
/// `response` by POST, and a JSON object with `success` as the answer. While it gives none, nobody registers.
@ReactorActor
private final class TokenVerifier {
    private struct Answer: Decodable {
        var success: Bool
    }

    private let url: String
    private let secret: String
    private let client = HTTPClient(
        .init(
            requestsMax: RegistrationProof.verifiedMax, connectionsMax: 32, connectTimeout: .seconds(2),
            timeout: .seconds(5), mayReachInside: true)
    )
    private let log: Logger
    private var line = LogThrottle(every: .seconds(10))

    init(_ settings: Settings, _ log: Logger) {
        url = settings.text("registration.verifier-url")
        secret = settings.text("registration.verifier-secret")
        self.log = log
    }

    var isUsable: Bool { url.hasPrefix("https://") || url.hasPrefix("http://") }

    func accepts(_ token: String) async throws -> Bool {
        let form = "secret=\(Self.encoded(secret))&response=\(Self.encoded(token))"
        let request = HTTPRequest(
            "POST", url, headers: [("content-type", "application/x-www-form-urlencoded")],
            body: .bytes(Array(form.utf8)), replyBytesMax: 16 * 1024)
        let reply: HTTPReply
        do {
            reply = try await client.send(request)
        } catch let failure as HTTPFailure {
            throw unanswered("\(failure)")
        }
        guard reply.status == 200, let answer = try? JSONDecoder().decode(Answer.self, from: Data(reply.body)) else {
            throw unanswered("it answered \(reply.status), or not with a JSON object that has \"success\"")
        }
        return answer.success
    }

    private func unanswered(_ why: String) -> Refusal {
        if let heldBack = line.pass(at: .now) {
            log.warning(
                "nobody can register: registration.verifier-url gives no answer",
                metadata: ["why": "\(why)", "more": "\(heldBack)"])
        }
        return .unavailable(
            "Creating an account is not possible at the moment. Try again shortly.", retryAfter: .seconds(2))
    }

    /// Percent-encodes all but letters, digits and hyphens (RFC 3986 §2.1).
    private static func encoded(_ text: String) -> String {
        text.utf8.reduce(into: "") { encoded, byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
                encoded.unicodeScalars.append(Unicode.Scalar(byte))
            default: encoded += "%" + Hex.text([byte])
            }
        }
    }
}

extension Refusal {
    static let workRequired = Refusal(
        .proofRequired,
        "Creating an account here takes a proof of work, which is missing, wrong or too old. Ask for a new challenge; "
            + "an app that cannot do that has to be updated.", field: "proof")

    static func tokenRequired(_ page: String) -> Refusal {
        Refusal(
            .proofRequired,
            page.isEmpty
                ? "Creating an account here takes a token, and this one is missing or not valid. Ask whoever runs this "
                    + "server for one."
                : "Creating an account here takes a token, and this one is missing or not valid. Get one at \(page)",
            field: "proof")
    }
}
