import Postgres
import Reactor
import Schema
import ServiceKit
import Wire

extension MessagingService {
    /// Makes room for a file to be sent to a conversation (M17).
    /// - Throws: ``Refusal`` `not_member`, `user_blocked`, `accept_first`, `id_in_use`, `id_too_old`, `id_from_future`,
    ///   `too_large`, `invalid`, `rate_limited`.
    func createAttachment(_ request: CreateAttachmentRequest, _ call: RequestContext) async throws
        -> CreateAttachmentReply
    {
        let id = try UUIDv7(request.id)
        let name = try AttachmentRules.name(request.name)
        let type = try AttachmentRules.type(request.mimeType)
        guard request.sizeBytes > 0 else { throw Refusal.invalid("size_bytes", "must be above zero") }
        guard request.sizeBytes <= files.bytesMax else {
            throw Refusal(.tooLarge, "A file may have \(files.bytesMax) bytes.", field: "size_bytes")
        }
        guard let conversation = ConversationID(request.conversation) else { throw Refusal.notMember }
        try id.checkWindow(now: context.clock.now)
        try files.countNew(by: call.caller.account)
        let known = directory.known(conversation)
        let number = if let known { known } else { try await directory.number(of: conversation) ?? Self.nowhere }
        var file = Attachment(
            object: Hex.text(Sodium.randomBytes(16)), name: name, mimeType: type, size: request.sizeBytes, width: 0,
            height: 0, isComplete: false)
        switch try await makeRoom(for: file, id: id, conversation: number, caller: call.caller) {
        case .made, .again: break
        case .known(let first):
            guard first.size == file.size else {
                throw Refusal("id_in_use", "You have made another file with this id; make a new one.", field: "id")
            }
            file = first
        case .refused(let refusal):
            // One that is not there is looked up each time; so is one that is not theirs.
            if known != nil, refusal == .notMember { _ = try await directory.number(of: conversation) }
            throw refusal
        }
        let received = try await files.received(file)
        let link = files.path(.upload, conversation: number, id: id.bytes)
        return CreateAttachmentReply(
            uploadPath: link.path, expiresAtUs: link.expiresAt, receivedBytes: received, complete: file.isComplete)
    }

    private func makeRoom(for file: Attachment, id: UUIDv7, conversation: Int64, caller: Caller) async throws
        -> RoomMade
    {
        for _ in 0..<3 {
            let made = try await context.database.first(
                MessagingStore.makeRoom, .int64(conversation), .uuid(id.bytes), .int64(caller.account),
                .text(file.object), .text(file.name), .text(file.mimeType), .int64(file.size),
                .int64(context.clock.now), .int64(files.unsentMax))
            if let made, case .again = made { continue }
            return made ?? .refused(.notMember)
        }
        throw Refusal.unavailable("Others make files with this id.")
    }

    /// Where to download the file of a message (M17).
    /// - Throws: ``Refusal`` `not_member`, `message_not_found`, `attachment_not_found`.
    func getAttachment(_ request: GetAttachmentRequest, _ call: RequestContext) async throws -> GetAttachmentReply {
        let (conversation, window) = try await window(request.conversation, of: call.caller)
        guard request.seq >= window.lowest, request.seq <= window.highest else { throw Refusal.messageNotFound() }
        var found = try await context.database.query(
            MessagingStore.oldest, .int64(conversation.number), .int64(request.seq), .int64(request.seq), .int64(1),
            .int64(call.caller.account), .bool(window.hasMessageStates))
        show(&found, of: conversation.id)
        guard let message = found.first else { throw Refusal.messageNotFound() }
        guard let media = message.media, !media.attachment.isEmpty,
            let file = try await context.database.first(
                MessagingStore.attachment, .int64(conversation.number), .uuid(media.attachment)), file.isComplete
        else { throw Refusal(Refusal.attachmentNotFound.code, "There is no file in this message.", field: "seq") }
        let link = files.path(.download, conversation: conversation.number, id: media.attachment)
        return GetAttachmentReply(downloadPath: link.path, expiresAtUs: link.expiresAt, media: media)
    }

    /// The media of a message to send: its file as it was found, or an address elsewhere.
    /// - Throws: ``Refusal`` `invalid`.
    func media(
        _ said: Media, of kind: MessageKind, by caller: Caller, in conversation: Int64
    ) async throws -> (media: Media, attachment: [UInt8]?) {
        guard !said.attachment.isEmpty else { return (try AttachmentRules.elsewhere(said, kind: kind), nil) }
        guard said.url.isEmpty else { throw Refusal.invalid("media.url", "give an attachment or an address, not both") }
        try AttachmentRules.checkShown(said)
        let file = try await context.database.first(
            MessagingStore.attachmentToSend, .int64(conversation), .uuid(said.attachment), .int64(caller.account))
        // Sending says which it is: refused, or sent already. Of one that was sent before the first result is told,
        // whatever this says; nothing is taken from the client unchecked.
        guard let file else { return (Media(attachment: said.attachment), Self.noAttachment) }
        try AttachmentRules.check(kind, of: file.mimeType)
        let hasDimensions = file.width > 0 && file.height > 0
        let media = Media(
            attachment: said.attachment, name: file.name, mimeType: file.mimeType, sizeBytes: file.size,
            width: hasDimensions ? UInt32(file.width) : said.width,
            height: hasDimensions ? UInt32(file.height) : said.height,
            durationMs: said.durationMs, thumbnail: said.thumbnail)
        return (media, said.attachment)
    }
}
