#if canImport(SwiftUI)
    import ChatModels
    import ParleyKit
    import SwiftUI

    /// Messages of all conversations that mention me, or that I starred.
    struct OverviewView: View {
        @State var model: OverviewModel
        let inbox: InboxModel

        var body: some View {
            NavigationStack {
                List {
                    Picker("Show", selection: $model.kind) {
                        ForEach(MentionsAndStars.shown, id: \.self) { Text($0.title).tag($0) }
                    }
                    .pickerStyle(.segmented)
                    ForEach(model.rows) { row($0) }
                    if let notice = model.notice { Text(notice).foregroundStyle(.secondary) }
                }
                .task(id: model.kind) { await model.load() }
                .navigationDestination(for: OverviewModel.Row.self) { row in
                    ChatView(model: inbox.chat(row.conversation))
                        .task { await inbox.chat(row.conversation).show(row.seq) }
                }
                .navigationTitle("Mentions")
                .alert(of: model)
            }
        }

        private func row(_ row: OverviewModel.Row) -> some View {
            NavigationLink(value: row) {
                VStack(alignment: .leading) {
                    Text("\(row.author) · \(row.title) · \(row.time)").font(.caption).foregroundStyle(.secondary)
                    Text(row.text)
                }
            }
            .accessibilityLabel(row.label)
            .swipeActions {
                Button(row.isStarred ? "Remove star" : "Star", systemImage: row.isStarred ? "star.slash" : "star") {
                    Task { await model.toggleStar(row.id) }
                }
                .tint(.yellow)
            }
            .task { if row == model.rows.last, model.hasMore { await model.loadMore() } }
        }
    }
#endif
