import FoundationEssentials  // JSON only; ServiceKit links it anyway.
import HTTPClient
import Logging
import Reactor
import Schema
import ServiceKit
import Signatures
import Wire

/// A token that its issuer made for this server, now.
struct VerifiedToken: Sendable {
    let issuer: IssuerBlock
    let claims: IdentityToken.Claims
    let hash: [UInt8]
    let endsAt: Timestamp
    /// Whether a code of a page stands for it.
    var isOfPage = false

    /// How its owner knows the identity again.
    var label: String {
        let shown = ["email", "preferred_username", "upn", "name"].lazy.compactMap { claims.texts[$0] }.first ?? ""
        return (try? Text.name(shown, field: "label", bytes: 254)) ?? ""
    }
}

/// The issuers whose tokens sign people in, and their keys.
///
/// Nothing waits for an issuer but the tokens that need its keys: a start does not, nor do other issuers' tokens.
@ReactorActor
final class Issuers {
    nonisolated static let setting = Setting(
        "identities.file", .text,
        "file that describes whose tokens sign people in, such as Apple's and Google's; deploy/README.md says how")
    private static let fileBytesMax = 65_536

    private(set) var blocks: [IssuerBlock] = []
    private var keys: [String: IssuerKeyReader] = [:]
    private var pages: [String: IssuerPages] = [:]
    private let context: ServiceContext

    init(_ context: ServiceContext) { self.context = context }

    /// - Throws: ``StartRefused`` if the file cannot be read or is not valid.
    func load() throws {
        let path = context.settings.text(Self.setting.key)
        if path.isEmpty { return }
        do {
            let text = try File.read(path, limit: Self.fileBytesMax)
            blocks = try IssuerFile.blocks(String(decoding: text, as: UTF8.self))
        } catch {
            throw StartRefused("\(Self.setting.key) \(path): \(error)", code: 64)
        }
        let outside = HTTPClient(Self.options(mayReachInside: false))
        let inside = HTTPClient(Self.options(mayReachInside: true))
        for block in blocks {
            let door = IssuerDoor(issuer: block, client: block.isInside ? inside : outside)
            keys[block.name] = IssuerKeyReader(door, clock: context.clock, log: context.log)
            guard let page = block.page else { continue }
            // Its own, so that an issuer that is slow to answer here keeps nobody from reading keys.
            pages[block.name] = IssuerPages(
                page, IssuerDoor(issuer: block, client: HTTPClient(Self.options(mayReachInside: block.isInside))),
                log: context.log)
        }
    }

    private nonisolated static func options(mayReachInside: Bool) -> HTTPClient.Options {
        .init(
            requestsMax: 2 * IssuerFile.issuersMax, connectionsMax: 8, connectTimeout: .seconds(2),
            silence: .seconds(4),
            timeout: .seconds(4), mayReachInside: mayReachInside)
    }

    /// Whether tokens of this issuer are accepted, by its URL.
    func block(of url: String) -> IssuerBlock? { blocks.first { $0.isNamed(url) } }

    /// Where people sign in with this issuer, by the operator's word for it; nil: on no page.
    func pages(of name: String) -> IssuerPages? { pages[name] }

    /// Checks a token: who made it, for whom, when, and for which nonce.
    /// - Throws: ``Refusal`` `token_malformed`, `issuer_unknown`, `token_algorithm_refused`, `token_signature_wrong`,
    ///   `token_not_for_us`, `token_expired`, `token_not_yet_valid`, `token_nonce_wrong`, `unavailable`.
    func verified(_ text: String, nonce: String) async throws -> VerifiedToken {
        let token = try IdentityToken(text)
        guard let issuer = block(of: token.claims.issuer), let reader = keys[issuer.name] else {
            throw Refusal(
                .issuerUnknown,
                "Tokens of this issuer sign nobody in here. Whoever runs this server lists those whose do.",
                field: "token")
        }
        let algorithm = try TokenRules.algorithm(of: token, from: issuer)
        guard try await reader.isSigned(token, algorithm) else {
            throw Refusal(
                .tokenSignatureWrong, "No key of \(issuer.name) made the signature of this token.", field: "token")
        }
        try TokenRules.check(token.claims, from: issuer, nonce: nonce, at: context.clock.now)
        return VerifiedToken(
            issuer: issuer, claims: token.claims, hash: token.hash, endsAt: TokenRules.ends(token.claims))
    }
}

/// Reads the keys of one issuer, all tokens together.
@ReactorActor
private final class IssuerKeyReader {
    private static let keysBytesMax = 256 * 1024

    private let door: IssuerDoor
    private let clock: WallClock
    private let log: Logger
    private var cache = KeyCache()
    private var keysURL: String?
    private var reading: Task<Void, Never>?
    private var line = LogThrottle(every: .seconds(10))

    init(_ door: IssuerDoor, clock: WallClock, log: Logger) {
        (self.door, self.clock, self.log) = (door, clock, log)
    }

    private var issuer: IssuerBlock { door.issuer }

    /// Whether one of the issuer's keys signed this token.
    /// - Throws: ``Refusal`` `unavailable` if nobody can tell now.
    func isSigned(_ token: IdentityToken, _ algorithm: SignatureAlgorithm) async throws -> Bool {
        let issuedAt = Timestamp(token.claims.issuedAt * 1_000_000)
        var hasRead = false
        while true {
            switch cache.verdict(on: token.key, algorithm, issuedAt: issuedAt, at: .now) {
            case .use(let keys): return keys.contains { $0.verifies(token.signature, of: token.message) }
            case .none: return false
            // What was read since the token came has all keys.
            case .wait where hasRead && cache.hasSucceeded: return false
            case .wait(let wait): throw unavailable(wait)
            case .read where hasRead: throw unavailable(KeyCache.firstPause)
            case .read:
                await readKeys()
                hasRead = true
            }
        }
    }

    private func unavailable(_ wait: Duration) -> Refusal {
        .unavailable(
            "The keys of \(issuer.name) cannot be read at the moment. Try again shortly.",
            retryAfter: max(wait, .milliseconds(100)))
    }

    /// Reads the keys, once for all who wait for them.
    private func readKeys() async {
        if let reading { return await reading.value }
        let task = Task.onLoop { await self.readOnce() }
        reading = task
        await task.value
    }

    private func readOnce() async {
        defer { reading = nil }
        do throws(Unreadable) {
            let reply = try await door.get(try await whereKeysAre(), bytesMax: Self.keysBytesMax)
            guard let keys = IssuerKeys(reply.body) else { throw Unreadable("it answered with no set of keys") }
            guard !keys.entries.isEmpty else { throw Unreadable("none of its keys can check signatures here") }
            cache.read(keys, freshFor: CacheControl.freshness(reply.headers), at: .now, wall: clock.now)
        } catch {
            // They may have moved.
            keysURL = nil
            cache.failed(at: .now)
            guard let heldBack = line.pass(at: .now) else { return }
            log.warning(
                "the keys of an issuer cannot be read",
                metadata: ["issuer": "\(issuer.name)", "why": "\(error.why)", "more": "\(heldBack)"])
        }
    }

    private func whereKeysAre() async throws(Unreadable) -> String {
        if let known = issuer.keysURL ?? keysURL { return known }
        let found = try await door.description().jwks_uri
        guard door.isSafe(found) else { throw Unreadable("its keys are not at an https URL") }
        keysURL = found
        return found
    }
}
