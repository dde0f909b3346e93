import NIOCore
import NIOPosix

extension ParleyClient {
    /// Returns the health of a gateway and all services behind it: the JSON of `GET /health`, even when something is
    /// wrong.
    /// - Parameters:
    ///   - url: the server's URL, as for ``init(url:options:store:group:)``.
    ///   - limit: the time limit of the whole call.
    /// - Throws: ``ParleyError`` `unavailable`, `deadline`, `unsupported_url`, the errors of certificates.
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
