import NIOConcurrencyHelpers

/// Makes NIO's decoders of HTTP on one thread at a time. ParleyClient has the same for those of clients.
///
/// A process of Swift 6.3 may crash when two threads are the first to make one: on one of them the runtime checks what
/// the decoder's generic class conforms to while the other still completes that class. About one in a thousand new
/// processes did, whose first connections came together.
public enum HTTPDecoders {
    private static let lock = NIOLock()

    public static func make<Made>(_ body: () throws -> Made) rethrows -> Made { try lock.withLock(body) }
}
