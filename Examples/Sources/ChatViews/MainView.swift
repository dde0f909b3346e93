#if canImport(SwiftUI)
    import ChatModels
    import SwiftUI

    /// The tabs of whoever is signed in.
    struct MainView: View {
        let model: AppModel

        var body: some View {
            TabView {
                InboxView(model: model.inbox)
                    .tabItem { Label("Chats", systemImage: "message") }
                    .badge(model.badge + model.inbox.unseenRequests)
                EventsView(model: model.events())
                    .tabItem { Label("Events", systemImage: "calendar") }
                RemindersView(model: model.reminders())
                    .tabItem { Label("Reminders", systemImage: "bell") }
                OverviewView(model: model.overview(), inbox: model.inbox)
                    .tabItem { Label("Mentions", systemImage: "at") }
                SettingsView(model: model.settings(), app: model)
                    .tabItem { Label("Settings", systemImage: "gear") }
            }
        }
    }
#endif
