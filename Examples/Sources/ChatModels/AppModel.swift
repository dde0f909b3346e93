import Observation
import ParleyKit

/// What the app shows: signing in, choosing a name after registering, or the chats.
@MainActor
@Observable
public final class AppModel {
    public enum Screen: Hashable, Sendable { case signIn, setUp, chats }

    public let parley: Parley
    public let signIn: SignInModel
    @ObservationIgnored private var inboxes: [UserID: InboxModel] = [:]

    public init(_ parley: Parley) { (self.parley, signIn) = (parley, SignInModel(parley)) }

    /// The inbox of whoever is signed in, always the same one.
    public var inbox: InboxModel {
        let user = parley.user ?? UserID(rawValue: "")
        if let known = inboxes[user] { return known }
        let inbox = InboxModel(parley)
        inboxes = [user: inbox]
        return inbox
    }

    public var screen: Screen {
        guard parley.user != nil, parley.accountState == .signedIn else { return .signIn }
        return signIn.needsSetUp ? .setUp : .chats
    }

    /// Unread messages, for the app's icon and its tab.
    public var badge: Int { parley.badge.messages }

    /// Call it with each change of the scene's phase.
    public func sceneBecame(active: Bool) async {
        if active {
            parley.resume()
            await parley.setActivity(isInForeground: true, conversation: inbox.opened)
        } else {
            await parley.setActivity(isInForeground: false)
            await parley.suspend()
        }
    }

    public func profile(isFirst: Bool = false) -> ProfileModel {
        ProfileModel(parley) { [signIn] in if isFirst { signIn.finishSetUp() } }
    }

    public func events() -> EventsModel { EventsModel(parley) }
    public func reminders() -> RemindersModel { RemindersModel(parley) }
    public func overview() -> OverviewModel { OverviewModel(parley) }
    public func settings() -> SettingsModel { SettingsModel(parley) }
}
