import Postgres
import Reactor
import Schema
import ServiceKit
import Wire

/// What a person says of themselves on all devices, as it is stored.
struct Own: Equatable, Sendable {
    var words = Words()
    /// Whether they hide from those without an accepted direct conversation with them.
    var hidesFromOthers = false
    /// Whether they hide from those with one.
    var hidesFromAccepted = false
    var version: Int64 = 0

    func state(at now: Timestamp) -> OwnPresence {
        let hasText = words.endsAt == 0 || words.endsAt > now
        return OwnPresence(
            availability: words.availability, statusText: hasText ? words.text : "",
            statusEndsUs: hasText ? words.endsAt.rawValue : 0,
            hiding: hidesFromAccepted ? .fromAll : hidesFromOthers ? .fromAllButAccepted : .fromNobody,
            version: version)
    }
}

/// A change of what a person says, checked. Pure.
struct OwnChange: Sendable {
    static let textBytesMax = 128

    var availability: Availability?
    var text: (text: String, endsAt: Timestamp)?
    var hides: (fromOthers: Bool, fromAccepted: Bool)?

    /// - Throws: ``Refusal`` `invalid`.
    init(_ request: SetPresenceRequest, at now: Timestamp) throws(Refusal) {
        availability =
            switch request.availability {
            case .unspecified: nil
            case .automatic, .saysAway, .saysDoNotDisturb: request.availability
            case .unrecognized: throw .invalid("availability", "is none that this server knows")
            }
        if let status = request.status {
            let text =
                status.text.isEmpty ? "" : try Text.name(status.text, field: "status.text", bytes: Self.textBytesMax)
            guard status.endsUs == 0 || !text.isEmpty && status.endsUs > now.rawValue else {
                throw .invalid("status.ends_us", "must be in the future, and is only for a text")
            }
            self.text = (text, Timestamp(status.endsUs))
        }
        hides =
            switch request.hiding {
            case .unspecified: nil
            case .fromNobody: (false, false)
            case .fromAll: (true, true)
            case .fromAllButAccepted: (true, false)
            case .unrecognized: throw .invalid("hiding", "is none that this server knows")
            }
    }

    /// Whether this is what the person says already.
    func changesNothing(of own: Own) -> Bool {
        (availability ?? own.words.availability) == own.words.availability
            && (text ?? (own.words.text, own.words.endsAt)) == (own.words.text, own.words.endsAt)
            && (hides ?? (own.hidesFromOthers, own.hidesFromAccepted)) == (own.hidesFromOthers, own.hidesFromAccepted)
    }
}

extension PresenceService {
    /// Returns what the caller says of themselves.
    func getOwnPresence(_ request: GetOwnPresenceRequest, _ call: RequestContext) async throws -> OwnPresence {
        try await own(of: call.caller).state(at: context.clock.now)
    }

    private func own(of caller: Caller) async throws -> Own {
        try await context.database.first(PresenceStore.own, .number(caller.account)) ?? Own()
    }

    /// Changes what the caller says of themselves, and tells their devices. Watchers are told by the next round of each
    /// replica.
    /// - Throws: ``Refusal`` `invalid`, `rate_limited`.
    func setPresence(_ request: SetPresenceRequest, _ call: RequestContext) async throws -> OwnPresence {
        let (caller, now) = (call.caller, context.clock.now)
        let change = try OwnChange(request, at: now)
        try allowChange(by: caller)
        let own = try await own(of: caller)
        guard !change.changesNothing(of: own) else { return own.state(at: now) }
        let changed = try await context.database.first(
            PresenceStore.setOwn, .number(caller.account), .optional(change.availability.map { Int16($0.rawValue) }),
            .optional(change.text?.text), .optional(change.text?.endsAt), .optional(change.hides?.fromOthers),
            .optional(change.hides?.fromAccepted), .number(now))
        let state = (changed ?? own).state(at: now)
        let stream = "presence/u/" + caller.user
        context.publisher.publish(
            UpdateHeader(
                stream: stream, kind: OwnPresence.messageName, class: .collapsible, collapseKey: stream + "/own",
                audience: [caller.account.rawValue]), state.encode())
        return state
    }
}
