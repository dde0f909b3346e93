#if canImport(SwiftUI)
    import ChatModels
    import ParleyKit
    import QuickLook
    import SwiftUI

    /// The messages of a conversation, with what stands between them.
    struct MessageList: View {
        @State var model: ChatModel
        @State private var thread: ThreadModel?
        @State private var reminder: NewReminderModel?

        var body: some View {
            ScrollViewReader { scroll in
                ScrollView {
                    LazyVStack(alignment: .leading, spacing: 4) {
                        if model.hasOlder {
                            ProgressView("Loading earlier messages …").task { await model.loadOlder() }
                        }
                        if model.isEmpty { ContentUnavailableView("No messages yet", systemImage: "message") }
                        ForEach(model.rows) { row in
                            rowView(row).id(row.id)
                        }
                        if !model.typing.isEmpty { Text(model.typing).font(.caption).foregroundStyle(.secondary) }
                    }
                    .padding()
                }
                .defaultScrollAnchor(.bottom)
                .onChange(of: model.target) { _, target in
                    guard let target else { return }
                    withAnimation { scroll.scrollTo(target.description, anchor: .center) }
                    model.target = nil
                }
            }
            .sheet(item: $thread) { ThreadView(model: $0) }
            .sheet(item: $reminder) { NewReminderView(model: $0) }
            .quickLookPreview($model.opened)
        }

        @ViewBuilder private func rowView(_ row: ChatRow) -> some View {
            switch row {
            case .day(let day): Text(day).font(.caption).bold().frame(maxWidth: .infinity)
            case .new: Text("New").font(.caption).foregroundStyle(.red).frame(maxWidth: .infinity)
            case .gap(let gap, let title): Button(title) { Task { await model.fill(gap) } }
            case .note(let note): NoteView(note: note, model: model)
            case .bubble(let bubble): BubbleView(bubble: bubble, model: model, perform: perform)
            }
        }

        private func perform(_ action: MessageAction, on bubble: Bubble) {
            switch action {
            case .copy: Clipboard.copy(bubble.text)
            case .thread: thread = model.thread(of: bubble.id)
            case .remind: reminder = model.newReminder(from: bubble.id)
            default: Task { await model.perform(action, on: bubble.id) }
            }
        }
    }

    /// What happened, with the card of what was shared.
    struct NoteView: View {
        let note: ChatRow.Note
        let model: ChatModel

        var body: some View {
            VStack {
                Text(note.text).font(.caption).foregroundStyle(.secondary)
                if let event = note.event { EventCardView(model: model.event(event)) }
                if let decision = note.decision { Text(model.decision(decision).entity?.text ?? "…").bold() }
            }
            .frame(maxWidth: .infinity)
        }
    }
#endif
