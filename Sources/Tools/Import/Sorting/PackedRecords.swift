/// The forms in which what is sorted lies in files.
extension ImportedTalk {
    func pack(to packer: inout Packer) {
        packer.put(id)
        packer.put(sources)
        packer.put(path)
        packer.put(isGroup)
        packer.put(name)
        packer.put(photo)
        packer.put(creator)
        packer.put(createdAt)
        for list in [members, formerMembers] {
            packer.put(list.count)
            for member in list { member.pack(to: &packer) }
        }
        packer.put(requester)
        packer.put(isRequestSeen)
        packer.put(blocker)
    }

    init(_ unpacker: inout Unpacker) {
        self.init(
            id: unpacker.text(), sources: unpacker.texts(), path: unpacker.text(), isGroup: unpacker.bool(),
            name: unpacker.text(), photo: unpacker.text(), creator: unpacker.optionalText(),
            createdAt: unpacker.optionalInt64(), members: unpacker.list { Member(&$0) },
            formerMembers: unpacker.list { Member(&$0) }, requester: unpacker.optionalText(),
            isRequestSeen: unpacker.bool(), blocker: unpacker.optionalText())
    }
}

extension ImportedTalk.Member {
    func pack(to packer: inout Packer) {
        packer.put(person)
        packer.put(joinedAt)
        packer.put(isAdmin)
        packer.put(leftAt)
    }

    init(_ unpacker: inout Unpacker) {
        self.init(
            person: unpacker.text(), joinedAt: unpacker.optionalInt64(), isAdmin: unpacker.bool(),
            leftAt: unpacker.optionalInt64())
    }
}

extension ImportedMessage {
    func pack(to packer: inout Packer) {
        packer.put(DerivedID.hex(uuid))
        packer.put(source)
        packer.put(path)
        packer.put(sender)
        packer.put(text)
        packer.put(sentAt)
        packer.put(replyTo.map(DerivedID.hex))
        packer.put(editedAt)
        packer.put(deletedAt)
        packer.put(revisions)
        packer.put(mentions)
        packer.put(reactions.count)
        for reaction in reactions {
            packer.put(reaction.person)
            packer.put(reaction.emoji)
            packer.put(reaction.at)
        }
        packer.put(starredBy)
        packer.put(hiddenFor)
        packer.put(file) { packer, file in
            packer.put(file.name)
            packer.put(file.address)
            packer.put(file.type)
        }
    }

    init(_ unpacker: inout Unpacker) {
        self.init(
            uuid: DerivedID.bytes(unpacker.text()), source: unpacker.text(), path: unpacker.text(),
            sender: unpacker.optionalText(), text: unpacker.text(), sentAt: unpacker.int64(),
            replyTo: unpacker.optionalText().map(DerivedID.bytes), editedAt: unpacker.optionalInt64(),
            deletedAt: unpacker.optionalInt64(), revisions: unpacker.texts(), mentions: unpacker.texts(),
            reactions: unpacker.list { Reaction(person: $0.text(), emoji: $0.text(), at: $0.int64()) },
            starredBy: unpacker.texts(), hiddenFor: unpacker.texts(),
            file: unpacker.optional { ImportedFile(name: $0.text(), address: $0.text(), type: $0.text()) })
    }
}

extension ImportedState {
    func pack(to packer: inout Packer) {
        packer.put(person)
        packer.put(readMessages.map(DerivedID.hex))
        packer.put(readAt)
        packer.put(unread)
        packer.put(deliveredMessage.map(DerivedID.hex))
        packer.put(isPinned)
        packer.put(isMuted)
        packer.put(isArchived)
        packer.put(firstMessage.map(DerivedID.hex))
    }

    init(_ unpacker: inout Unpacker) {
        self.init(
            person: unpacker.text(), readMessages: unpacker.texts().map(DerivedID.bytes),
            readAt: unpacker.optionalInt64(), unread: unpacker.optionalInt64(),
            deliveredMessage: unpacker.optionalText().map(DerivedID.bytes), isPinned: unpacker.bool(),
            isMuted: unpacker.bool(), isArchived: unpacker.bool(),
            firstMessage: unpacker.optionalText().map(DerivedID.bytes))
    }
}

extension DerivedID {
    /// The bytes of what ``hex(_:)`` wrote.
    static func bytes(_ hex: String) -> [UInt8] {
        let digits = Array(hex.utf8).map { UInt8($0 < 0x3A ? $0 - 0x30 : $0 - 0x57) }
        return stride(from: 0, to: digits.count - 1, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
    }
}

extension PersonRules.Piece {
    func pack(to packer: inout Packer) {
        switch self {
        case .fragment(let fragment):
            packer.put(0)
            fragment.pack(to: &packer)
        case .auth(let user, let path):
            packer.put(1)
            packer.put(user)
            packer.put(path)
        case .named(let name):
            packer.put(2)
            packer.put(name)
        case .beside(let value, let path):
            packer.put(3)
            packer.put(value)
            packer.put(path)
        case .seen(let user):
            packer.put(4)
            packer.put(user)
        }
    }

    init(_ unpacker: inout Unpacker) {
        switch unpacker.int() {
        case 0: self = .fragment(Fragment(&unpacker))
        case 1: self = .auth(unpacker.json(), path: unpacker.text())
        case 2: self = .named(unpacker.text())
        case 3: self = .beside(unpacker.json(), path: unpacker.text())
        default: self = .seen(unpacker.json())
        }
    }
}

extension TalkRules.Piece {
    func pack(to packer: inout Packer) {
        switch self {
        case .fragment(let fragment):
            packer.put(0)
            fragment.pack(to: &packer)
        case .sender(let person):
            packer.put(1)
            packer.put(person)
        }
    }

    init(_ unpacker: inout Unpacker) {
        self = unpacker.int() == 0 ? .fragment(Fragment(&unpacker)) : .sender(unpacker.text())
    }
}
