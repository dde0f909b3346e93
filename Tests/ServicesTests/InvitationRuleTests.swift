import Schema
import Testing
import Wire

@testable import ConversationsService

private let day = Duration.seconds(86_400)
private let now = Timestamp(0) + day * 1_000

private typealias Person = InvitationRules.Person

@Suite("Rules of invitations (C17)")
struct InvitationRuleTests {
    private static func text(_ person: Person, _ rules: InvitationRules = InvitationRules()) -> String {
        do throws(Refusal) {
            return switch try rules.add(person, at: now) {
            case .nothing: "nothing"
            case .join: "joins"
            case .invite(let isShown): isShown ? "invited" : "invited unseen"
            }
        } catch {
            return error.code.rawValue
        }
    }

    @Test(
        "C17 who knows the adder joins, others are invited",
        arguments: [
            (Person(), "invited"),
            (Person(knowsAdder: true), "joins"),
            (Person(isMember: true, wasMember: true), "nothing"),
            (Person(isMember: true, wasMember: true, isBlockedByAdder: true), "nothing"),
            // Whoever left or declined is only invited.
            (Person(wasMember: true), "invited"),
            (Person(wasMember: true, knowsAdder: true), "invited"),
            (Person(hasDeclined: true, knowsAdder: true), "invited"),
            // An invitation of the adder's own stays as it is, unless its person can join at once. After the days of
            // silence, and by somebody else, it is made again, whether or not it was declined.
            (Person(invitedAt: now, isInvitedByAdder: true), "nothing"),
            (Person(invitedAt: now, isInvitedByAdder: true, isShown: true), "nothing"),
            (Person(invitedAt: now, isInvitedByAdder: true, knowsAdder: true), "joins"),
            (Person(wasMember: true, invitedAt: now, isInvitedByAdder: true, knowsAdder: true), "nothing"),
            (Person(invitedAt: now, isInvitedByAdder: true, hasDeclined: true, knowsAdder: true), "nothing"),
            (Person(invitedAt: now - day * 30, isInvitedByAdder: true, isShown: true), "invited"),
            (Person(invitedAt: now - day * 30, isInvitedByAdder: true, declinedAdderAt: now), "invited unseen"),
            (Person(invitedAt: now, isShown: true), "invited"),
            (Person(invitedAt: now, hasDeclined: true), "invited"),
            (Person(invitedAt: now, isShown: true, knowsAdder: true), "joins"),
            (Person(wasMember: true, invitedAt: now, knowsAdder: true), "invited"),
            (Person(invitedAt: now, hasDeclined: true, declinedAdderAt: now), "invited unseen"),
            // Blocks.
            (Person(blocksAdder: true), "invited unseen"),
            (Person(knowsAdder: true, blocksAdder: true), "invited unseen"),
            (Person(invitedAt: now, isInvitedByAdder: true, blocksAdder: true), "nothing"),
            (Person(invitedAt: now, blocksAdder: true), "invited unseen"),
            (Person(knowsAdder: true, isBlockedByAdder: true), "user_blocked"),
            (Person(invitedAt: now, isBlockedByAdder: true), "user_blocked"),
        ] as [(InvitationRules.Person, String)])
    func adding(person: InvitationRules.Person, outcome: String) {
        #expect(Self.text(person) == outcome)
    }

    @Test(
        "C17 an invitation is not shown for 30 days after a decline",
        arguments: [
            (Person(hasDeclined: true, declinedAdderAt: now - day * 30 + .seconds(1)), "invited unseen"),
            (Person(hasDeclined: true, declinedAdderAt: now - day * 30), "invited"),
            (Person(wasMember: true, hasDeclined: true, declinedAdderAt: now), "invited unseen"),
            // Somebody else's invitation was declined.
            (Person(hasDeclined: true), "invited"),
        ] as [(InvitationRules.Person, String)])
    func silence(person: InvitationRules.Person, outcome: String) {
        #expect(Self.text(person) == outcome)
    }

    @Test("C17 where no requests are required, only whoever left or declined is invited")
    func notRequired() {
        let rules = InvitationRules(isRequired: false)
        #expect(Self.text(Person(), rules) == "joins")
        #expect(Self.text(Person(invitedAt: now), rules) == "joins")
        #expect(Self.text(Person(wasMember: true), rules) == "invited")
        #expect(Self.text(Person(hasDeclined: true), rules) == "invited")
        #expect(Self.text(Person(blocksAdder: true), rules) == "invited unseen")
    }

    private static func text(_ decide: () throws(Refusal) -> InvitationRules.Verdict) -> String {
        do throws(Refusal) {
            return try decide() == .change ? "change" : "nothing"
        } catch {
            return error.code.rawValue
        }
    }

    @Test(
        "C17 only an invitation that is shown can be accepted or declined; repeating it changes nothing",
        arguments: [
            (InvitationRules.Invitee(), "not_found", "not_found"),
            (InvitationRules.Invitee(isShown: true), "change", "change"),
            (InvitationRules.Invitee(isShown: true, hasDeclined: true), "change", "change"),
            (InvitationRules.Invitee(hasDeclined: true), "not_found", "nothing"),
            (InvitationRules.Invitee(isMember: true), "nothing", "not_pending"),
        ] as [(InvitationRules.Invitee, String, String)])
    func deciding(me: InvitationRules.Invitee, accept: String, decline: String) {
        #expect(Self.text { () throws(Refusal) in try InvitationRules.accept(me) } == accept)
        #expect(Self.text { () throws(Refusal) in try InvitationRules.decline(me) } == decline)
    }

    private static func entry(_ account: AccountNumber, _ role: MemberRole, isFormer: Bool = false) -> RosterEntry {
        RosterEntry(account: account, user: "u", role: role, joinedVersion: 1, isFormer: isFormer)
    }

    private static let invited = RosterEntry(
        account: 9, user: "i", role: .member, joinedVersion: 0, isFormer: true, wasMember: false, invitedBy: 3)

    @Test("C17 the inviter, admins and the owner withdraw an invitation")
    func withdrawing() {
        let actors: [(RosterEntry?, RosterEntry?, String)] = [
            (Self.entry(1, .owner), Self.invited, "change"),
            (Self.entry(2, .admin), Self.invited, "change"),
            (Self.entry(3, .member), Self.invited, "change"),
            (Self.entry(4, .member), Self.invited, "forbidden"),
            (Self.entry(3, .admin, isFormer: true), Self.invited, "not_found"),
            (Self.invited, Self.invited, "not_found"),
            (nil, Self.invited, "not_found"),
            (Self.entry(1, .owner), nil, "not_found"),
            (Self.entry(4, .member), nil, "forbidden"),
            (Self.entry(1, .owner), Self.entry(5, .member), "not_pending"),
            (Self.entry(1, .owner), Self.entry(5, .member, isFormer: true), "nothing"),
        ]
        for (index, (actor, person, outcome)) in actors.enumerated() {
            let text = Self.text { () throws(Refusal) in try InvitationRules.withdraw(person, by: actor) }
            #expect(text == outcome, "\(index)")
        }
        #expect(MemberRules.Standing(Self.invited) == .stranger)
        #expect(throws: Never.self) { try InvitationRules.mayList(.admin) }
        #expect(throws: Refusal.self) { try InvitationRules.mayList(.member) }
    }
}
