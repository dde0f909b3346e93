import Testing

@testable import Wire

struct FrameTests {
    typealias Record = (header: [UInt8], body: [UInt8])

    private func isSame(_ some: [Record], _ others: [Record]) -> Bool {
        some.count == others.count && zip(some, others).allSatisfy { $0 == $1 }
    }

    @Test("records come back from a frame as they went in, in order")
    func roundTrip() throws {
        let records: [Record] = [([1], [2, 3]), ([], []), ([4], []), ([], [UInt8](repeating: 5, count: 70_000))]
        var builder = RecordFrame.Builder()
        for record in records { builder.append(header: record.header, body: record.body) }
        #expect(builder.count == 4)
        #expect(isSame(try RecordFrame.decode(builder.bytes), records))
        builder.clear()
        #expect(builder.isEmpty && builder.bytes.isEmpty)
    }

    @Test("the layout is fixed for ever: length of the header, header, length of the body, body")
    func layout() {
        #expect(frame(([7, 8], [9])) == [0, 0, 0, 2, 7, 8, 0, 0, 0, 1, 9])
        #expect(UpdateFrame.greeting == [0xff, 0xff])
    }

    @Test(
        "a frame with a wrong length, trailing bytes or no records is refused as a whole",
        arguments: [
            ([], .empty), ([0], .cutOff), ([0, 0, 0], .cutOff), ([0, 0, 0, 0], .cutOff), ([0, 0, 0, 1], .cutOff),
            ([0, 0, 0, 1, 7], .cutOff), ([0, 0, 0, 1, 7, 0, 0, 0, 2, 1], .cutOff),
            ([0, 0, 0, 0, 0, 0, 0, 0, 0], .cutOff), ([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], .cutOff),
            ([0xff, 0xff, 0xff, 0xff], .headerTooLarge), ([0x80, 0, 0, 0, 1], .headerTooLarge),
            ([0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff], .bodyTooLarge), ([0, 0, 0, 0, 0, 0x20, 0, 1, 1], .bodyTooLarge),
        ] as [([UInt8], RecordFrame.Malformed)])
    func malformed(bytes: [UInt8], why: RecordFrame.Malformed) {
        #expect(throws: why) { try RecordFrame.decode(bytes) }
    }

    @Test("every prefix of a frame is refused or contains only whole records")
    func cut() throws {
        let whole = frame(([1, 2], [3]), ([], [4, 5]), ([6], []))
        for length in 1..<whole.count {
            guard let records = try? RecordFrame.decode(Array(whole[..<length])) else { continue }
            #expect(isSame(records, Array([([1, 2], [3]), ([], [4, 5]), ([6], [])].prefix(records.count))))
            #expect(records.count < 3)
        }
    }

    @Test("the number of records in a frame is limited")
    func count() throws {
        let most = [UInt8](repeating: 0, count: 8 * WireLimits.recordsPerFrameMax)
        #expect(try RecordFrame.decode(most).count == WireLimits.recordsPerFrameMax)
        #expect(throws: RecordFrame.Malformed.tooManyRecords) {
            try RecordFrame.decode(most + [0, 0, 0, 0, 0, 0, 0, 0])
        }
        var builder = RecordFrame.Builder()
        while builder.hasRoom(header: 0, body: 0) { builder.append(header: [], body: []) }
        #expect(builder.count == WireLimits.recordsPerFrameMax)
    }

    @Test("a frame is full at 256 KiB; a larger record goes alone")
    func room() throws {
        var builder = RecordFrame.Builder()
        #expect(builder.hasRoom(header: 100, body: WireLimits.messageBytesMax))
        let body = [UInt8](repeating: 1, count: 1000)
        while builder.hasRoom(header: 0, body: 1000) { builder.append(header: [], body: body) }
        #expect(builder.bytes.count <= WireLimits.frameBytesUsual)
        #expect(builder.bytes.count + 1008 > WireLimits.frameBytesUsual)
        let largest = frame(
            ([UInt8](repeating: 1, count: 11_000), [UInt8](repeating: 2, count: WireLimits.messageBytesMax)))
        #expect(try RecordFrame.decode(largest).count == 1)
        #expect(largest.count <= WireLimits.frameBytesMax)
    }

    @Test("a frame of an update link is the greeting, or records")
    func update() throws {
        func split(_ bytes: [UInt8]) throws -> [Record]? {
            try bytes.withUnsafeBufferPointer { buffer in
                switch try UpdateFrame.split(UnsafeRawBufferPointer(buffer)) {
                case .greeting: nil
                case .updates(let records): records.map { (Array($0.header), Array($0.body)) }
                }
            }
        }
        #expect(try split([0xff, 0xff]) == nil)
        let records: [Record] = [([1], []), ([], [2]), ([1, 2], [3, 4])]
        for count in 1...records.count {
            var builder = RecordFrame.Builder()
            for record in records.prefix(count) { builder.append(header: record.header, body: record.body) }
            #expect(isSame(try #require(try split(builder.bytes)), Array(records.prefix(count))))
        }
        #expect(throws: RecordFrame.Malformed.empty) { try split([]) }
        for bytes in [[0xff], [0xff, 0xff, 0], [0, 0, 0, 1], [0, 0, 0, 0, 0, 0, 0, 1]] as [[UInt8]] {
            #expect(throws: RecordFrame.Malformed.cutOff) { try split(bytes) }
        }
        #expect(throws: RecordFrame.Malformed.headerTooLarge) { try split([0xff, 0xff, 0xff, 0xff, 1]) }
        // No frame of records begins as the greeting does.
        #expect(WireLimits.headerBytesMax < 0xffff << 16)
    }
}
