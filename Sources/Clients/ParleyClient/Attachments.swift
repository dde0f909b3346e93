import Foundation
import NIOCore
import NIOHTTP1
import SwiftProtobuf

/// Uploads and downloads of the files of messages. Transfers continue after an interruption and never hold a whole file
/// in memory.
extension ParleyClient {
    /// The bytes read from a file at a time.
    private static let pieceBytes = 128 * 1024
    /// A transfer fails after this many attempts in a row without progress.
    private static let attemptsMax = 10

    // MARK: Uploading

    /// Uploads a file for a message to a conversation. After an interruption it continues where it stopped; it fails
    /// after 10 attempts in a row without progress.
    /// - Parameters:
    ///   - name: the file name that others see; nil: the file's own.
    ///   - mimeType: nil: derived from the name's extension.
    ///   - id: the id of an upload that failed, to continue it; nil: a new upload.
    ///   - progress: called with the number of bytes uploaded so far.
    /// - Returns: the media of a message; ``send(_:as:text:to:id:)`` sends it.
    /// - Throws: the refusal, `unavailable`, `connection_lost`, `no_room` when the server's disk is full, `file_failed`
    ///   when the file cannot be read, `cancelled`.
    public func upload(
        fileAt path: String, to conversation: String, name: String? = nil, mimeType: String? = nil, id: UUIDv7? = nil,
        progress: (@Sendable (Int64) -> Void)? = nil
    ) async throws(ParleyError) -> Parley_V1_Media {
        let file = try LocalFile(reading: path)
        let name = name ?? URL(fileURLWithPath: path).lastPathComponent
        return try await upload(file, to: conversation, name: name, mimeType: mimeType, id: id, progress)
    }

    /// Uploads bytes in memory as a file; see ``upload(fileAt:to:name:mimeType:id:progress:)``.
    public func upload(
        _ bytes: [UInt8], to conversation: String, name: String, mimeType: String? = nil, id: UUIDv7? = nil
    ) async throws(ParleyError) -> Parley_V1_Media {
        try await upload(LocalBytes(bytes), to: conversation, name: name, mimeType: mimeType, id: id, nil)
    }

    private func upload(
        _ source: any UploadSource, to conversation: String, name: String, mimeType: String?, id: UUIDv7?,
        _ progress: (@Sendable (Int64) -> Void)?
    ) async throws(ParleyError) -> Parley_V1_Media {
        var request = Parley_V1_CreateAttachmentRequest()
        let id = id ?? newID()
        request.id = Data(id.bytes)
        (request.conversation, request.name, request.sizeBytes) = (conversation, name, source.size)
        request.mimeType = mimeType ?? FileTypes.type(of: name)
        let wanted = request
        return try await goingOn(source) { () async throws(ParleyError) in
            let room = try await call(MessagingMethods.createAttachment, key: conversation, wanted)
            if !room.complete { try await send(source, to: room.uploadPath, progress) }
            progress?(source.size)
            return .with {
                $0.attachment = wanted.id
                ($0.name, $0.mimeType, $0.sizeBytes) = (wanted.name, wanted.mimeType, wanted.sizeBytes)
            }
        }
    }

    /// Uploads a file to a link that somebody else made. After an interruption it continues where it stopped; it fails
    /// after 10 attempts in a row without progress. Needs no session.
    /// - Parameter link: the path of the upload.
    /// - Throws: as ``upload(fileAt:to:name:mimeType:id:progress:)``.
    package func upload(fileAt path: String, toLink link: String) async throws(ParleyError) {
        let file = try LocalFile(reading: path)
        try await goingOn(file) { () async throws(ParleyError) in try await send(file, to: link, nil) }
    }

    /// Repeats what sends a file until it succeeds, or does not get further.
    private func goingOn<Result>(
        _ source: any UploadSource, _ body: () async throws(ParleyError) -> Result
    ) async throws(ParleyError) -> Result {
        var (attempt, reached) = (0, Int64(-1))
        while true {
            do throws(ParleyError) {
                return try await body()
            } catch {
                guard error.isRetriable || error.hasCode(.conflict, .linkExpired, .internal) else { throw error }
                let now = source.reached
                attempt = now > reached ? 0 : attempt + 1
                reached = max(reached, now)
                guard attempt < Self.attemptsMax, !Task.isCancelled else { throw error }
                try await pause(error, attempt)
            }
        }
    }

    /// Sends the bytes that the server does not have yet, in one attempt.
    private func send(
        _ source: any UploadSource, to path: String, _ progress: (@Sendable (Int64) -> Void)?
    ) async throws(ParleyError) {
        let exchange = try fileExchange()
        do {
            let head = try await exchange.run(.HEAD, path)
            guard head.status == 200, let offset = head.number("upload-offset") else { throw Self.problem(head) }
            progress?(offset)
            source.seek(to: offset)
            if offset == source.size { return }
            let answer = try await exchange.run(
                .PATCH, path, headers: ["Upload-Offset": "\(offset)"], length: source.size - offset,
                next: {
                    let piece = try source.next(Self.pieceBytes)
                    progress?(source.reached)
                    return piece
                })
            guard answer.status == 204 else { throw Self.problem(answer) }
            guard answer.number("upload-offset") == source.size else {
                throw ParleyError.connectionLost("the transfer is incomplete")
            }
        } catch {
            throw ParleyError(wrapping: error)
        }
    }

    /// Sends a message with a file that was uploaded for it, or with one kept at another URL. Repeats and throws like
    /// ``sendReliably(_:to:id:)``.
    public func send(
        _ media: Parley_V1_Media, as kind: Parley_V1_MessageKind = .file, text: String = "", to conversation: String,
        id: UUIDv7? = nil
    ) async throws(ParleyError) -> Parley_V1_SendMessageReply {
        var request = Parley_V1_SendMessageRequest()
        request.id = .init((id ?? newID()).bytes)
        (request.conversation, request.kind, request.text, request.media) = (conversation, kind, text, media)
        return try await sendReliably(request)
    }

    // MARK: Downloading

    /// Returns a link to the file of a message, valid for 15 minutes, and the file's name, type and size.
    public func attachment(of seq: Int64, in conversation: String) async throws(ParleyError)
        -> Parley_V1_GetAttachmentReply
    {
        try await call(
            MessagingMethods.getAttachment, key: conversation,
            .with { ($0.conversation, $0.seq) = (conversation, seq) })
    }

    /// Returns a page of the files that I sent, oldest first.
    /// - Parameters:
    ///   - cursor: of the previous page; empty: the first page.
    ///   - limit: files per page, at most 200; zero: 50. A page may have fewer, or none, although more follow.
    public func sentAttachments(
        cursor: String = "", limit: UInt32 = 0
    ) async throws(ParleyError) -> Parley_V1_ListAttachmentsReply {
        try await call(
            MessagingMethods.listAttachments, key: user, .with { ($0.cursor, $0.limit) = (cursor, limit) })
    }

    /// Downloads the file of a message to a path. After an interruption it continues where it stopped; it fails after
    /// 10 attempts in a row without progress. Until the download is complete, its bytes are in a file beside `path`
    /// whose name ends in ".part"; a later call continues with that file.
    /// - Parameters:
    ///   - seq: the seq of the message.
    ///   - overwriting: whether a file at `path` is replaced.
    ///   - progress: called with the number of bytes downloaded so far.
    /// - Throws: the refusal, `unavailable`, `connection_lost`, `file_failed` when the file cannot be written or `path`
    ///   already exists, `cancelled`.
    @discardableResult
    public func download(
        _ seq: Int64, of conversation: String, to path: String, overwriting: Bool = false,
        progress: (@Sendable (Int64) -> Void)? = nil
    ) async throws(ParleyError) -> Parley_V1_Media {
        try await download(
            .with { ($0.conversation, $0.seq) = (conversation, seq) }, to: path, overwriting: overwriting, progress)
    }

    /// Downloads a file that I sent; see ``download(_:of:to:overwriting:progress:)``. Its message need not be readable.
    @discardableResult
    public func download(
        _ sent: Parley_V1_SentAttachment, to path: String, overwriting: Bool = false,
        progress: (@Sendable (Int64) -> Void)? = nil
    ) async throws(ParleyError) -> Parley_V1_Media {
        try await download(
            .with { ($0.conversation, $0.attachment) = (sent.conversation, sent.media.attachment) }, to: path,
            overwriting: overwriting, progress)
    }

    private func download(
        _ wanted: Parley_V1_GetAttachmentRequest, to path: String, overwriting: Bool,
        _ progress: (@Sendable (Int64) -> Void)?
    ) async throws(ParleyError) -> Parley_V1_Media {
        var (attempt, reached) = (0, Int64(-1))
        while true {
            var now: Int64 = 0
            do throws(ParleyError) {
                let found = try await call(MessagingMethods.getAttachment, key: wanted.conversation, wanted)
                let file = try LocalPart(of: path, media: found.media, overwriting: overwriting)
                defer { now = file.size }
                try await receive(found, into: file, progress)
                try file.finish()
                return found.media
            } catch {
                guard error.isRetriable || error.hasCode(.linkExpired, .internal) else { throw error }
                attempt = now > reached ? 0 : attempt + 1
                reached = max(reached, now)
                guard attempt < Self.attemptsMax, !Task.isCancelled else { throw error }
                try await pause(error, attempt)
            }
        }
    }

    private func receive(
        _ found: Parley_V1_GetAttachmentReply, into file: LocalPart, _ progress: (@Sendable (Int64) -> Void)?
    ) async throws(ParleyError) {
        let offset = file.size
        progress?(offset)
        guard offset < found.media.sizeBytes else { return }
        do {
            let answer = try await fileExchange().run(
                .GET, found.downloadPath, headers: offset > 0 ? ["Range": "bytes=\(offset)-"] : [:],
                receive: { head, bytes in
                    guard let bytes else {
                        if head.status != 206 { try file.begin() }
                        return
                    }
                    try file.append(bytes)
                    progress?(file.size)
                })
            guard 200..<300 ~= answer.status else { throw Self.problem(answer) }
            guard file.size == found.media.sizeBytes else {
                throw ParleyError.connectionLost("the transfer is incomplete")
            }
        } catch {
            throw ParleyError(wrapping: error)
        }
    }

    // MARK: Shared

    func fileExchange() throws(ParleyError) -> FileExchange {
        FileExchange(address: try address.get(), eventLoop: eventLoop, options: options.link)
    }

    private func pause(_ error: ParleyError, _ attempt: Int) async throws(ParleyError) {
        let wait = Duration.milliseconds(error.retryAfterMs) + options.backoff.wait(attempt: attempt)
        do { try await Task.sleep(for: wait) } catch { throw .cancelled }
    }

    /// What an answer without a body says, as those to HEAD are.
    private static func code(of status: Int) -> ParleyError.Code {
        switch status {
        case 415: .invalid
        case 403: .linkExpired
        case 408: .timeout
        case 409: .conflict
        case 413: .tooLarge
        case 429: .rateLimited
        case 500...: .unavailable
        default: .notFound
        }
    }

    /// The error that an unsuccessful answer stands for.
    static func problem(_ answer: FileExchange.Answer) -> ParleyError {
        struct Problem: Decodable {
            var code: String
            var message: String
        }
        let problem = try? JSONDecoder().decode(Problem.self, from: Data(answer.body.readableBytesView))
        let code = problem?.code ?? code(of: answer.status).rawValue
        // A full disk is not temporary, so this code is not retried.
        return ParleyError(
            code: answer.status == 507 ? ParleyError.Code.noRoom.rawValue : code,
            message: problem?.message ?? "The server answered with HTTP status \(answer.status).",
            retryAfterMs: answer.number("retry-after").map { UInt32(clamping: $0 * 1000) } ?? 0)
    }
}
