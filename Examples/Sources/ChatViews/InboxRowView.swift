#if canImport(SwiftUI)
    import ChatModels
    import SwiftUI

    /// A conversation in the inbox.
    struct InboxRowView: View {
        let row: InboxModel.Row

        var body: some View {
            HStack {
                Avatar(initials: row.initials, photo: row.photo, isOnline: row.isOnline)
                VStack(alignment: .leading) {
                    HStack {
                        Text(row.title).bold(row.isUnread)
                        if row.isPinned { Image(systemName: "pin.fill").accessibilityLabel("pinned") }
                        if row.isMuted { Image(systemName: "bell.slash").accessibilityLabel("muted") }
                        Spacer()
                        Text(row.time).font(.caption).foregroundStyle(.secondary)
                    }
                    Text(row.preview).lineLimit(1).foregroundStyle(.secondary)
                }
            }
            .badge(row.unread)
        }
    }

    /// What the search field found.
    struct SearchResults: View {
        let model: SearchModel
        let inbox: InboxModel

        var body: some View {
            if !model.people.isEmpty {
                Section("People") {
                    ForEach(model.people) { person in
                        Button("\(person.displayName) (@\(person.username))") {
                            Task { await inbox.open(person) }
                        }
                    }
                }
            }
            Section("Messages") {
                ForEach(model.hits) { hit in
                    Button {
                        Task { await inbox.open(hit) }
                    } label: {
                        VStack(alignment: .leading) {
                            Text("\(hit.title), \(hit.time)").font(.caption)
                            Text(hit.text).lineLimit(2)
                        }
                    }
                    .task { if hit == model.hits.last, model.hasMore { await model.loadMore() } }
                }
                if model.isSearching { ProgressView("Searching …") }
                if let notice = model.notice { Text(notice).foregroundStyle(.secondary) }
            }
        }
    }
#endif
