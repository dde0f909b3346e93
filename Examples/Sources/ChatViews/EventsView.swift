#if canImport(SwiftUI)
    import ChatModels
    import ParleyKit
    import SwiftUI

    /// My events.
    struct EventsView: View {
        @State var model: EventsModel
        @State private var new: NewEventModel?

        var body: some View {
            NavigationStack {
                List {
                    Section("To come") { ForEach(model.upcoming) { row($0) } }
                    if !model.past.isEmpty { Section("Past") { ForEach(model.past) { row($0) } } }
                    if model.isEmpty { ContentUnavailableView("No events yet", systemImage: "calendar") }
                }
                .navigationTitle("Events")
                .toolbar {
                    ToolbarItem(placement: .primaryAction) {
                        Button("New event", systemImage: "plus") { new = model.newEvent() }
                    }
                }
                .sheet(item: $new) { NewEventView(model: $0) }
                .alert(of: model)
            }
        }

        private func row(_ row: EventRow) -> some View {
            VStack(alignment: .leading) {
                EventText(row: row)
                if row.isAskedToHost {
                    HStack {
                        Button("Host it") { Task { await model.host(row.id, true) } }
                        Button("Do not host it") { Task { await model.host(row.id, false) } }
                    }
                    .buttonStyle(.bordered)
                }
                AnswerButtons(row: row) { answer in Task { await model.answer(row.id, answer) } }
            }
            .swipeActions {
                if row.isHost {
                    Button("Delete", systemImage: "trash", role: .destructive) { Task { await model.delete(row.id) } }
                    if !row.isCancelled {
                        Button("Call off", systemImage: "calendar.badge.minus") { Task { await model.cancel(row.id) } }
                    }
                }
            }
        }
    }

    /// What an event says.
    struct EventText: View {
        let row: EventRow

        var body: some View {
            VStack(alignment: .leading) {
                Text(row.title).bold().strikethrough(row.isCancelled)
                Text(row.when)
                if !row.place.isEmpty { Text(row.place) }
                if !row.notes.isEmpty { Text(row.notes).font(.caption) }
                Text("\(row.answer.said) · \(row.counts)").font(.caption).foregroundStyle(.secondary)
            }
            .accessibilityElement(children: .combine)
            .accessibilityLabel(row.label)
        }
    }

    /// Yes, maybe, no.
    struct AnswerButtons: View {
        let row: EventRow
        let answer: (Event.Answer) -> Void

        var body: some View {
            if !row.isCancelled {
                HStack {
                    ForEach(Event.Answer.offered, id: \.self) { offered in
                        Button(offered.title) { answer(offered) }
                            .tint(offered == row.answer ? Color.accentColor : Color.gray)
                    }
                }
                .buttonStyle(.bordered)
            }
        }
    }

    /// The card of an event in a conversation.
    struct EventCardView: View {
        @State var model: EventCardModel

        var body: some View {
            VStack(alignment: .leading) {
                if let row = model.row {
                    EventText(row: row)
                    AnswerButtons(row: row) { answer in Task { await model.answer(answer) } }
                } else {
                    Text(model.notice)
                }
            }
            .padding()
            .background(Color.gray.opacity(0.1))
            .clipShape(RoundedRectangle(cornerRadius: 12))
            .alert(of: model)
        }
    }
#endif
