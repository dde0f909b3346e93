#if canImport(SwiftUI)
    import ChatModels
    import ParleyKit
    import SwiftUI

    /// The form of a new event.
    struct NewEventView: View {
        @State var model: NewEventModel
        @Environment(\.dismiss) private var dismiss

        var body: some View {
            NavigationStack {
                Form {
                    TextField("Title", text: $model.title)
                    Toggle("All day", isOn: $model.isAllDay)
                    DatePicker("Begins", selection: $model.startsAt, displayedComponents: parts)
                    if !model.isAllDay {
                        Picker("Takes", selection: $model.minutes) {
                            ForEach(model.durations, id: \.self) { Text(model.title(of: $0)).tag($0) }
                        }
                    }
                    Picker("Repeats", selection: $model.repeats) {
                        ForEach(NewEventModel.Repetition.allCases) { Text($0.title).tag($0) }
                    }
                    TextField("Place", text: $model.location)
                    TextField("Notes", text: $model.notes, axis: .vertical)
                    Picker("Invite", selection: $model.invited) {
                        Text("Nobody").tag(ConversationID?.none)
                        ForEach(model.conversations, id: \.id) { Text($0.title).tag(Optional($0.id)) }
                    }
                }
                .navigationTitle("New event")
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

        private var parts: DatePickerComponents { model.isAllDay ? [.date] : [.date, .hourAndMinute] }
    }
#endif
