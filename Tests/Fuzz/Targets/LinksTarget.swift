@testable import Schema
@testable import Wire

extension FuzzTarget {
    /// Frames of the links between processes, including their headers. Mode 0 is a request link, mode 1 an update link.
    static let links = FuzzTarget("links", seeds: linkSeeds) { input in
        var choices = Choices(input)
        let isUpdate = choices.byte() & 1 == 1
        let frame = Array(choices.all())
        if isUpdate { try readUpdates(frame) } else { try readRequests(frame) }
    }

    private static func readRequests(_ frame: [UInt8]) throws {
        for record in try readRecords(frame) {
            let envelope = try checkRoundTrip(Envelope.self, record.header)
            try checkRoundTrip(ReplyHeader.self, record.header)
            if let envelope, let id = RequestID.peek(envelope.encode()) {
                try require(id == envelope.id, "peeked id \(id) instead of \(envelope.id)")
            }
        }
    }

    private static func readRecords(_ frame: [UInt8]) throws -> [(header: [UInt8], body: [UInt8])] {
        guard let records = try? RecordFrame.decode(frame) else { return [] }
        try require((1...WireLimits.recordsPerFrameMax).contains(records.count), "\(records.count) records")
        let bytes = records.reduce(0) { $0 + 8 + $1.header.count + $1.body.count }
        try require(bytes == frame.count, "records of \(bytes) bytes in a frame of \(frame.count) bytes")
        var again = RecordFrame.Builder()
        for record in records { again.append(header: record.header, body: record.body) }
        try require(again.bytes == frame, "a rebuilt frame differs from the original")
        return records
    }

    private static func readUpdates(_ frame: [UInt8]) throws {
        try frame.withUnsafeBytes { bytes in
            guard case .greeting? = try? UpdateFrame.split(bytes) else { return }
            try require(frame == UpdateFrame.greeting, "a greeting of \(frame.count) bytes")
        }
        for record in try readRecords(frame) { try checkRoundTrip(UpdateHeader.self, record.header) }
    }

    private static func linkSeeds() -> [[UInt8]] {
        var frame = RecordFrame.Builder()
        frame.append(header: Envelope(id: 7, method: "messaging.SendMessage", account: 3).encode(), body: [1, 2, 3])
        frame.append(header: ReplyHeader(id: 7, error: Problem(code: "invalid")).encode(), body: [])
        let header = UpdateHeader(lane: 1, number: 2, stream: "messaging/c/x", position: 3, kind: "Message").encode()
        let heartbeat = UpdateHeader(
            stream: "control",
            control: Control(control: .heartbeat(Heartbeat(epoch: "e", lanes: [LaneNumber(lane: 1, number: 2)]))))
        var updates = RecordFrame.Builder()
        updates.append(header: header, body: [9, 9])
        updates.append(header: heartbeat.encode(), body: [])
        return [[0] + frame.bytes, [1, 0xFF, 0xFF], [1] + updates.bytes]
    }
}
