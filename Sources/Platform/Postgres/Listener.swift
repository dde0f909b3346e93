import Logging
import Reactor

/// Hears the notifications that others send to a channel (LISTEN and NOTIFY), on a connection of its own that it opens
/// again when it is lost.
@ReactorActor
public final class Listener {
    private let channel: String
    private let configuration: DatabaseConfiguration
    private let log: Logger
    private let heard: @ReactorActor () -> Void
    private var connection: Connection?
    private var isClosed = false
    private var isOpening = false
    private var isFailing = false

    /// - Parameter heard: called after notifications, and whenever it begins to listen, since it has not heard what was
    ///   sent before.
    public init(
        _ channel: String, _ configuration: DatabaseConfiguration, log: Logger,
        heard: @escaping @ReactorActor () -> Void
    ) {
        (self.channel, self.configuration, self.log, self.heard) = (channel, configuration, log, heard)
    }

    /// Begins to listen as soon as the database can be reached.
    public func start() {
        guard !isClosed, !isOpening, connection == nil else { return }
        isOpening = true
        Task.onLoop { [self] in
            var wait = Duration.milliseconds(50)
            while !isClosed {
                do {
                    try await open()
                    break
                } catch {
                    if !isFailing {
                        log.warning(
                            "a channel cannot be listened to for now",
                            metadata: ["channel": "\(channel)", "error": "\(error)"])
                    }
                    isFailing = true
                    // Retries with growing waits.
                    try? await Reactor.shared.sleep(for: wait)
                    wait = min(wait * 2, .seconds(2))
                }
            }
            isOpening = false
        }
    }

    public func close() {
        isClosed = true
        connection?.onClose = nil
        connection?.close()
        connection = nil
    }

    private func open() async throws {
        let connection = try await Connection.open(configuration, log: log)
        do {
            connection.onNotification = { [weak self] in self?.heard() }
            try await connection.execute(Statement<Void>("LISTEN \(channel.quotedIdentifier)"))
        } catch {
            connection.close()
            throw error
        }
        guard !isClosed else { return connection.close() }
        (self.connection, isFailing) = (connection, false)
        connection.onClose = { [weak self] _ in
            self?.connection = nil
            // Not within the call that the lost connection makes.
            Reactor.shared.atEndOfTurn { [weak self] in self?.start() }
        }
        heard()
    }
}
