import ParleyClient
import SwiftProtobuf

import enum Schema.Access

/// A request of the contract: who may call it, how a scene makes it, and the verdicts that do not follow from its
/// access.
struct Row: Sendable {
    /// The part of a scene that an allowed request changes and that must be made anew.
    enum Spends: Sendable {
        case nothing
        /// The conversation, or the caller's relation to the other person.
        case conversation
        /// The caller, whom the request signs out.
        case caller
        /// The creator's reminder, decision, event and suggestion.
        case entity
    }

    var method: String
    var access: Access
    /// The refusal if the named conversation does not exist for the caller; nil if the request names none or ``Access``
    /// decides.
    var absent: String?
    /// Whether former members may call it too, about the time until they left.
    var formersToo = false
    /// Whether it refuses direct conversations as `invalid`.
    var ofGroupsOnly = false
    var spends = Spends.nothing
    /// The verdicts that differ from those that ``verdict(for:)`` derives.
    var exceptions: [Caller: Verdict] = [:]
    /// The things of the scene that the request names. It must reveal nothing about another person's.
    var names: Set<Scene.Thing> = []
    /// Makes the request.
    var call: @Sendable (Scene) async throws(ParleyError) -> Void

    init<Request: Message, Reply: Message>(
        _ method: Method<Request, Reply>, _ access: Access, absent: String? = nil, formersToo: Bool = false,
        ofGroupsOnly: Bool = false, spends: Spends = .nothing, names: Set<Scene.Thing> = [],
        except exceptions: [(Set<Caller>, Verdict, String)] = [],
        _ request: @escaping @Sendable (Scene) -> Request
    ) {
        self.init(
            method.name, access, absent: absent, formersToo: formersToo, ofGroupsOnly: ofGroupsOnly, spends: spends,
            names: names, except: exceptions
        ) { scene throws(ParleyError) in
            let request = request(scene)
            _ = try await scene.client.call(method, key: scene.key, request)
        }
    }

    /// Creates a row whose request is made by a closure.
    init(
        _ method: String, _ access: Access, absent: String? = nil, formersToo: Bool = false,
        ofGroupsOnly: Bool = false, spends: Spends = .nothing, names: Set<Scene.Thing> = [],
        except exceptions: [(Set<Caller>, Verdict, String)] = [],
        calling call: @escaping @Sendable (Scene) async throws(ParleyError) -> Void
    ) {
        (self.method, self.access, self.absent) = (method, access, absent)
        (self.formersToo, self.ofGroupsOnly, self.spends) = (formersToo, ofGroupsOnly, spends)
        (self.names, self.call) = (names, call)
        for (callers, verdict, _) in exceptions {
            for caller in callers { self.exceptions[caller] = verdict }
        }
    }

    /// Makes the request and returns its verdict.
    func outcome(in scene: Scene) async throws -> Verdict {
        do throws(ParleyError) {
            try await call(scene)
            return .allowed
        } catch {
            // The request closed the session before its reply was sent.
            if spends == .caller, ["revoked", "connection_lost"].contains(error.code) { return .allowed }
            return .refused(error.code)
        }
    }
}

/// The things that a request may name, for one caller.
struct Scene: Sendable {
    enum Thing: Sendable { case conversation, reminder, decision, event, suggestion, device, identity }

    var caller: Caller
    /// The caller's session.
    var client: ParleyClient
    /// Empty when the client is not signed in.
    var user = ""
    var username = ""
    var password = ""
    /// The group, or the direct conversation of the caller and one other person.
    var conversation: String
    /// The other person of that conversation, or a member of the group.
    var other: String
    /// A person unconnected with the caller.
    var bystander: String
    var bystanderName: String
    /// A person invited into the group; empty for a direct conversation without a group.
    var invited = ""
    /// The creator's reminder.
    var reminder: UUIDv7
    /// The creator's private decision.
    var decision: UUIDv7
    /// The creator's event, to which nobody is invited.
    var event: UUIDv7
    /// The creator's open suggestion of an event.
    var suggestion: UUIDv7
    /// An identity that does not sign the caller in.
    var identity = "none"
    /// The device to sign out; nil to sign in a new one of the caller's.
    var device: String?
    /// The key that selects a replica.
    var key: String { conversation }
    /// The id for a new thing.
    var newID: UUIDv7
}
