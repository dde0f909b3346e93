extension Places {
    /// What ``ExportReading`` calls the fields of records.
    static let exports: Places = {
        // Not from outside.
        guard let places = try? Places(own: textOfExports, yaml: "") else { fatalError("the map of exports is wrong") }
        return places
    }()

    private static let textOfExports = """
        fields:
          person:
            name: [name]
            username: [username]
            email: [email]
            confirmed: [confirmed]
            photo: [photo]
            time: [time]
          conversation:
            members: [members]
            details: [details]
            kind: [kind]
            name: [name]
            photo: [photo]
            time: [time]
            creator: [creator]
            admins: [admins]
            status: [status]
            requester: [requester]
            seen: [seen]
          message:
            sender: [sender]
            text: [text]
            time: [time]
            kind: [kind]
            media: [media]
            file: [file]
            reply: [reply]
            deleted: [deleted]
            deletedAt: [deletedAt]
            edited: [edited]
            editedAt: [editedAt]
            reactions: [reactions]
            mentions: [mentions]
          state:
            message: [message]
            read: [read]
            pinned: [pinned]
            muted: [muted]
            archived: [archived]
            cleared: [cleared]
          mark:
            message: [message]
            conversation: [conversation]
            reason: [reason]
          event:
            title: [title]
            date: [date]
            clock: [clock]
            minutes: [minutes]
            location: [location]
            user: [user]
            time: [time]
            conversation: [conversation]
            message: [message]
            attendees: [attendees]
          reminder:
            user: [user]
            title: [title]
            due: [due]
            zone: [zone]
            conversation: [conversation]
            message: [message]
            done: [done]
            time: [time]
          decision:
            user: [user]
            text: [text]
            conversation: [conversation]
            message: [message]
            time: [time]
        """
}
