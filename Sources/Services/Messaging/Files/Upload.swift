import Reactor
import Schema
import ServiceKit
import Wire

/// An upload between two of its pieces. `FileUpload` is the message of it.
struct Upload: Sendable {
    var file: Attachment
    var conversation: ConversationNumber
    /// The attachment's in the conversation.
    var id: [UInt8]
    /// The offset in the file at which the request's body begins.
    var start: Int64
    var received: Int64
    var isAnew: Bool

    /// - Throws: ``HTTPProblem``.
    @ReactorActor
    init(_ request: HttpRequest, _ file: Attachment, _ link: FileLink, in files: Files) async throws {
        if let coding = request.header("content-encoding"), coding.lowercased() != "identity" {
            throw HTTPProblem(415, .invalid, "Content-Encoding is not supported. Upload the file as it is.")
        }
        let declared = request.header("upload-offset")
        guard let start = declared.map({ Int64($0) ?? -1 }) ?? (request.method == "PUT" ? 0 : nil), start >= 0 else {
            throw HTTPProblem(
                400, .invalid, "Upload-Offset is missing or invalid. Set it to the offset of this body's first byte.")
        }
        guard request.header("content-length").flatMap({ Int64($0) }) ?? 0 <= file.size - start else {
            throw HTTPProblem(413, .tooLarge, "The file exceeds its declared size of \(file.size) bytes.")
        }
        let received = try await files.received(file)
        (self.file, conversation, id) = (file, link.conversation, link.id)
        (self.start, self.received) = (start, received)
        isAnew = request.method == "PUT" && declared == nil && !file.isComplete
        guard isAnew || start == received else { throw FileFailure.otherOffset(received) }
    }

    static func reply(_ status: UInt32, offset: Int64, of size: Int64) -> HttpReply {
        HttpReply(
            status: status,
            headers: FileHeaders.open + [
                HttpHeader(name: "Upload-Offset", value: "\(offset)"),
                HttpHeader(name: "Upload-Length", value: "\(size)"),
                HttpHeader(name: "Cache-Control", value: "no-store"),
            ])
    }

    /// What the next piece needs. Gateways return it unchanged with that.
    var state: [UInt8] {
        let upload = FileUpload(
            object: file.object, sizeBytes: file.size, mimeType: file.mimeType, isComplete: file.isComplete,
            conversation: conversation.rawValue, id: id, start: start, received: received, beginsAnew: isAnew)
        return FileExchange(exchange: .upload(upload)).encode()
    }

    init(_ state: FileUpload) {
        file = Attachment(
            object: state.object, name: "", mimeType: state.mimeType, size: state.sizeBytes, width: 0, height: 0,
            isComplete: state.isComplete)
        (conversation, id) = (ConversationNumber(state.conversation), state.id)
        (start, received, isAnew) = (state.start, state.received, state.beginsAnew)
    }
}
