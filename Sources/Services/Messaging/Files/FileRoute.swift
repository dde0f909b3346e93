import Reactor
import Schema
import ServiceKit
import Wire

/// HTTP for files: `HEAD`, `PATCH` and `PUT` on an upload link, `GET` and `HEAD` on a download link. Each piece is a
/// separate request, and `state` carries what the next one needs.
@ReactorActor
struct FileRoute {
    static let pieceBytes: Int64 = 256 * 1024

    let files: Files

    var route: HttpRoute {
        HttpRoute(
            path: FileLink.prefix, below: true, methods: Self.methods,
            headers: ["range", "if-range", "if-none-match", "upload-offset", "content-encoding", "content-length"],
            bodyBytesMax: files.bytesMax, cacheControl: "private, max-age=86400, immutable")
    }

    private static let methods = ["GET", "HEAD", "PATCH", "PUT", "OPTIONS"]

    func answer(_ piece: HttpPiece, _ call: RequestContext) async throws -> HttpReply {
        do {
            guard piece.request.state.isEmpty else { return try await goOn(piece) }
            return piece.request.method == "OPTIONS" ? Self.options : try await begin(piece)
        } catch let problem as HTTPProblem {
            return problem.reply(with: FileHeaders.open)
        } catch let refusal as Refusal where refusal.code != .unavailable {
            return HTTPProblem.ofContent(refusal).reply(with: FileHeaders.open)
        } catch let failure as FileFailure {
            switch failure {
            case .broken(let why), .unreachable(let why):
                call.log.error("a file request failed", metadata: ["why": "\(why)"])
            case .full: call.log.error("the disk has no room for files")
            case .otherOffset, .missing: break
            }
            return HTTPProblem(failure).reply(with: FileHeaders.open)
        } catch is WorkPool.Overloaded {
            throw Refusal.unavailable("The disk is busy. Try again shortly.", retryAfter: .seconds(1))
        }
    }

    private func goOn(_ piece: HttpPiece) async throws -> HttpReply {
        switch (try? FileExchange.decode(piece.request.state))?.exchange {
        case .upload(let upload): return try await receive(piece, Upload(upload))
        case .download(let download): return try await sendPiece(piece.request, download)
        // A replica of another version began it. A download goes on at its offset; an upload is told how far it is.
        case nil: return try await begin(piece)
        }
    }

    private func begin(_ piece: HttpPiece) async throws -> HttpReply {
        let path = piece.request.path
        let link: FileLink
        let imported = ImportLink(path: path)
        do throws(FileLink.Problem) {
            if let imported {
                link = imported.upload(until: files.clock.now + files.linkLifetime)
            } else {
                link = try FileLink(path: path, key: files.key, now: files.clock.now)
            }
        } catch {
            throw error == .expired ? HTTPProblem.expired : HTTPProblem.noFile
        }
        let file = try await files.database.first(
            MessagingStore.linkedAttachment, .number(link.conversation), .uuid(link.id), .number(link.account))
        guard let file else { throw HTTPProblem.noFile }
        if let imported {
            // By their hashes, so that the time tells nothing of how much of it is right.
            let isRight = Sodium.hash(Array(file.object.utf8)) == Sodium.hash(Array(imported.object.utf8))
            guard isRight, !file.isComplete else { throw HTTPProblem.noFile }
        }
        var reply = try await begin(piece, file, link)
        reply.account = link.account.rawValue
        return reply
    }

    private func begin(_ piece: HttpPiece, _ file: Attachment, _ link: FileLink) async throws -> HttpReply {
        let request = piece.request
        switch (link.purpose, request.method) {
        case (.upload, "HEAD"): return try await reportOffset(of: file, link)
        case (.upload, "PATCH"), (.upload, "PUT"):
            return try await receive(piece, try await Upload(request, file, link, in: files))
        case (.download, "GET"), (.download, "HEAD"):
            guard file.isComplete else { throw HTTPProblem.noFile }
            return try await download(file, id: link.id, request)
        default: throw HTTPProblem.method
        }
    }

    // MARK: Upload

    private func reportOffset(of file: Attachment, _ link: FileLink) async throws -> HttpReply {
        let received = try await files.received(file)
        if received == file.size, !file.isComplete {
            // All bytes arrived, but the process that received them died before it recorded that.
            try await files.finish(file, conversation: link.conversation, id: link.id)
        }
        return Upload.reply(200, offset: received, of: file.size)
    }

    private func receive(_ piece: HttpPiece, _ upload: Upload) async throws -> HttpReply {
        var upload = upload
        let request = piece.request
        let at = upload.start + request.bodyOffset
        guard at + Int64(piece.body.count) <= upload.file.size else {
            throw HTTPProblem(413, .tooLarge, "The file exceeds its declared size of \(upload.file.size) bytes.")
        }
        if !piece.body.isEmpty || upload.isAnew {
            upload.received = try await files.append(
                piece.body, to: upload.file.object, at: at, anew: upload.isAnew && request.bodyOffset == 0)
            upload.isAnew = false
        }
        guard request.bodyEnds else { return HttpReply(state: upload.state) }
        if upload.received == upload.file.size, !upload.file.isComplete {
            try await files.finish(upload.file, conversation: upload.conversation, id: upload.id)
        }
        return Upload.reply(204, offset: upload.received, of: upload.file.size)
    }

    // MARK: Download

    private func download(_ file: Attachment, id: [UInt8], _ request: HttpRequest) async throws -> HttpReply {
        let tag = "\"\(Hex.text(id))\""
        var headers = FileHeaders.ofDownload(file, tag: tag)
        if let known = request.header("if-none-match"), known == "*" || known.contains(tag) {
            return HttpReply(status: 304, headers: headers)
        }
        var range: FileRange? = .all(of: file.size)
        let isSame = request.header("if-range").map { $0 == tag } ?? true
        if isSame, let requested = request.header("range") { range = FileRange(requested, of: file.size) }
        guard let range else {
            headers.append(HttpHeader(name: "Content-Range", value: "bytes */\(file.size)"))
            return HttpReply(status: 416, headers: headers)
        }
        headers.append(HttpHeader(name: "Content-Length", value: "\(range.count)"))
        if !range.isAll {
            headers.append(
                HttpHeader(name: "Content-Range", value: "bytes \(range.first)-\(range.end - 1)/\(file.size)"))
        }
        var reply = HttpReply(status: range.isAll ? 200 : 206, headers: headers)
        guard request.method == "GET" else { return reply }
        let all = FileDownload(object: file.object, first: range.first, end: range.end)
        let first = try await sendPiece(request, all)
        (reply.body, reply.more, reply.state) = (first.body, first.more, first.state)
        return reply
    }

    private func sendPiece(_ request: HttpRequest, _ download: FileDownload) async throws -> HttpReply {
        let at = download.first + request.replyOffset
        guard request.replyOffset >= 0, at < download.end else { throw FileFailure.missing }
        let count = min(Self.pieceBytes, download.end - at)
        let bytes = try await files.read(download.object, at: at, Int(count))
        guard bytes.count == Int(count) else { throw FileFailure.missing }
        return HttpReply(
            body: bytes, more: at + count < download.end, state: FileExchange(exchange: .download(download)).encode())
    }

    private static let options = HttpReply(
        status: 204,
        headers: FileHeaders.open + [
            HttpHeader(name: "Access-Control-Allow-Methods", value: methods.joined(separator: ", ")),
            HttpHeader(
                name: "Access-Control-Allow-Headers", value: "Upload-Offset, Content-Type, Range, If-Range"),
            HttpHeader(name: "Access-Control-Max-Age", value: "86400"),
        ])
}

extension HttpRequest {
    func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }
}
