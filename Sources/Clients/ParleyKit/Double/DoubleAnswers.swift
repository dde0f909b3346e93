import Foundation
import ParleyClient
import SwiftProtobuf

/// What a double answers to the requests of one method. A value of a type, since Swift 6.3.1 crashes over a closure
/// that throws what it decodes.
@MainActor
private protocol DoubleAnswer {
    func answer(_ body: Data) async throws(ParleyError) -> Data
}

private struct TypedDoubleAnswer<Request: SwiftProtobuf.Message, Reply: SwiftProtobuf.Message>: DoubleAnswer {
    let body: @MainActor (Request) async throws(ParleyError) -> Reply

    func answer(_ received: Data) async throws(ParleyError) -> Data {
        let request: Request
        do {
            request = try Request(serializedBytes: received)
        } catch {
            throw ParleyError(.invalidFrame, "\(error)")
        }
        let reply = try await body(request)
        do {
            return try reply.serializedData()
        } catch {
            throw ParleyError(.invalidFrame, "\(error)")
        }
    }
}

/// What a double answers, by method.
@MainActor
struct DoubleAnswers {
    private var byMethod: [String: any DoubleAnswer] = [:]

    mutating func on<Request, Reply>(
        _ method: Method<Request, Reply>, _ answer: @escaping @MainActor (Request) async throws(ParleyError) -> Reply
    ) {
        byMethod[method.name] = TypedDoubleAnswer(body: answer)
    }

    func answer(_ method: String, _ body: Data) async throws(ParleyError) -> Data {
        guard let answer = byMethod[method] else {
            throw ParleyError(.invalid, "ParleyDouble does not answer \(method). Test it with a server.")
        }
        return try await answer.answer(body)
    }

    /// Whether a request is something that the app does or asks, and not something that each session begins with, or a
    /// mark of what reached the device.
    static func isOfApp(_ method: String, _ body: Data) -> Bool {
        switch method {
        case PresenceMethods.getOwnPresence.name, PresenceMethods.setTyping.name: return false
        case MessagingMethods.updateMarks.name:
            do {
                return try Parley_V1_UpdateMarksRequest(serializedBytes: body).marks.contains { $0.readSeq > 0 }
            } catch {
                return true
            }
        default: return true
        }
    }
}

extension ParleyDouble {
    func answerAll(_ answers: inout DoubleAnswers) {
        answerAboutAccounts(&answers)
        answerAboutIdentities(&answers)
        answerAboutCodes(&answers)
        answerAboutPeople(&answers)
        answerAboutConversations(&answers)
        answerAboutMessages(&answers)
        answerAboutEntities(&answers)
        answerAboutPushes(&answers)
        answerAboutExports(&answers)
    }
}
