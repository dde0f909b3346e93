import Foundation
import NIOCore
import NIOPosix
import SwiftProtobuf

extension ParleyClient {
    /// Answers requests in this process, in the place of a server: a method's name and a request in, a reply out.
    package typealias Answering = @Sendable (_ method: String, _ body: Data) async throws(ParleyError) -> Data

    /// Creates a client without a server, for a double. It is connected at once, and gets no Updates.
    package init(answering: @escaping Answering) {
        self.init(
            url: "ws://localhost", options: Options(), store: nil, group: MultiThreadedEventLoopGroup.singleton,
            answering: answering)
    }

    func answer<Request, Reply>(
        _ method: Method<Request, Reply>, _ body: ByteBuffer, by answering: Answering
    ) async throws(ParleyError) -> Reply {
        let reply = try await answering(method.name, Data(body.readableBytesView))
        do {
            return try Reply(serializedBytes: reply)
        } catch {
            throw ParleyError.invalidFrame("\(error)")
        }
    }
}
