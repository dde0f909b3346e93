import Postgres
import Reactor
import Schema
import ServiceKit
import Wire

extension MessagingService {
    /// Creates an attachment for a conversation and returns a path to upload its file (M17).
    /// - Throws: ``Refusal`` `not_member`, `user_blocked`, `accept_first`, `id_in_use`, `id_too_old`, `id_from_future`,
    ///   `too_large`, `invalid`, `rate_limited`.
    func createAttachment(_ request: CreateAttachmentRequest, _ call: RequestContext) async throws
        -> CreateAttachmentReply
    {
        let id = try UUIDv7(request.id)
        let name = try AttachmentRules.name(request.name)
        let type = try AttachmentRules.type(request.mimeType)
        guard request.sizeBytes > 0 else { throw Refusal.invalid("size_bytes", "must be greater than zero") }
        guard request.sizeBytes <= files.bytesMax else {
            throw Refusal(.tooLarge, "A file can have at most \(files.bytesMax) bytes.", field: "size_bytes")
        }
        guard let conversation = ConversationID(request.conversation) else { throw Refusal.notMember }
        try id.checkWindow(now: context.clock.now)
        try files.countNew(by: call.caller.account)
        let known = directory.known(conversation)
        let number = if let known { known } else { try await directory.number(of: conversation) ?? Self.nowhere }
        var file = Attachment(
            object: Hex.text(Sodium.randomBytes(16)), name: name, mimeType: type, size: request.sizeBytes, width: 0,
            height: 0, isComplete: false)
        switch try await create(file, id: id, conversation: number, caller: call.caller) {
        case .created, .retry: break
        case .existing(let first):
            guard first.size == file.size else {
                throw Refusal("id_in_use", "Another file of yours has this id. Use a new one.", field: "id")
            }
            file = first
        case .refused(let refusal):
            // A nonexistent id is looked up each time. Do the same here, so that the caller cannot distinguish the two.
            if known != nil, refusal == .notMember { _ = try await directory.number(of: conversation) }
            throw refusal
        }
        let received = try await files.received(file)
        let link = files.path(.upload, conversation: number, id: id.bytes)
        return CreateAttachmentReply(
            uploadPath: link.path, expiresAtUs: link.expiresAt, receivedBytes: received, complete: file.isComplete)
    }

    private func create(_ file: Attachment, id: UUIDv7, conversation: Int64, caller: Caller) async throws
        -> AttachmentCreation
    {
        for _ in 0..<3 {
            let result = try await context.database.first(
                MessagingStore.createAttachment, .int64(conversation), .uuid(id.bytes), .int64(caller.account),
                .text(file.object), .text(file.name), .text(file.mimeType), .int64(file.size),
                .int64(context.clock.now), .int64(files.unsentMax))
            if let result, case .retry = result { continue }
            return result ?? .refused(.notMember)
        }
        throw Refusal.unavailable("Another request is using this id. Try again shortly.")
    }

    /// Returns a path to download the file of a message (M17).
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
        else { throw Refusal(Refusal.attachmentNotFound.code, "This message has no file.", field: "seq") }
        let link = files.path(.download, conversation: conversation.number, id: media.attachment)
        return GetAttachmentReply(downloadPath: link.path, expiresAtUs: link.expiresAt, media: media)
    }

    /// Returns the media of a message to send: its uploaded file, or an address elsewhere.
    /// - Throws: ``Refusal`` `invalid`.
    func media(
        _ declared: Media, of kind: MessageKind, by caller: Caller, in conversation: Int64
    ) async throws -> (media: Media, attachment: [UInt8]?) {
        guard !declared.attachment.isEmpty else {
            return (try AttachmentRules.elsewhere(declared, kind: kind), nil)
        }
        guard declared.url.isEmpty else {
            throw Refusal.invalid("media.url", "cannot be combined with media.attachment")
        }
        try AttachmentRules.checkShown(declared)
        let file = try await context.database.first(
            MessagingStore.attachmentToSend, .int64(conversation), .uuid(declared.attachment), .int64(caller.account))
        // `send_batch` decides between refused and duplicate. A duplicate returns the first result, whatever media is
        // passed here. Nothing from the client is used unchecked.
        guard let file else { return (Media(attachment: declared.attachment), Self.noAttachment) }
        try AttachmentRules.check(kind, of: file.mimeType)
        let hasDimensions = file.width > 0 && file.height > 0
        let media = Media(
            attachment: declared.attachment, name: file.name, mimeType: file.mimeType, sizeBytes: file.size,
            width: hasDimensions ? UInt32(file.width) : declared.width,
            height: hasDimensions ? UInt32(file.height) : declared.height,
            durationMs: declared.durationMs, thumbnail: declared.thumbnail)
        return (media, declared.attachment)
    }
}
