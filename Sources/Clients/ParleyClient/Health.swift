import NIOCore
import NIOPosix

extension ParleyClient {
    /// Asks a gateway how it and all behind it are: what `GET /health` answers, as JSON, also when something is amiss.
    /// - Parameters:
    ///   - url: as for ``init(url:options:store:group:)``.
    ///   - limit: for all of it.
    /// - Throws: ``ParleyError`` `unavailable`, `deadline`, `unsupported_url`, those of certificates.
    public static func health(
        at url: String, options: Link.Options = .init(), within limit: Duration = .seconds(5)
    ) async throws(ParleyError) -> String {
        let exchange = FileExchange(
            address: try LinkAddress(url), eventLoop: MultiThreadedEventLoopGroup.singleton.next(), options: options)
        do {
            return try await withThrowingTaskGroup(of: String.self) { tasks in
                tasks.addTask {
                    let answer = try await exchange.run(.GET, "/health")
                    return String(buffer: answer.body)
                }
                tasks.addTask {
                    try await Task.sleep(for: limit)
                    throw ParleyError.deadline
                }
                defer { tasks.cancelAll() }
                return try await tasks.next() ?? ""
            }
        } catch {
            throw ParleyError(wrapping: error)
        }
    }
}
