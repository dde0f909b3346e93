/// The isolation of everything that lives on the process's one event loop.
///
/// A service's state is isolated to this actor instead of being locked: its code runs on the loop's thread and
/// nowhere else, and a call from one such function to another is a plain call.
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

    /// Runs `body` at once. The caller must be on the loop's thread; anything else is a programming error and traps.
    ///
    /// For callbacks from C and from the loop itself, which the compiler cannot see to be on the loop.
    public static func assumeIsolated<T>(_ body: @ReactorActor () throws -> T) rethrows -> T {
        Reactor.shared.checkIsolated()
        typealias Plain = () throws -> T
        return try withoutActuallyEscaping(body) { isolated in
            // Dropping the isolation from the type changes nothing of the closure; the precondition stands in for it.
            try unsafeBitCast(isolated, to: Plain.self)()
        }
    }
}
