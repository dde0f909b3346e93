import NIOConcurrencyHelpers

/// Makes NIO's decoders of HTTP responses on one thread at a time.
///
/// Without it, Swift 6.3 may crash if two threads are the first to make one: on one thread the runtime checks what the
/// decoder's generic class conforms to, while the other still completes that class.
enum HTTPDecoders {
    private static let lock = NIOLock()

    static func make<Made>(_ body: () throws -> Made) rethrows -> Made { try lock.withLock(body) }
}
