import Foundation
import NIOConcurrencyHelpers
import ParleyClient
import SwiftProtobuf

@testable import ParleyKit

/// A link that notes in which order requests are answered. Of several that go out together the later ones are quicker.
final class OrderedLink: ActionLink {
    /// The names of the methods, with the texts of decisions.
    let answered = NIOLockedValueBox<[String]>([])
    private let count = NIOLockedValueBox(0)
    private let link: (any ActionLink)?

    init(_ link: (any ActionLink)?) { self.link = link }

    func perform<Request: SwiftProtobuf.Message, Reply: SwiftProtobuf.Message>(
        _ method: Method<Request, Reply>, key: String, _ request: Request, encoded body: Data
    ) async throws(ParleyError) -> Reply {
        let number = count.withLockedValue { count in
            count += 1
            return count
        }
        for _ in number..<10 { await Task.yield() }
        guard let link else { throw .closed }
        let reply = try await link.perform(method, key: key, request, encoded: body)
        let text = (request as? Parley_V1_CreateDecisionRequest).map { " \($0.text)" } ?? ""
        answered.withLockedValue { $0.append(method.name + text) }
        return reply
    }
}
