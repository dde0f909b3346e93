import Foundation
import NIOConcurrencyHelpers
import ParleyClient
import SwiftProtobuf

@testable import ParleyKit

/// A link that notes in which order requests go out. The later ones of several are quicker.
final class OrderedLink: ActionLink {
    let methods = NIOLockedValueBox<[String]>([])
    let decisions = NIOLockedValueBox<[String]>([])
    private let link: (any ActionLink)?

    init(_ link: (any ActionLink)?) { self.link = link }

    func perform<Request: SwiftProtobuf.Message, Reply: SwiftProtobuf.Message>(
        _ method: Method<Request, Reply>, key: String, _ request: Request, encoded body: Data
    ) async throws(ParleyError) -> Reply {
        let count = methods.withLockedValue { methods in
            methods.append(method.name)
            return methods.count
        }
        if let decision = request as? Parley_V1_CreateDecisionRequest {
            decisions.withLockedValue { $0.append(decision.text) }
        }
        for _ in count..<10 { await Task.yield() }
        guard let link else { throw .closed }
        return try await link.perform(method, key: key, request, encoded: body)
    }
}
