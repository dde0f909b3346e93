import ParleyClient
import SwiftProtobuf

import enum Schema.Access

/// One request of the contract: who may call it, how it is made in a scene, and what comes of it where that does not
/// follow from who calls.
struct Row: Sendable {
    /// What a request that was allowed leaves changed, and so has to be made anew.
    enum Spends: Sendable {
        case nothing
        /// The conversation, or what the caller is to the other.
        case conversation
        /// The caller, who is signed out by it.
        case caller
    }

    var method: String
    var access: Access
    /// What it is refused with when it names a conversation that is not there for the caller; nil: it names none, or
    /// ``Access`` says it.
    var absent: String?
    /// A former member may, too, of what was until they left.
    var formersToo = false
    /// Direct conversations are refused as `invalid`.
    var ofGroupsOnly = false
    var spends = Spends.nothing
    /// Where the verdict is another than ``verdict(for:)`` derives, and why.
    var exceptions: [Caller: Verdict] = [:]
    /// What of the scene the request names, and so must not tell of when it is another's.
    var names: Set<Scene.Thing> = []
    /// Makes the request.
    var ask: @Sendable (Scene) async throws(ParleyError) -> Void

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

    /// A request that takes more than its message.
    init(
        _ method: String, _ access: Access, absent: String? = nil, formersToo: Bool = false,
        ofGroupsOnly: Bool = false, spends: Spends = .nothing, names: Set<Scene.Thing> = [],
        except exceptions: [(Set<Caller>, Verdict, String)] = [],
        asking ask: @escaping @Sendable (Scene) async throws(ParleyError) -> Void
    ) {
        (self.method, self.access, self.absent) = (method, access, absent)
        (self.formersToo, self.ofGroupsOnly, self.spends) = (formersToo, ofGroupsOnly, spends)
        (self.names, self.ask) = (names, ask)
        for (callers, verdict, _) in exceptions {
            for caller in callers { self.exceptions[caller] = verdict }
        }
    }

    /// Makes the request and says what came of it.
    func outcome(in scene: Scene) async throws -> Verdict {
        do throws(ParleyError) {
            try await ask(scene)
            return .allowed
        } catch {
            // The session was closed for it before the answer was out.
            if spends == .caller, ["revoked", "connection_lost"].contains(error.code) { return .allowed }
            return .refused(error.code)
        }
    }
}

/// What a request may name, in one caller's eyes.
struct Scene: Sendable {
    enum Thing: Sendable { case conversation, reminder, device }

    var caller: Caller
    /// The caller's session.
    var client: ParleyClient
    /// Empty when nobody is signed in.
    var user = ""
    var username = ""
    var password = ""
    /// The group, or what the caller and one other have between them.
    var conversation: String
    /// Another person: that other, or a member of the group.
    var other: String
    /// Somebody else, whom nothing connects with the caller.
    var bystander: String
    var bystanderName: String
    /// A reminder: the creator's.
    var reminder: UUIDv7
    /// A device to sign out; nil: one of the caller's own is made.
    var device: String?
    /// What replicas are chosen by.
    var key: String { conversation }
    /// For ids of what is made.
    var newID: UUIDv7
}
