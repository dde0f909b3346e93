import Foundation
import Testing

@testable import ParleyKit

/// What each call does in each state of an account: the table, whole.
@MainActor
@Suite("The life of an account", .timeLimit(.minutes(4)))
struct AccountStateTests {
    private static let me = User(id: UserID(rawValue: "me"), username: "me", displayName: "Me")
    private static let ada = User(id: UserID(rawValue: "ada"), username: "ada", displayName: "Ada")

    private enum State: CaseIterable { case signedOut, signingIn, signedIn, ended }

    private enum Outcome: Equatable {
        /// It works, and leads to this state.
        case becomes(State)
        case refused(Refusal.Code)
    }

    private struct Row {
        var name: String
        var call: @MainActor (Parley) async throws(Refusal) -> Void
        /// Signed out, signing in, signed in, ended.
        var outcomes: [Outcome]
    }

    private let rows: [Row] = [
        Row(
            name: "signIn", call: { parley throws(Refusal) in try await parley.signIn(username: "ada", password: "a") },
            outcomes: [
                .becomes(.signedIn), .refused(.alreadySignedIn), .refused(.alreadySignedIn), .becomes(.signedIn),
            ]),
        Row(
            name: "register",
            call: { parley throws(Refusal) in try await parley.register(username: "new", password: "a") },
            outcomes: [
                .becomes(.signedIn), .refused(.alreadySignedIn), .refused(.alreadySignedIn), .becomes(.signedIn),
            ]),
        Row(
            name: "signOut", call: { parley throws(Refusal) in try await parley.signOut() },
            outcomes: [
                .refused(.unauthenticated), .refused(.unauthenticated), .becomes(.signedOut),
                .refused(.unauthenticated),
            ]),
        Row(
            name: "eraseAccount", call: { parley throws(Refusal) in try await parley.eraseAccount(password: "a") },
            outcomes: [
                .refused(.unauthenticated), .refused(.unauthenticated), .becomes(.signedOut),
                .refused(.unauthenticated),
            ]),
        Row(
            name: "startConversation",
            call: { parley throws(Refusal) in _ = try await parley.startConversation(with: Self.ada) },
            outcomes: [
                .refused(.unauthenticated), .refused(.unauthenticated), .becomes(.signedIn),
                .refused(.unauthenticated),
            ]),
        Row(
            name: "suspend, resume",
            call: { parley throws(Refusal) in
                await parley.suspend()
                parley.resume()
            }, outcomes: [.becomes(.signedOut), .becomes(.signingIn), .becomes(.signedIn), .becomes(.ended)]),
        Row(
            name: "networkChanged", call: { parley throws(Refusal) in await parley.networkChanged() },
            outcomes: [.becomes(.signedOut), .becomes(.signingIn), .becomes(.signedIn), .becomes(.ended)]),
        Row(
            name: "close, signIn",
            call: { parley throws(Refusal) in
                await parley.close()
                try await parley.signIn(username: "ada", password: "a")
            },
            outcomes: [
                .refused(.closed), .refused(.alreadySignedIn), .refused(.alreadySignedIn), .refused(.closed),
            ]),
    ]

    private func state(of parley: Parley) -> State {
        switch parley.accountState {
        case .signedOut: .signedOut
        case .signingIn: .signingIn
        case .signedIn: .signedIn
        case .ended: .ended
        }
    }

    /// Returns a double in a state, and what is under way in it.
    private func double(in state: State) async throws -> (ParleyDouble, Task<Void, Never>?) {
        switch state {
        case .signedOut: return (await ParleyDouble.signedOut(), nil)
        case .signedIn: return (await ParleyDouble(as: Self.me), nil)
        case .ended:
            let double = await ParleyDouble(as: Self.me)
            await double.endSignIn()
            return (double, nil)
        case .signingIn:
            let double = await ParleyDouble.signedOut()
            double.addAccount(Self.me)
            double.holdsAnswers = true
            let signingIn = Task { @MainActor in
                // How it ends is not what is looked at.
                _ = try? await double.parley.signIn(username: "me", password: "a")
            }
            try await eventually("signing in is under way") { double.parley.accountState == .signingIn }
            return (double, signingIn)
        }
    }

    @Test("S9 each call in each state does what the table says")
    func table() async throws {
        for row in rows {
            for (state, expected) in zip(State.allCases, row.outcomes) {
                let (double, underWay) = try await double(in: state)
                double.addAccount(Self.ada)
                let outcome: Outcome
                do throws(Refusal) {
                    try await row.call(double.parley)
                    outcome = .becomes(self.state(of: double.parley))
                } catch {
                    outcome = .refused(error.code)
                }
                #expect(outcome == expected, "\(row.name), \(state)")
                double.holdsAnswers = false
                await underWay?.value
                await double.parley.close()
            }
        }
    }

    @Test("S9 a closed Parley goes, with all that it holds")
    func goes() async throws {
        let uses: [(String, @MainActor (Parley) async -> Void)] = [
            ("nothing", { _ in }),
            ("a conversation", { $0.conversation(.direct(Self.me.id, Self.ada.id)).setDraft("I was go") }),
            (
                "changes",
                { parley in
                    let changes = parley.changes
                    Task { for await _ in changes {} }
                }
            ),
            ("a search", { await $0.search("sea").finish() }),
        ]
        for (what, use) in uses {
            weak var seen: Parley?
            do {
                let parley = await Parley.open("ws://127.0.0.1:1", options: .inMemory)
                await parley.open(Self.me.id)
                seen = parley
                await use(parley)
                await parley.close()
            }
            try await eventually("nothing is left after \(what)") { seen == nil }
        }
    }
}
