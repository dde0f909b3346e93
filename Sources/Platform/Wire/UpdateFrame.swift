/// A frame of an update link: the greeting, or records of a header and a body as on request links (``RecordFrame``).
///
/// Everything published in one turn of the loop goes out as one frame, for each subscriber.
public enum UpdateFrame {
    /// The content of a frame, as parts of its bytes.
    public enum Content {
        case greeting
        case updates([RecordFrame.Record])
    }

    /// The answer to a subscription. No other frame begins with it: the length of a header is much smaller.
    static let greeting: [UInt8] = [0xff, 0xff]

    /// Splits a frame. The parts point into `frame` and are valid as long as it is.
    public static func split(_ frame: UnsafeRawBufferPointer) throws(RecordFrame.Malformed) -> Content {
        if frame.elementsEqual(greeting) { return .greeting }
        return .updates(try RecordFrame.split(frame))
    }
}
