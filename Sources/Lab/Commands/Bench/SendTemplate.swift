import NIOCore
import ParleyClient

/// A prepared `messaging.SendMessage` frame. Each message changes a few bytes of it in place.
struct SendTemplate {
    /// Request ids that take two bytes on the wire, so that one can replace another.
    static let ids: Range<UInt64> = 128..<16_384

    private let frame: ByteBuffer
    private let requestOffset: Int
    private let messageOffset: Int
    private let conversationOffsets: [Int]

    /// - Parameter conversation: its id; an id that replaces it must have as many bytes.
    init(conversation: String, bodyBytes: Int) throws {
        var request = Parley_V1_SendMessageRequest()
        let marker = [UInt8](repeating: 0xA5, count: 16)
        request.id = .init(marker)
        request.conversation = conversation
        request.kind = .text
        request.text = String(repeating: "x", count: bodyBytes)
        frame = try OutgoingRequest.frame(
            id: Self.ids.lowerBound, MessagingMethods.sendMessage, key: conversation, request)
        let bytes = [UInt8](frame.readableBytesView)
        func offsets(of part: [UInt8]) -> [Int] {
            (0...(bytes.count - part.count)).filter { bytes[$0..<($0 + part.count)].elementsEqual(part) }
        }
        let start = frame.readerIndex
        // The request's id is the first field: 08 80 01.
        requestOffset = start + (offsets(of: [0x08, 0x80, 0x01]).first ?? 0) + 1
        messageOffset = start + (offsets(of: marker).first ?? 0)
        conversationOffsets = offsets(of: Array(conversation.utf8)).map { $0 + start }
    }

    /// Returns the frame of one message.
    func frame(request: UInt64, message: MessageNumber, at milliseconds: UInt64, conversation: [UInt8]?) -> ByteBuffer {
        var frame = frame
        let id = UInt16(request & 0x7F | 0x80) << 8 | UInt16(request >> 7)
        frame.setInteger(id, at: requestOffset)
        let (high, low) = message.id(at: milliseconds)
        frame.setInteger(high, at: messageOffset)
        frame.setInteger(low, at: messageOffset + 8)
        if let conversation {
            for offset in conversationOffsets { frame.setBytes(conversation, at: offset) }
        }
        return frame
    }
}

/// The content of a bench's message ids (UUIDv7) besides the time: the sender, the run and the message's number.
struct MessageNumber {
    /// 14 bits.
    var sender: UInt16
    /// 28 bits, random for each run.
    var run: UInt32
    var number: UInt32

    init(sender: UInt16, run: UInt32, number: UInt32) {
        (self.sender, self.run, self.number) = (sender, run, number)
    }

    /// Reads the content of an id; nil unless the id belongs to this run.
    /// - Parameter low: the last eight bytes of the id.
    init?(low: UInt64, run: UInt32) {
        guard UInt32(truncatingIfNeeded: low >> 32 & 0xFFFF) == run & 0xFFFF else { return nil }
        self.init(sender: UInt16(low >> 48 & 0x3FFF), run: run, number: UInt32(truncatingIfNeeded: low))
    }

    /// Returns the 16 bytes of the id in two halves.
    func id(at milliseconds: UInt64) -> (high: UInt64, low: UInt64) {
        (
            milliseconds << 16 | 0x7000 | UInt64(run >> 16 & 0xFFF),
            0x8000_0000_0000_0000 | UInt64(sender & 0x3FFF) << 48 | UInt64(run & 0xFFFF) << 32 | UInt64(number)
        )
    }

    func bytes(at milliseconds: UInt64) -> [UInt8] {
        let (high, low) = id(at: milliseconds)
        return withUnsafeBytes(of: (high.bigEndian, low.bigEndian)) { [UInt8]($0) }
    }
}
