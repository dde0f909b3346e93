#if canImport(SwiftUI)
    import ChatModels
    import ParleyKit
    import SwiftUI

    /// My reminders.
    struct RemindersView: View {
        @State var model: RemindersModel
        @State private var new: NewReminderModel?

        var body: some View {
            NavigationStack {
                List {
                    Section("Open") { ForEach(model.open) { row($0) } }
                    if !model.completed.isEmpty { Section("Completed") { ForEach(model.completed) { row($0) } } }
                    if model.open.isEmpty { ContentUnavailableView("Nothing to do", systemImage: "bell") }
                }
                .navigationTitle("Reminders")
                .toolbar {
                    ToolbarItem(placement: .primaryAction) {
                        Button("New reminder", systemImage: "plus") { new = model.newReminder() }
                    }
                }
                .sheet(item: $new) { NewReminderView(model: $0) }
                .alert(of: model)
            }
        }

        private func row(_ row: RemindersModel.Row) -> some View {
            VStack(alignment: .leading) {
                Text(row.title).strikethrough(row.isCompleted)
                Text(row.when).font(.caption).foregroundStyle(row.isOverdue ? Color.red : Color.secondary)
            }
            .accessibilityElement(children: .combine)
            .accessibilityLabel(row.label)
            .swipeActions(edge: .leading) {
                Button(row.isCompleted ? "Open again" : "Complete", systemImage: "checkmark") {
                    Task { await model.complete(row.id, !row.isCompleted) }
                }
                .tint(.green)
            }
            .swipeActions(edge: .trailing) {
                Button("Delete", systemImage: "trash", role: .destructive) { Task { await model.delete(row.id) } }
            }
            .contextMenu {
                if !row.isCompleted {
                    ForEach(Snooze.allCases) { snooze in
                        Button(snooze.title, systemImage: "clock") { Task { await model.snooze(row.id, snooze) } }
                    }
                }
            }
        }
    }

    /// The form of a new reminder.
    struct NewReminderView: View {
        @State var model: NewReminderModel
        @Environment(\.dismiss) private var dismiss

        var body: some View {
            NavigationStack {
                Form {
                    TextField("Remind me of", text: $model.title, axis: .vertical)
                    DatePicker("When", selection: $model.dueAt)
                }
                .navigationTitle(model.isOfMessage ? "Remind me of this" : "New reminder")
                .toolbar {
                    ToolbarItem(placement: .cancellationAction) { Button("Cancel") { dismiss() } }
                    ToolbarItem(placement: .confirmationAction) {
                        Button("Save") { Task { if await model.save() { dismiss() } } }
                            .disabled(!model.canSave)
                    }
                }
                .alert(of: model)
            }
        }
    }
#endif
