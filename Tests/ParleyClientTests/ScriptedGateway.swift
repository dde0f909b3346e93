import NIOCore
import NIOSSL
import NIOWebSocket
import SwiftProtobuf
import Synchronization

@testable import ParleyClient

/// A gateway that plays its services as far as the client's tests need them: tokens, conversations and messages. It can
/// lose Updates and replies on purpose.
final class ScriptedGateway: Sendable {
    struct State {
        var random = Seeded(state: 1)
        var sockets: [String: ServerSocket] = [:]
        var lastSession = 0
        var hellos: [String] = []
        var sends = 0
        /// The methods requested, in order.
        var requested: [String] = []
        var messages: [String: [Parley_V1_Message]] = [:]
        var conversations: [Parley_V1_Conversation] = []
        var epoch = "e1"
        /// The share of Updates, and of replies to `SendMessage`, that are lost.
        var loss = 0.0
        var accessToken = "access-0"
        var refreshToken = "refresh-0"
        var refreshes = 0
        /// The length of a session in microseconds.
        var sessionLength: Int64 = 900_000_000
        var answersPings = true
        /// A hello is answered only once this many requests have followed it, which are answered afterwards.
        var requestsBeforeWelcome = 0
        var held: [Parley_V1_Request] = []
        var heldHello: Parley_V1_Hello?
        /// Updates that follow each welcome at once.
        var afterWelcome: [Parley_V1_Update] = []
        /// Answers that replace the built-in ones, by method.
        var answers: [String: @Sendable (Parley_V1_Request) throws -> any MessageOfProtobuf] = [:]
    }

    let state = Mutex(State())
    private let server = Mutex<SocketServer?>(nil)
    var url: String { server.withLock { $0?.url ?? "" } }

    func start(tls: (@Sendable () -> NIOSSLContext)? = nil) async throws {
        let answering: @Sendable (ServerSocket, WebSocketFrame) -> Void = { [self] socket, frame in
            guard frame.opcode == .binary else {
                if frame.opcode == .connectionClose { socket.vanish() }
                return
            }
            guard let frame = try? Parley_V1_ClientFrame(frame: frame.unmaskedData) else { return socket.close(4005) }
            received(frame, socket)
        }
        let started = try await SocketServer.start(onFrame: answering, tls: tls)
        server.withLock { $0 = started }
    }

    func closeAll(_ code: UInt16?) {
        let sockets = state.withLock { state in
            defer { state.sockets = [:] }
            return state.sockets.values.map(\.self)
        }
        for socket in sockets {
            if let code { socket.close(code) } else { socket.vanish() }
        }
    }

    private func received(_ frame: Parley_V1_ClientFrame, _ socket: ServerSocket) {
        state.withLock { state in
            switch frame.frame {
            case .hello(let hello):
                state.hellos.append(hello.token)
                guard hello.token.isEmpty || hello.token == state.accessToken else {
                    return socket.close(4002, "expired")
                }
                guard state.requestsBeforeWelcome == 0 else { return state.heldHello = hello }
                welcome(hello, socket, &state)
            case .authenticate(let request):
                guard request.token == state.accessToken else { return socket.close(4002) }
                answer(socket) {
                    $0.authenticated.user = "me"
                    $0.authenticated.sessionEndsUs = now + state.sessionLength
                }
            case .ping(let ping):
                if state.answersPings { answer(socket) { $0.pong.id = ping.id } }
            case .request(let request):
                guard let hello = state.heldHello else { return serve(request, socket, &state) }
                state.held.append(request)
                guard state.held.count == state.requestsBeforeWelcome else { return }
                welcome(hello, socket, &state)
                for request in state.held { serve(request, socket, &state) }
                (state.heldHello, state.held) = (nil, [])
            case .setTimeZone, .setActivity: break
            case nil: socket.close(4005)
            }
        }
    }

    private func welcome(_ hello: Parley_V1_Hello, _ socket: ServerSocket, _ state: inout State) {
        state.lastSession += 1
        let session = "s\(state.lastSession)"
        state.sockets[session] = socket
        let length = state.sessionLength
        answer(socket) {
            $0.welcome.session = session
            $0.welcome.user = hello.token.isEmpty ? "" : "me"
            $0.welcome.cells = ["0"]
            $0.welcome.serverTimeUs = now
            $0.welcome.sessionEndsUs = hello.token.isEmpty ? 0 : now + length
        }
        for update in state.afterWelcome { answer(socket) { $0.update = update } }
    }

    private var now: Int64 { ServerClock().now() }

    private func answer(_ socket: ServerSocket, _ fill: (inout Parley_V1_ServerFrame) -> Void) {
        var frame = Parley_V1_ServerFrame()
        fill(&frame)
        if let bytes = try? frame.frame() { socket.send(bytes) }
    }

    private func serve(_ request: Parley_V1_Request, _ socket: ServerSocket, _ state: inout State) {
        var reply = Parley_V1_Reply()
        reply.id = request.id
        do {
            if let body = try body(for: request, socket, &state) {
                reply.body = try body.serializedData()
            } else {
                return
            }
        } catch {
            reply.error.code = (error as? ParleyError)?.code ?? "internal"
            reply.error.retryAfterMs = (error as? ParleyError)?.retryAfterMs ?? 0
        }
        answer(socket) { $0.reply = reply }
    }

    private func body(
        for request: Parley_V1_Request, _ socket: ServerSocket, _ state: inout State
    ) throws -> (any MessageOfProtobuf)? {
        state.requested.append(request.method)
        if let answer = state.answers[request.method] { return try answer(request) }
        switch request.method {
        case "presence.WatchPresence":
            let decoded = try Parley_V1_WatchPresenceRequest(serializedBytes: request.body)
            return Parley_V1_PresenceReply.with {
                $0.states = decoded.users.map { user in .with { ($0.user, $0.status) = (user, .online) } }
            }
        case "conversations.RefreshTokens":
            let decoded = try Parley_V1_RefreshTokensRequest(serializedBytes: request.body)
            guard decoded.refreshToken == state.refreshToken else {
                throw ParleyError(code: "refresh_refused", message: "")
            }
            state.refreshes += 1
            state.refreshToken = "refresh-\(state.refreshes)"
            state.accessToken = "access-\(state.refreshes)"
            return Parley_V1_SignedIn.with {
                $0.user.id = "me"
                $0.accessToken = state.accessToken
                $0.refreshToken = state.refreshToken
                $0.accessEndsUs = now + state.sessionLength
            }
        case "conversations.Sync":
            let decoded = try Parley_V1_ConversationsSyncRequest(serializedBytes: request.body)
            return Parley_V1_ConversationsSyncReply.with {
                $0.epoch = state.epoch
                $0.startOver = !decoded.epoch.isEmpty && decoded.epoch != state.epoch
                $0.position = Int64(state.conversations.count)
                $0.conversations = state.conversations.filter { $0.position > decoded.sincePosition }
            }
        case "messaging.Sync":
            let decoded = try Parley_V1_MessagingSyncRequest(serializedBytes: request.body)
            return Parley_V1_MessagingSyncReply.with {
                $0.epoch = state.epoch
                $0.startOver = !decoded.epoch.isEmpty && decoded.epoch != state.epoch
                $0.cursor = "c"
                $0.entries = state.messages.compactMap { conversation, messages in
                    .with {
                        $0.conversation = conversation
                        $0.lastSeq = Int64(messages.count)
                        $0.position = Int64(messages.count)
                    }
                }
            }
        case "messaging.GetHistory":
            let decoded = try Parley_V1_GetHistoryRequest(serializedBytes: request.body)
            let all = state.messages[decoded.conversation] ?? []
            let above = all.filter { $0.seq > decoded.afterSeq }
            return Parley_V1_GetHistoryReply.with {
                $0.messages = decoded.from == nil ? all.suffix(Int(decoded.limit)) : Array(above.prefix(7))
                $0.moreAfter = decoded.from != nil && above.count > 7
                $0.lastSeq = Int64(all.count)
            }
        case "messaging.GetChanges":
            let decoded = try Parley_V1_GetChangesRequest(serializedBytes: request.body)
            let above = (state.messages[decoded.conversation] ?? []).filter { $0.position > decoded.sincePosition }
            return Parley_V1_GetChangesReply.with {
                $0.epoch = state.epoch
                $0.messages = Array(above.prefix(5))
                $0.more = above.count > 5
                $0.position = above.prefix(5).last?.position ?? decoded.sincePosition
            }
        case "messaging.SendMessage":
            let decoded = try Parley_V1_SendMessageRequest(serializedBytes: request.body)
            state.sends += 1
            if state.sends % 5 == 3 { throw ParleyError(code: "rate_limited", message: "", retryAfterMs: 5) }
            let known = state.messages[decoded.conversation]?.first { $0.id == decoded.id }
            let origin = state.sockets.first { $0.value.channel === socket.channel }?.key
            let message = known ?? take(decoded.text, id: decoded.id, in: decoded.conversation, &state, except: origin)
            if Double.random(in: 0..<1, using: &state.random) < state.loss { return nil }
            return Parley_V1_SendMessageReply.with {
                ($0.seq, $0.position, $0.duplicate) = (message.seq, message.position, known != nil)
            }
        default: throw ParleyError(code: "unknown_method", message: request.method)
        }
    }

    /// Publishes an Update to all sessions.
    func publish(_ update: Parley_V1_Update) {
        for socket in state.withLock({ Array($0.sockets.values) }) { answer(socket) { $0.update = update } }
    }

    /// Takes a message of another user and publishes it to all sessions.
    func take(_ text: String, in conversation: String) {
        state.withLock { state in
            _ = take(text, id: .init(), in: conversation, &state, except: nil)
        }
    }

    private func take(
        _ text: String, id: BytesOfProtobuf, in conversation: String, _ state: inout State, except origin: String?
    ) -> Parley_V1_Message {
        var message = Parley_V1_Message()
        (message.conversation, message.text, message.id) = (conversation, text, id)
        message.seq = Int64(state.messages[conversation]?.count ?? 0) + 1
        message.position = message.seq
        state.messages[conversation, default: []].append(message)
        for (session, socket) in state.sockets where session != origin {
            if Double.random(in: 0..<1, using: &state.random) < state.loss { continue }
            answer(socket) {
                $0.update.stream = "messaging/c/\(conversation)"
                $0.update.position = message.position
                $0.update.kind = "Message"
                $0.update.body = (try? message.serializedData()) ?? .init()
            }
        }
        return message
    }
}
