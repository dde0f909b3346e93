/// A person as they come into Parley.
package struct ImportedPerson: Equatable, Sendable {
    /// An identity that an issuer of tokens knows them by.
    package struct Identity: Equatable, Sendable {
        package var issuer: String
        package var subject: String
        package var label: String
    }

    package var id = ""
    package var source = ""
    package var path = ""
    package var name = ""
    /// What a username is made of: the export's own, the address's first part, the name.
    package var usernames: [String] = []
    package var email: String?
    package var isEmailConfirmed = false
    package var photo = ""
    package var createdAt: Int64?
    package var isDisabled = false
    /// The hash of the password, in the form that the service checks.
    package var password: String?
    package var identities: [Identity] = []
    package var blocks: [String] = []
    /// What has no home in Parley, by its path.
    package var beside: [JSON.Field] = []

    /// The usernames to try.
    package var wantedUsernames: [String] { PersonRules.usernames(self) }

    /// What is kept beside, as it is stored.
    package var kept: [(path: String, object: String)] {
        var seen: Set<String> = []
        return beside.compactMap { field in
            let object = field.value.text
            guard object.utf8.count <= Walker.besideBytesMax, (1...2_048).contains(field.key.utf8.count),
                seen.insert(field.key).inserted
            else { return nil }
            return (field.key, object)
        }
    }
}

/// A conversation as it comes into Parley, before its messages.
package struct ImportedTalk: Equatable, Sendable {
    package struct Member: Equatable, Sendable {
        /// By their id in the export.
        package var person: String
        package var joinedAt: Int64?
        package var isAdmin = false
        package var leftAt: Int64?
    }

    package var id = ""
    /// The conversations of the export that it is made of, the first of which names it.
    package var sources: [String] = []
    package var path = ""
    package var isGroup = false
    package var name = ""
    package var photo = ""
    package var creator: String?
    package var createdAt: Int64?
    package var members: [Member] = []
    /// Those beyond the most that a group has: they may read what was.
    package var formerMembers: [Member] = []
    /// Who asks, while the other has not accepted; nil: nobody does.
    package var requester: String?
    package var isRequestSeen = false
    /// Who of a direct conversation does not let the other write; nil: nobody.
    package var blocker: String?
}

/// A message as it comes into Parley.
package struct ImportedMessage: Equatable, Sendable {
    package struct Reaction: Equatable, Sendable {
        package var person: String
        package var emoji: String
        package var at: Int64
    }

    package var uuid: [UInt8] = []
    package var source = ""
    package var path = ""
    /// By their id in the export; nil: the system.
    package var sender: String?
    package var text = ""
    package var sentAt: Int64 = 0
    package var replyTo: [UInt8]?
    package var editedAt: Int64?
    package var deletedAt: Int64?
    /// What it said before it was edited, the oldest first.
    package var revisions: [String] = []
    package var mentions: [String] = []
    package var reactions: [Reaction] = []
    package var starredBy: [String] = []
    package var hiddenFor: [String] = []
    package var file: ImportedFile?
}

/// A file of the export's bucket, which a message has.
package struct ImportedFile: Equatable, Sendable {
    /// By its name in the bucket.
    package var name: String
    /// As which the text names it, alone or as its last line.
    package var address: String
    /// What the message says of it: `image/*`, `video/*`, `audio/*`, or nothing, `*/*`.
    package var type: String

    /// How a message shows it: without folders.
    package var shownName: String { StorageName.shown(name) }
}

/// What one person's inbox says of a conversation.
package struct ImportedState: Equatable, Sendable {
    package var person = ""
    /// Messages that were read; the last of them counts.
    package var readMessages: [[UInt8]] = []
    package var readAt: Int64?
    /// How many of the others' last messages are unread; counts only without a mark.
    package var unread: Int64?
    package var deliveredMessage: [UInt8]?
    package var isPinned = false
    package var isMuted = false
    package var isArchived = false
    /// The first message that they may read, empty: none of those that are there; nil: all.
    package var firstMessage: [UInt8]?

    var hasMark: Bool { !readMessages.isEmpty || readAt != nil || unread != nil }
}

/// A reminder, a decision or an event as it comes into Parley.
package struct ImportedEntity: Equatable, Sendable {
    package enum Kind: Equatable, Sendable { case reminder, decision, event }
    package enum Answer: Int16, Sendable { case pending = 1, accepted, declined, tentative }

    package struct Guest: Equatable, Sendable {
        package var person: String
        package var answer: Answer
    }

    package var kind: Kind
    package var uuid: [UInt8]
    /// Whose it is, by their id in the export.
    package var person: String
    package var text: String
    /// When a reminder is due, or an event begins.
    package var dueAt: Int64?
    /// Where the times of day are meant, by its name; nil: the export names none.
    package var timeZone: String?
    /// How long an event takes; nil: the export does not say.
    package var minutes: Int32?
    /// Of an event, whether it is of whole days.
    package var isWholeDay = false
    package var location = ""
    /// Who has an event, the creator first, by their ids in the export.
    package var people: [Guest] = []
    package var createdAt: Int64?
    /// The id in Parley of the conversation that it is from.
    package var conversation: String?
    package var message: [UInt8]?
    package var isDone = false
}
