import NIOCore
import NIOHTTP1

/// Completes the class of NIO's decoder of HTTP requests. ParleyClient does the same for responses.
///
/// Without it, Swift 6.3 may crash if two threads are the first to use the class: on one thread the runtime checks what
/// the generic class conforms to, while the other still completes it. A lock around each use is not enough, since the
/// compiler may ask for the class before the lock.
public enum HTTPDecoders {
    private static let decoder = ObjectIdentifier(ByteToMessageHandler<HTTPRequestDecoder>.self)

    /// Returns when the class is complete. Call it before event loops make decoders.
    @inline(never)
    public static func complete() { withExtendedLifetime(decoder) {} }
}
