/// The actor that isolates everything on the process's event loop.
///
/// A service's state is isolated to this actor instead of being locked. Its code runs only on the loop's thread, and a
/// call from one such function to another is a plain call.
@globalActor
public actor ReactorActor {
    public static let shared = ReactorActor()

    private init() {}

    public nonisolated var unownedExecutor: UnownedSerialExecutor {
        Reactor.shared.asUnownedSerialExecutor()
    }

    public static var sharedUnownedExecutor: UnownedSerialExecutor {
        Reactor.shared.asUnownedSerialExecutor()
    }

    /// Runs `body` immediately. The caller must be on the loop's thread; otherwise the process traps.
    ///
    /// For callbacks from C and from the loop itself, where the compiler cannot know that they run on the loop.
    public static func assumeIsolated<T>(_ body: @ReactorActor () throws -> T) rethrows -> T {
        Reactor.shared.checkIsolated()
        typealias Plain = () throws -> T
        return try withoutActuallyEscaping(body) { isolated in
            // Dropping the isolation from the type does not change the closure. The check above replaces it.
            try unsafeBitCast(isolated, to: Plain.self)()
        }
    }
}
