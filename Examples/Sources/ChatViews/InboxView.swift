#if canImport(SwiftUI)
    import ChatModels
    import ParleyKit
    import SwiftUI

    struct InboxView: View {
        @State var model: InboxModel
        @State private var new: NewMessageModel?
        @State private var suggested: SuggestionsModel?
        @State private var showsArchived = false

        var body: some View {
            @Bindable var search = model.search
            NavigationStack(path: $model.path) {
                List {
                    if let banner = model.banner { Banner(text: banner) }
                    if let suggestions = model.suggestions {
                        Button(suggestions, systemImage: "lightbulb") { suggested = model.suggested() }
                    }
                    if model.search.isActive { SearchResults(model: model.search, inbox: model) } else { content }
                }
                .searchable(text: $search.text, prompt: "People and messages")
                .task(id: model.search.text) { await model.search.search() }
                .task(id: model.rows.count) { await model.watch() }
                .navigationDestination(for: ConversationID.self) { ChatView(model: model.chat($0)) }
                .navigationTitle("Chats")
                .toolbar {
                    ToolbarItem(placement: .primaryAction) {
                        Button("New message", systemImage: "square.and.pencil") { new = model.newMessage() }
                    }
                }
                .sheet(item: $new) { NewMessageView(model: $0) }
                .sheet(item: $suggested) { SuggestionsView(model: $0) }
                .alert(of: model)
            }
        }

        @ViewBuilder private var content: some View {
            if !model.requests.isEmpty { RequestsSection(model: model) }
            Section {
                ForEach(model.rows) { row in
                    link(row).task { if row == model.rows.last { await model.loadMore() } }
                }
                if model.isEmpty {
                    ContentUnavailableView("No chats yet", systemImage: "message")
                }
            }
            Section {
                Toggle("Show archived", isOn: $showsArchived)
                if showsArchived {
                    ForEach(model.archived) { link($0) }
                }
            }
            .task(id: showsArchived) { if showsArchived { await model.loadMoreArchived() } }
        }

        private func link(_ row: InboxModel.Row) -> some View {
            NavigationLink(value: row.id) { InboxRowView(row: row) }
                .accessibilityLabel(row.label)
                .swipeActions(edge: .leading) {
                    Button(row.isUnread ? "Mark as read" : "Mark as unread", systemImage: "envelope") {
                        Task { await model.toggleRead(row) }
                    }
                    Button(row.isPinned ? "Unpin" : "Pin", systemImage: "pin") { Task { await model.pin(row) } }
                        .tint(.orange)
                }
                .swipeActions(edge: .trailing) {
                    Button(row.isArchived ? "Unarchive" : "Archive", systemImage: "archivebox") {
                        Task { await model.archive(row) }
                    }
                    Button(row.isMuted ? "Unmute" : "Mute", systemImage: "bell.slash") {
                        Task { await model.mute(row) }
                    }
                    .tint(.indigo)
                }
        }
    }

    /// Those who ask, with how many are new.
    struct RequestsSection: View {
        let model: InboxModel

        var body: some View {
            Section {
                ForEach(model.requests) { row in
                    NavigationLink(value: row.id) { InboxRowView(row: row) }
                        .accessibilityLabel(row.label)
                        .swipeActions(edge: .trailing) {
                            Button("Accept", systemImage: "checkmark") { Task { await model.accept(row) } }
                                .tint(.green)
                            Button("Decline", systemImage: "xmark", role: .destructive) {
                                Task { await model.decline(row) }
                            }
                        }
                }
            } header: {
                Text(model.requestsTitle)
            }
            .task(id: model.requests.count) { await model.sawRequests() }
        }
    }
#endif
