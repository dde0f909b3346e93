import Postgres
import Reactor
import Schema
import ServiceKit
import Wire

extension MessagingService {
    /// Creates an attachment for a conversation and returns a path to upload its file (M17).
    /// - Throws: ``Refusal`` `not_member`, `user_blocked`, `accept_first`, `id_in_use`, `id_too_old`, `id_from_future`,
    ///   `too_large`, `invalid`, `rate_limited`, `quota_reached`.
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
        try id.checkWindow(now: context.clock.now)
        try files.countNew(by: call.caller.account)
        let wanted = Attachment(
            object: Hex.text(Sodium.randomBytes(16)), name: name, mimeType: type, size: request.sizeBytes, width: 0,
            height: 0, isComplete: false)
        let (file, conversation) = try await directory.resolve(request.conversation) { conversation in
            (try await create(wanted, id: id, conversation: conversation.number, caller: call.caller), conversation)
        }
        guard file.size == wanted.size else {
            throw Refusal(.idInUse, "Another file of yours has this id. Use a new one.", field: "id")
        }
        let received = try await files.received(file)
        let link = files.path(.upload, conversation: conversation.number, id: id.bytes, for: call.caller.account)
        return CreateAttachmentReply(
            uploadPath: link.path, expiresAtUs: link.expiresAt.rawValue, receivedBytes: received,
            complete: file.isComplete)
    }

    /// Returns the attachment as stored: the one that was stored with this id first.
    private func create(_ file: Attachment, id: UUIDv7, conversation: ConversationNumber, caller: Caller) async throws
        -> Attachment
    {
        for _ in 0..<3 {
            let now = context.clock.now
            let result = try await context.database.transaction { [files] transaction in
                let result = try await transaction.first(
                    MessagingStore.createAttachment, .number(conversation), .uuid(id.bytes), .number(caller.account),
                    .text(file.object), .text(file.name), .text(file.mimeType), .int64(file.size), .number(now),
                    .int64(files.unsentMax))
                // The bytes are counted by now, under a lock, so that requests at the same time count together.
                if case .created = result { try await files.requireQuota(of: caller.account, in: transaction) }
                return result
            }
            switch result {
            case .created: return file
            case .existing(let first): return first
            case .retry: continue
            case .refused(let refusal): throw refusal
            case nil: throw Refusal.notMember
            }
        }
        throw Refusal.unavailable("Another request is using this id. Try again shortly.")
    }

    /// Returns a path to download the file of a message (M17).
    /// - Throws: ``Refusal`` `not_member`, `message_not_found`, `attachment_not_found`.
    func getAttachment(_ request: GetAttachmentRequest, _ call: RequestContext) async throws -> GetAttachmentReply {
        guard request.attachment.isEmpty else { return try await getOwnAttachment(request, call) }
        let (conversation, window) = try await window(request.conversation, of: call.caller)
        let seq = Seq(request.seq)
        guard seq >= window.lowest, seq <= window.highest else { throw Refusal.messageNotFound() }
        var found = try await context.database.query(
            MessagingStore.oldest, .number(conversation.number), .number(seq), .number(seq), .int64(1),
            .number(call.caller.account), .bool(window.hasMessageStates))
        show(&found, of: conversation.id)
        guard let message = found.first else { throw Refusal.messageNotFound() }
        guard let media = message.media, !media.attachment.isEmpty,
            let file = try await context.database.first(
                MessagingStore.attachment, .number(conversation.number), .uuid(media.attachment)), file.isComplete
        else { throw Refusal(Refusal.attachmentNotFound.code, "This message has no file.", field: "seq") }
        let link = files.path(
            .download, conversation: conversation.number, id: media.attachment, for: call.caller.account)
        return GetAttachmentReply(downloadPath: link.path, expiresAtUs: link.expiresAt.rawValue, media: media)
    }

    /// Returns a path to download a file that the caller sent (A5).
    /// - Throws: ``Refusal`` `attachment_not_found`, `invalid`.
    private func getOwnAttachment(
        _ request: GetAttachmentRequest, _ call: RequestContext
    ) async throws -> GetAttachmentReply {
        guard request.seq == 0 else { throw Refusal.invalid("seq", "cannot be combined with attachment") }
        let found = try await context.database.first(
            MessagingStore.sentAttachment, .number(call.caller.account), .text(request.conversation),
            .uuid(request.attachment), .number(context.clock.now))
        guard let found else {
            throw Refusal(
                Refusal.attachmentNotFound.code, "You sent no such file to this conversation, or it was deleted.",
                field: "attachment")
        }
        let link = files.path(.download, conversation: found.number, id: request.attachment, for: call.caller.account)
        return GetAttachmentReply(
            downloadPath: link.path, expiresAtUs: link.expiresAt.rawValue, media: found.attachment.media)
    }

    /// Returns a page of the files that the caller sent, oldest first (A5).
    /// - Throws: ``Refusal`` `invalid`.
    func listAttachments(
        _ request: ListAttachmentsRequest, _ call: RequestContext
    ) async throws -> ListAttachmentsReply {
        let limit = Page.limit(request.limit)
        let after = try AttachmentCursor(request.cursor)
        let rows = try await context.database.query(
            MessagingStore.sentAttachments, .number(call.caller.account), .number(after.createdAt),
            .number(after.conversation), .uuid(after.id), .number(context.clock.now), .int64(Int64(limit)))
        return ListAttachmentsReply(
            attachments: rows.filter(\.isShown).map(\.attachment),
            cursor: rows.count < limit ? "" : rows.last.map { AttachmentCursor($0).text } ?? "")
    }

    /// Returns the media of a message to send: its uploaded file, or an address elsewhere.
    /// - Throws: ``Refusal`` `invalid`.
    func media(
        _ declared: Media, of kind: MessageKind, by caller: Caller, in conversation: ConversationNumber
    ) async throws -> (media: Media, attachment: [UInt8]?) {
        guard !declared.attachment.isEmpty else {
            return (try AttachmentRules.elsewhere(declared, kind: kind), nil)
        }
        guard declared.url.isEmpty else {
            throw Refusal.invalid("media.url", "cannot be combined with media.attachment")
        }
        try AttachmentRules.checkShown(declared)
        let file = try await context.database.first(
            MessagingStore.attachmentToSend, .number(conversation), .uuid(declared.attachment), .number(caller.account))
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

/// The key of a file among those of its owner.
struct AttachmentCursor: Cursor {
    var createdAt: Timestamp
    var conversation: ConversationNumber
    var id: [UInt8]

    init(createdAt: Timestamp, conversation: ConversationNumber, id: [UInt8]) {
        (self.createdAt, self.conversation, self.id) = (createdAt, conversation, id)
    }

    init(_ row: SentAttachmentRow) {
        self.init(
            createdAt: Timestamp(row.attachment.createdAtUs), conversation: row.number,
            id: row.attachment.media?.attachment ?? [])
    }

    static let start = AttachmentCursor(createdAt: 0, conversation: 0, id: [UInt8](repeating: 0, count: 16))

    init(_ parts: inout CursorParts) throws(CursorParts.Invalid) {
        self.init(createdAt: try parts.number(), conversation: try parts.number(), id: try parts.bytes(16))
    }

    var text: String { "\(createdAt).\(conversation).\(Hex.text(id))" }
}
