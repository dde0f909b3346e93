extension Places {
    /// The built-in map, as `--print-map` shows it.
    package static let text = """
        # Where a Firebase app keeps its records, for "parley import firebase --map FILE". Paths are those of
        # Realtime Database and Firestore alike; a name in braces stands for any key. Of several names of a field the
        # first that a record has counts; a dot goes into an object. A file needs only what differs.
        places:
          person: ["users/{user}", "userProfiles/{user}"]
          block: ["users/{user}/blockedUsers/{other}"]
          chat: ["users/{user}/chats/{conversation}"]
          conversation:
            - "conversations/{conversation}"
            - "conversations/{conversation}/metadata"
            - "chats/{conversation}/metadata"
          members: ["conversationMembers/{conversation}"]
          message:
            - "conversations/{conversation}/activeMessages/{message}"
            - "conversations/{conversation}/messages/{message}"
            - "chats/{conversation}/messages/{message}"
          state: ["userConversations/{user}/{conversation}"]
          mark: ["users/{user}/mentionedMessages/{mark}"]
          presence: ["presence/{user}"]
          request: ["messageRequests/{request}"]
          event: ["events/{entity}"]
          reminder: ["reminders/{entity}"]
          decision: ["decisions/{entity}"]
        fields:
          person:
            name: [displayName, name, fullName]
            username: [username, userName]
            email: [email]
            photo: [photoURL, profilePictureURL, photoUrl, profileImageURL, avatarUrl]
            time: [createdAt]
            derived: [id, uid]
          block:
            time: [blockedAt, timestamp]
          chat:
            name: [title, name]
            time: [timestamp, lastMessageTimestamp]
            derived: [lastMessage]
          conversation:
            members: [memberIds, participantIDs, participants, members]
            details: [memberDetails]
            names: [participantNames]
            photos: [participantPhotos]
            kind: [type, kind]
            group: [isGroup]
            name: [name, title, groupName]
            photo: [photoURL, imageUrl]
            time: [createdAt]
            creator: [createdBy, creatorId]
            admins: [adminIds, admins]
            status: [conversationStatus]
            requester: [requesterId]
            seen: [requestReadBy]
            unread: [unreadCount]
            archived: [archivedBy]
            changed: [updatedAt, lastActivity, lastMessageTimestamp, lastMessageTime]
            derived: [id, lastMessage, lastMessageSenderId, typingUsers, totalMessages]
          members:
            joined: [joinedAt]
          message:
            sender: [senderId, senderID, from, userId]
            senderName: [senderName]
            text: [text, content, body, message]
            time: [timestamp, sentAt, createdAt, time]
            kind: [type]
            media: [mediaUrl, mediaURL, imageUrl, fileUrl]
            reply: [replyToMessageId, replyTo]
            read: [readBy, finalDeliveryStatus.read]
            delivered: [deliveryStatus, finalDeliveryStatus.delivered]
            deleted: [isDeleted, deleted]
            deletedAt: [deletedAt]
            edited: [isEdited, edited]
            editedAt: [editedAt]
            reactions: [reactions]
            mentions: [mentions, mentionedUserIds]
            hidden: [deletedFor, deletedBy]
            derived: [id, conversationId, finalDeliveryStatus.failed, status]
          state:
            message: [lastReadMessageId]
            read: [lastReadTimestamp, lastReadAt]
            unread: [unreadCount]
            pinned: [isPinned]
            muted: [isMuted]
            archived: [isArchived]
            derived: [conversationId, lastMessageTimestamp]
          mark:
            message: [messageId]
            conversation: [conversationId, chatId]
            reason: [reason, type]
            time: [timestamp, createdAt]
          request:
            conversation: [conversationId]
            requester: [fromUserId]
            recipient: [toUserId]
            seen: [isRead]
            time: [createdAt]
            derived: [id, fromUserName, fromUserPhoto]
          event:
            title: [title]
            date: [date]
            clock: [time]
            location: [location]
            user: [creatorUserId]
            time: [createdAt]
            conversation: [createdInConversationId]
            message: [createdAtMessageId]
            invitations: [invitations]
            attendees: [attendees]
          reminder:
            user: [userId]
            title: [title]
            due: [dueDate]
            conversation: [conversationId]
            message: [sourceMessageId]
            done: [completed, isCompleted]
            time: [createdAt]
          decision:
            user: [userId]
            text: [text]
            conversation: [conversationId]
            message: [sourceMessageId]
            time: [timestamp, createdAt]
        """
}
