/// What `parley-lab soak` tells a device: one line of JSON on its standard input.
///
///     {"n":7,"do":"send","text":"m3.7 hello","pick":12}
///
/// The device answers with one line of the same number once what it was told is done. An action that is kept says
/// before that what it is about to do, with `trying`: if the device is killed before the answer, that may have
/// happened or not.
struct DeviceCommand: Codable, Sendable {
    enum Action: String, Codable, CaseIterable, Sendable {
        // Who is signed in.
        case register, signIn, signOut, signOutOther
        // Conversations and messages.
        case start, group, send, reply, edit, delete, react, star, read, pin, mute, archive, rename, draft
        // Members and requests.
        case add, remove, leave, accept, decline
        // Entities, and what I say of myself.
        case remind, complete, forget, decide, event, answerEvent, profile
        // The life of an app.
        case watch, suspend, resume, networkChanged
        // What the device shows.
        case state, unsent, drop, screen
    }

    /// Its number, which the answer repeats.
    var n: Int
    var action: Action
    /// A conversation; nil: the device takes one of its inbox.
    var chat: String?
    /// What is written. The first word names it for good.
    var text: String?
    /// Decides between the things to which it may be done.
    var pick: UInt64 = 0
    /// Usernames to sign in, ids of people for all else.
    var users: [String] = []
    var password: String?
    /// Of a sign-out: also when something is unsent. Of a decision: it is shared.
    var isForced = false
    /// Of a screen: the digest of the one that is known already.
    var known: Int?

    enum CodingKeys: String, CodingKey {
        case n, action = "do", chat, text, pick, users, password, isForced, known
    }

    init(_ action: Action) { (n, self.action) = (0, action) }

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        n = try values.decode(Int.self, forKey: .n)
        action = try values.decode(Action.self, forKey: .action)
        chat = try values.decodeIfPresent(String.self, forKey: .chat)
        text = try values.decodeIfPresent(String.self, forKey: .text)
        pick = try values.decodeIfPresent(UInt64.self, forKey: .pick) ?? 0
        users = try values.decodeIfPresent([String].self, forKey: .users) ?? []
        password = try values.decodeIfPresent(String.self, forKey: .password)
        isForced = try values.decodeIfPresent(Bool.self, forKey: .isForced) ?? false
        known = try values.decodeIfPresent(Int.self, forKey: .known)
    }
}

/// Something that a person does and that shows afterwards: the place where, and what. The later one of the same place
/// takes the place of the earlier.
struct DeviceWrite: Codable, Hashable, Sendable {
    /// `message CHAT NAME`, `edit MESSAGE`, `star MESSAGE` ….
    var place: String
    var value: String
    /// Of a deletion: the first word of what is deleted. A message gets another id when the one that it had cannot be
    /// sent.
    var name: String?
}

/// What a device answers: one line of JSON.
struct DeviceAnswer: Codable, Sendable {
    struct No: Codable, Sendable {
        var code: String
        var message: String
    }

    /// What was done and is no more going to happen, with the reason.
    struct Dropped: Codable, Sendable {
        /// Its place, or those that it may be; where it cannot be told, the kind of place alone.
        var places: [String]
        var what: String
        var code: String
    }

    struct State: Codable, Hashable, Sendable {
        var account: String
        var connection: String
        var problem: String?
        var user: String?
        /// How much waits to be sent, and was refused.
        var waiting = 0
        var failed = 0
    }

    var n: Int
    /// Comes before the answer.
    var trying: DeviceWrite?
    /// There was nothing to which it could be done.
    var isNothing: Bool?
    var refused: No?
    /// The id of what was made, or of the message that was changed.
    var id: String?
    var state: State?
    var dropped: [Dropped]?
    var screen: Screen?
    /// The digest of the screen.
    var digest: Int?

    init(_ n: Int) { self.n = n }
}

/// All that an app shows of an account.
struct Screen: Codable, Hashable, Sendable {
    struct Message: Codable, Hashable, Sendable {
        var id: String
        /// nil: the server does not have it.
        var seq: Int64?
        var sender: String?
        var text: String
        var isDeleted = false
        var isEdited = false
        var isStarred = false
        var isHidden = false
        var replyTo: Int64?
        /// `👍 2 mine`
        var reactions: [String] = []
        /// How far it has come: `sending`, `sent`, `delivered`, `read`.
        var status = "sent"
        var sync = "synced"
    }

    struct Receipt: Codable, Hashable, Sendable {
        var readUpTo: Int64
        var deliveredUpTo: Int64
    }

    struct Chat: Codable, Hashable, Sendable {
        var id: String
        var title: String
        var section: String
        var request: String
        var isGroup: Bool
        var name: String
        /// Everybody with their role.
        var members: [String]
        var isPinned = false
        var isMuted = false
        var isArchived = false
        var readUpTo: Int64 = 0
        var unread = 0
        var mentions = 0
        var isMarkedUnread = false
        /// What the row in the inbox says.
        var lastText: String?
        var receipts: [String: Receipt] = [:]
        var messages: [Message] = []
        /// Where messages are missing.
        var gaps: [String] = []
        var sync = "synced"
    }

    /// A reminder, a decision or an event.
    struct Entity: Codable, Hashable, Sendable {
        var kind: String
        var id: String
        var text: String
        /// Of a reminder: it is completed. Of an event: my answer.
        var own: String
        var facts: String
        var sync: String
    }

    var user = ""
    var profile = ""
    /// The conversations in their order.
    var inbox: [String] = []
    var requests: [String] = []
    var archived: [String] = []
    var requestCount = 0
    var unreadRequestCount = 0
    var chats: [Chat] = []
    var entities: [Entity] = []
    /// How the people look whom the app watches.
    var presence: [String: String] = [:]
}
