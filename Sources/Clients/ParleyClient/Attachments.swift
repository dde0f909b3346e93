import Foundation
import NIOCore
import NIOHTTP1
import SwiftProtobuf

/// Files of messages: up in pieces that survive a cut, down again likewise, neither ever as a whole in memory.
extension ParleyClient {
    /// Bytes of a file at a time.
    private static let pieceBytes = 128 * 1024
    /// So many attempts in a row that brought nothing further are enough.
    private static let attemptsMax = 10

    // MARK: Up

    /// Uploads a file for a message to a conversation; goes on where it was cut off, for as long as it gets on.
    /// - Parameters:
    ///   - name: as others see it; nil: the file's own.
    ///   - mimeType: nil: by the name.
    ///   - id: of an upload that was given up, to go on with it.
    ///   - progress: how many bytes the server has.
    /// - Returns: what a message carries as its media (``media(_:of:text:to:)`` sends it).
    /// - Throws: the refusal, `unavailable`, `file_failed` when the file cannot be read, `cancelled`.
    public func upload(
        fileAt path: String, to conversation: String, name: String? = nil, mimeType: String? = nil, id: UUIDv7? = nil,
        progress: (@Sendable (Int64) -> Void)? = nil
    ) async throws(ParleyError) -> Parley_V1_Media {
        let file = try LocalFile(reading: path)
        let name = name ?? URL(fileURLWithPath: path).lastPathComponent
        return try await upload(file, to: conversation, name: name, mimeType: mimeType, id: id, progress)
    }

    /// Uploads bytes; see ``upload(fileAt:to:name:mimeType:id:progress:)``.
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
        var (attempt, reached) = (0, Int64(-1))
        while true {
            do throws(ParleyError) {
                let room = try await call(MessagingMethods.createAttachment, key: conversation, request)
                if !room.complete { try await send(source, to: room.uploadPath, progress) }
                progress?(source.size)
                return .with {
                    $0.attachment = request.id
                    ($0.name, $0.mimeType, $0.sizeBytes) = (request.name, request.mimeType, request.sizeBytes)
                }
            } catch {
                guard error.isRetriable || error.code == "conflict" || error.code == "link_expired" else { throw error }
                let now = source.reached
                attempt = now > reached ? 0 : attempt + 1
                reached = max(reached, now)
                guard attempt < Self.attemptsMax, !Task.isCancelled else { throw error }
                try await pause(error, attempt)
            }
        }
    }

    /// Sends what the server has not; once.
    private func send(
        _ source: any UploadSource, to path: String, _ progress: (@Sendable (Int64) -> Void)?
    ) async throws(ParleyError) {
        let exchange = try fileExchange()
        do {
            let told = try await exchange.run(.HEAD, path)
            guard told.status == 200, let offset = told.number("upload-offset") else { throw Self.problem(told) }
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
            guard answer.number("upload-offset") == source.size else { throw ParleyError.connectionLost("it was cut") }
        } catch {
            throw ParleyError(wrapping: error)
        }
    }

    /// Sends a message with a file that was uploaded for it, or one that is kept elsewhere.
    public func send(
        _ media: Parley_V1_Media, as kind: Parley_V1_MessageKind = .file, text: String = "", to conversation: String,
        id: UUIDv7? = nil
    ) async throws(ParleyError) -> Parley_V1_SendMessageReply {
        var request = Parley_V1_SendMessageRequest()
        request.id = .init((id ?? newID()).bytes)
        (request.conversation, request.kind, request.text, request.media) = (conversation, kind, text, media)
        return try await sendReliably(request)
    }

    // MARK: Down

    /// Where to download the file of a message, for some minutes.
    public func attachment(of seq: Int64, in conversation: String) async throws(ParleyError)
        -> Parley_V1_GetAttachmentReply
    {
        try await call(
            MessagingMethods.getAttachment, key: conversation,
            .with { ($0.conversation, $0.seq) = (conversation, seq) })
    }

    /// Downloads the file of a message to a path; goes on where it was cut off, for as long as it gets on. Until it is
    /// complete it stands beside that path, under a name that ends in ".part"; a later call goes on with that.
    /// - Throws: the refusal, `unavailable`, `file_failed` when the file cannot be written or something is there
    ///   already, `cancelled`.
    @discardableResult
    public func download(
        _ seq: Int64, of conversation: String, to path: String, overwriting: Bool = false,
        progress: (@Sendable (Int64) -> Void)? = nil
    ) async throws(ParleyError) -> Parley_V1_Media {
        var (attempt, reached) = (0, Int64(-1))
        while true {
            var now: Int64 = 0
            do throws(ParleyError) {
                let found = try await attachment(of: seq, in: conversation)
                let file = try LocalPart(of: path, media: found.media, overwriting: overwriting)
                defer { now = file.size }
                try await receive(found, into: file, progress)
                try file.finish()
                return found.media
            } catch {
                guard error.isRetriable || error.code == "link_expired" else { throw error }
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
            guard file.size == found.media.sizeBytes else { throw ParleyError.connectionLost("it was cut") }
        } catch {
            throw ParleyError(wrapping: error)
        }
    }

    // MARK: Both

    private func fileExchange() throws(ParleyError) -> FileExchange {
        FileExchange(address: try address.get(), eventLoop: eventLoop, options: options.link)
    }

    private func pause(_ error: ParleyError, _ attempt: Int) async throws(ParleyError) {
        let wait = Duration.milliseconds(error.retryAfterMs) + options.backoff.wait(attempt: attempt)
        do { try await Task.sleep(for: wait) } catch { throw .cancelled }
    }

    /// An answer that says no, as an error.
    private static func problem(_ answer: FileExchange.Answer) -> ParleyError {
        struct Said: Decodable {
            var code: String
            var message: String
        }
        let said = try? JSONDecoder().decode(Said.self, from: Data(answer.body.readableBytesView))
        let code = said?.code ?? (answer.status >= 500 ? "unavailable" : "not_found")
        // No room is not mended by asking again.
        return ParleyError(
            code: answer.status == 507 ? "no_room" : code,
            message: said?.message ?? "The server answered \(answer.status).",
            retryAfterMs: answer.number("retry-after").map { UInt32(clamping: $0 * 1000) } ?? 0)
    }
}
