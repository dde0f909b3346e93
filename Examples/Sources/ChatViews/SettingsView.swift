#if canImport(SwiftUI)
    import ChatModels
    import SwiftUI

    struct SettingsView: View {
        @State var model: SettingsModel
        let app: AppModel
        @State private var showsProfile = false

        var body: some View {
            NavigationStack {
                Form {
                    Section {
                        Button("Profile", systemImage: "person.crop.circle") { showsProfile = true }
                        if model.isLoaded { Toggle("Suggest events and reminders", isOn: $model.suggests) }
                    }
                    devices
                    blocked
                    Section("A copy of everything") {
                        Button(model.exportTitle) { Task { await model.export(into: folder) } }
                            .disabled(model.exported != nil || model.isOffline)
                        if let file = model.exportedFile { ShareLink("Share the copy", item: file) }
                    }
                    Section {
                        Button("Sign out", role: .destructive) { Task { await model.signOut() } }
                        Button("Sign out everywhere", role: .destructive) {
                            Task { await model.signOut(everywhere: true) }
                        }
                    }
                }
                .task { await model.load() }
                .navigationTitle("Settings")
                .sheet(isPresented: $showsProfile) { ProfileView(model: app.profile()) }
                .confirmationDialog("Not sent: \(model.unsent)", isPresented: $model.asksToDiscard) {
                    Button("Discard and sign out", role: .destructive) {
                        Task { await model.signOut(discardingUnsent: true) }
                    }
                }
                .alert(of: model)
            }
        }

        private var devices: some View {
            Section("Devices") {
                ForEach(model.devices) { device in
                    VStack(alignment: .leading) {
                        Text(device.name)
                        Text(device.detail).font(.caption).foregroundStyle(.secondary)
                        if !device.isCurrent {
                            Button("Sign out \(device.name)", role: .destructive) {
                                Task { await model.signOut(device.id) }
                            }
                        }
                    }
                }
            }
        }

        private var blocked: some View {
            Section("Blocked") {
                if model.blocked.isEmpty { Text("Nobody") }
                ForEach(model.blocked) { person in
                    Button("Unblock \(person.displayName)") { Task { await model.unblock(person) } }
                }
            }
        }

        private var folder: URL {
            FileManager.default.temporaryDirectory.appendingPathComponent("My chats", isDirectory: true)
        }
    }
#endif
