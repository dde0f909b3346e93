import Foundation
import ParleyClient

/// The attacks by name. Each is bounded in connections and bytes, whatever the server allows.
enum AttackKind: String, CaseIterable, Sendable {
    case frames, places, searches, unread, signins, uploads, heads, requests, chunks, proxied
    case badges, agendas, texts, numbers, rules, answers, reminders, blocks, resets

    var abstract: String {
        switch self {
        case .frames: "64 sessions that are not signed in send empty frames and fragments, 10 Mbit/s in all"
        case .places: "1,000 connections a second take places and keep them by pings, up to 3,000 at a time"
        case .searches: "32 sessions of one account search, 20 times a second each"
        case .unread: "200 sessions of one account ask for history and read nothing, again whenever they are ended"
        case .signins: "150 addresses sign in with wrong passwords, 500 times a second in all"
        case .badges: "8 sessions of one account in 1,000 conversations ask for its badge, 96 times a second in all"
        case .agendas: "8 sessions of one account with 100 daily events ask for a year of dates, 100 times a second"
        case .texts: "one account writes long texts of numbers to itself, 20 a second"
        case .numbers: "one account sends texts and rules of events with numbers that no date has, 20 a second"
        case .rules: "one account creates events whose thousandth date is the dearest to find, 20 a second"
        case .answers: "ten accounts answer an event of 150 people with the longest notes, 100 times a second in all"
        case .reminders: "reminders of twenty accounts are due at one moment, 4,000 for each second that is measured"
        case .blocks:
            "one account blocks and unblocks 100 times a second, and tries all that reaches a friend who blocks it"
        case .heads: "2,000 connections from 50 addresses send 360 MB of requests one after the other, and read nothing"
        case .requests: "4 connections send requests as fast as they are taken"
        case .chunks: "16 connections send a body in chunks of one byte, as fast as they are taken"
        case .proxied: "a client sends requests as fast as they are answered, on a connection that a proxy shares"
        case .resets:
            "a client asks for new passwords and tries codes, of somebody's address and of nobody's, to tell them apart"
        case .uploads: "256 uploads from four addresses send 600 bytes a second each; 200 (--rate) a second begin"
        }
    }

    /// What is measured of the friends besides a send.
    var probes: [AttackProbe] {
        switch self {
        case .frames: [.send, .storm]
        case .unread, .heads, .requests, .chunks, .resets: [.send]
        case .proxied: [.send, .shared]
        case .places: [.send, .connect]
        case .searches: [.send, .history, .storm]
        case .badges, .blocks: [.send, .history]
        case .reminders: [.send, .due]
        case .agendas, .texts, .numbers, .rules, .answers: [.send, .reminders]
        case .signins: [.send, .signIn, .storm]
        case .uploads: [.send, .upload, .storm]
        }
    }

    /// Whether the friends' p50 during the attack decides the exit code.
    var isDecided: Bool { ![.places, .unread].contains(self) }

    /// How many MiB the gateway and the kernel may need more while it is attacked; nil: it is not decided.
    var memoryMax: Double? { self == .heads ? 100 : nil }
}

/// What an attack is aimed at, and what it knows.
struct AttackTarget: Sendable {
    var port: UInt16
    /// The attacker's access token.
    var token: String
    /// The attacker's largest conversation.
    var conversation: String
    var lastSeq: Int64
    /// The path of an upload link of the attacker's.
    var upload: String
    /// How many uploads begin a second.
    var uploadsPerSecond: Int
    var shared: SharedConnection
    /// The event that is answered, and the tokens of those who answer.
    var event = Data()
    var otherTokens: [String] = []
    /// The sessions of the people of the event.
    var crowd: [ParleyClient] = []
    /// The attacker's user id, and what they share with the friend who blocks them.
    var user = ""
    var common = BlockingFriend.Common()
    var blocking: BlockingFriend?
    /// Who learns whose an address is.
    var guesser: AddressGuesser?
    /// The reminders of the people with ``otherTokens``.
    var reminders: DueReminders?
}

/// One attacker, whose rounds a thread of its own repeats.
protocol Attack: AnyObject {
    /// Does a few milliseconds' work at most.
    /// - Parameter elapsed: the time since the round before.
    func round(after elapsed: Duration) throws
    var sockets: [AttackSocket] { get }
}

extension AttackKind {
    func make(_ target: AttackTarget) throws -> any Attack {
        switch self {
        case .frames: try FramesAttack(target)
        case .places: try PlacesAttack(target)
        case .searches: try RequestsAttack.searches(target)
        case .badges: try RequestsAttack.badges(target)
        case .agendas: try RequestsAttack.agendas(target)
        case .texts: try RequestsAttack.texts(target)
        case .numbers: try RequestsAttack.numbers(target)
        case .rules: try RequestsAttack.rules(target)
        case .answers: try RequestsAttack.answers(target)
        case .blocks: try RequestsAttack.blocks(target)
        case .reminders:
            // They only keep their sessions, to which the reminders go.
            try RequestsAttack(
                target, sessions: target.otherTokens.count, perSecond: 20, [AttackBytes.ping])
        case .resets: QuietAttack()
        case .unread: try UnreadAttack(target)
        case .signins: try SignInsAttack(target)
        case .uploads: try UploadsAttack(target)
        case .heads: HeadsAttack(target)
        case .requests: FullSpeedAttack(target, count: 4, opening: [], repeating: HTTPBytes.heads)
        case .chunks:
            FullSpeedAttack(target, count: 16, opening: HTTPBytes.chunkedHead, repeating: HTTPBytes.chunks)
        case .proxied: ProxiedAttack(target.shared)
        }
    }
}

/// How much may be done at a time, so that an attack keeps its rate.
struct Pace {
    private let perSecond: Double
    private var due = 0.0

    init(perSecond: Double) { self.perSecond = perSecond }

    mutating func take(after elapsed: Duration) -> Int {
        due = min(due + perSecond * (elapsed / .seconds(1)), perSecond / 5)
        defer { due -= due.rounded(.down) }
        return Int(due)
    }
}

/// What counts is asked elsewhere, one after the other (``AddressGuesser``).
private final class QuietAttack: Attack {
    let sockets: [AttackSocket] = []

    func round(after elapsed: Duration) {}
}

private final class FramesAttack: Attack {
    private static let bytesPerSecond = 1_250_000.0
    private let target: AttackTarget
    private let opening: [UInt8]
    /// What a session sends by turns; frames may go out in parts.
    private let cycles: [[[UInt8]]]
    private var pace = Pace(perSecond: bytesPerSecond)
    private var next = 0
    private var due = 0
    private(set) var sockets: [AttackSocket] = []

    init(_ target: AttackTarget) throws {
        self.target = target
        opening = try AttackBytes.session()
        let fragments = try AttackBytes.fragments()
        cycles = [
            [(0..<16).flatMap { _ in AttackBytes.ping }],
            stride(from: 0, to: fragments.count, by: 96).map { Array(fragments[$0..<min($0 + 96, fragments.count)]) },
        ]
    }

    func round(after elapsed: Duration) throws {
        sockets.removeAll { !$0.isOpen }
        if sockets.count < 64 { sockets.append(try AttackSocket(to: target.port, from: 2, sending: opening)) }
        due += pace.take(after: elapsed)
        for _ in 0..<20 * sockets.count where due > 0 {
            next = (next + 1) % sockets.count
            let socket = sockets[next]
            let (before, cycle) = (socket.sent, cycles[next % 2])
            if socket.isReady {
                socket.send(cycle[socket.turns % cycle.count])
                socket.turns += 1
            } else {
                socket.send([])
            }
            due -= socket.sent - before
        }
        due = min(due, 65_536)
        for socket in sockets { socket.drain() }
    }
}

private final class PlacesAttack: Attack {
    private let target: AttackTarget
    private let opening: [UInt8]
    private var pace = Pace(perSecond: 1000)
    private var untilPing = Duration.seconds(20)
    private(set) var sockets: [AttackSocket] = []

    init(_ target: AttackTarget) throws {
        self.target = target
        opening = try AttackBytes.session()
    }

    func round(after elapsed: Duration) throws {
        for socket in sockets { socket.send([]) }
        for socket in sockets { socket.drain() }
        sockets.removeAll { !$0.isOpen }
        for number in 0..<pace.take(after: elapsed) where sockets.count < 3000 {
            // Every other connection says nothing.
            sockets.append(
                try AttackSocket(to: target.port, from: 2, sending: number % 2 == 0 ? opening : []))
        }
        untilPing -= elapsed
        guard untilPing < .zero else { return }
        untilPing = .seconds(20)
        for socket in sockets { socket.send(AttackBytes.ping) }
    }
}

private final class UnreadAttack: Attack {
    private static let socketsMax = 1000
    private let target: AttackTarget
    private let opening: [UInt8]
    private let requests: [[UInt8]]
    private var pace = Pace(perSecond: 200 * 20)
    private var next = 0
    /// With those that the server has ended, whose descriptors stay open.
    private(set) var sockets: [AttackSocket] = []
    private var open: [AttackSocket] = []

    init(_ target: AttackTarget) throws {
        self.target = target
        opening = try AttackBytes.session(token: target.token)
        requests = try (1...1000).map { id in
            var page = Parley_V1_GetHistoryRequest()
            (page.conversation, page.limit, page.beforeSeq) = (target.conversation, 200, target.lastSeq - Int64(id))
            return try AttackBytes.request(id, MessagingMethods.getHistory, key: target.conversation, page)
        }
    }

    func round(after elapsed: Duration) throws {
        for socket in open { socket.look() }
        open.removeAll { !$0.isOpen }
        if open.count < 200, sockets.count < Self.socketsMax {
            let socket = try AttackSocket(to: target.port, from: 2, receiveBuffer: 4096, sending: opening)
            open.append(socket)
            sockets.append(socket)
        }
        guard !open.isEmpty else { return }
        for _ in 0..<pace.take(after: elapsed) {
            next += 1
            open[next % open.count].send(requests[next % requests.count])
        }
    }
}

private final class SignInsAttack: Attack {
    private static let addresses = 150
    private let target: AttackTarget
    private let opening: [UInt8]
    private var pace = Pace(perSecond: 500)
    private var number = 0
    private(set) var sockets: [AttackSocket] = []

    init(_ target: AttackTarget) throws {
        self.target = target
        opening = try AttackBytes.session()
    }

    func round(after elapsed: Duration) throws {
        // The server ends anonymous sessions after a minute.
        for (place, socket) in sockets.enumerated() where !socket.isOpen { sockets[place] = try connect(place) }
        if sockets.count < Self.addresses { sockets.append(try connect(sockets.count)) }
        for _ in 0..<pace.take(after: elapsed) {
            number += 1
            let place = number % sockets.count
            let request = Parley_V1_SignInRequest.with {
                // Few attempts for each person, which count by themselves.
                $0.username = "nobody\(place)-\(number / Self.addresses / 4)"
                $0.password = "wrong password"
            }
            let bytes = try AttackBytes.request(number, ConversationsMethods.signIn, request)
            sockets[place].send(bytes)
        }
        for socket in sockets { socket.drain() }
    }

    private func connect(_ place: Int) throws -> AttackSocket {
        try AttackSocket(to: target.port, from: UInt8(2 + place), sending: opening)
    }
}

private final class UploadsAttack: Attack {
    private let target: AttackTarget
    private var pace = Pace(perSecond: 5)
    private var openings: Pace
    private let opening: [UInt8]
    private var number = 0
    private(set) var sockets: [AttackSocket] = []

    init(_ target: AttackTarget) throws {
        self.target = target
        openings = Pace(perSecond: Double(target.uploadsPerSecond))
        opening = Array(
            ("PATCH \(target.upload) HTTP/1.1\r\nHost: parley\r\nUpload-Offset: 0\r\n"
                + "Content-Length: 1000000\r\n\r\n").utf8)
    }

    func round(after elapsed: Duration) throws {
        sockets.removeAll { !$0.isOpen }
        for _ in 0..<min(openings.take(after: elapsed), 256 - sockets.count) {
            number += 1
            sockets.append(try AttackSocket(to: target.port, from: UInt8(2 + number % 4), sending: opening))
        }
        let count = pace.take(after: elapsed)
        for socket in sockets {
            socket.send(count > 0 ? [UInt8](repeating: 7, count: 120 * count) : [])
            socket.drain()
        }
    }
}
