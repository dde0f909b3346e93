import NIOConcurrencyHelpers

/// Makes NIO's decoders of HTTP on one thread at a time. Without it, Swift 6.3 may crash if two event loops are the
/// first to make one: the runtime checks what the decoder's generic class conforms to on one thread while another still
/// completes that class.
enum HTTPDecoders {
    private static let lock = NIOLock()

    static func make<Made>(_ body: () throws -> Made) rethrows -> Made { try lock.withLock(body) }
}
