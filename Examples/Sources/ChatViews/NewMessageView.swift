#if canImport(SwiftUI)
    import ChatModels
    import ParleyKit
    import SwiftUI

    /// Whom to write to, and the first message.
    struct NewMessageView: View {
        @State var model: NewMessageModel
        @Environment(\.dismiss) private var dismiss

        var body: some View {
            NavigationStack {
                List {
                    if !model.people.isEmpty { chosen }
                    if model.isNewGroup { TextField("Name of the group", text: $model.groupName) }
                    Section(model.people.isEmpty ? "To" : "Add") {
                        ForEach(model.offered) { person in
                            Button("\(person.displayName) (@\(person.username))") { model.add(person) }
                        }
                        if model.isSearching { ProgressView("Searching …") }
                        if let notice = model.notice { Text(notice).foregroundStyle(.secondary) }
                    }
                    if !model.preview.isEmpty {
                        Section("Last messages") {
                            ForEach(model.preview.compactMap(\.bubble)) { Text($0.label) }
                        }
                    }
                }
                .searchable(text: $model.search, prompt: "People")
                .task(id: model.search) { await model.find() }
                .safeAreaInset(edge: .bottom) { input.padding() }
                .navigationTitle(model.title)
                .toolbar {
                    ToolbarItem(placement: .cancellationAction) { Button("Cancel") { dismiss() } }
                }
                .alert(of: model)
            }
        }

        private var chosen: some View {
            Section("To") {
                ForEach(model.people) { person in
                    Button("Remove \(person.displayName)", systemImage: "xmark.circle") { model.remove(person) }
                }
            }
        }

        private var input: some View {
            HStack {
                TextField("Message", text: $model.text, axis: .vertical)
                Button("Send", systemImage: "paperplane.fill") {
                    Task {
                        await model.send()
                        if model.problem == nil { dismiss() }
                    }
                }
                .disabled(!model.canSend)
            }
        }
    }

    /// People to be added, such as to a group.
    struct PeoplePicker: View {
        @State var model: NewMessageModel
        let add: ([User]) -> Void
        @Environment(\.dismiss) private var dismiss

        var body: some View {
            NavigationStack {
                List {
                    ForEach(model.people) { person in
                        Button("Remove \(person.displayName)", systemImage: "xmark.circle") { model.remove(person) }
                    }
                    ForEach(model.offered) { person in
                        Button("\(person.displayName) (@\(person.username))") { model.add(person) }
                    }
                    if let notice = model.notice { Text(notice).foregroundStyle(.secondary) }
                }
                .searchable(text: $model.search, prompt: "People")
                .task(id: model.search) { await model.find() }
                .navigationTitle("Add people")
                .toolbar {
                    ToolbarItem(placement: .cancellationAction) { Button("Cancel") { dismiss() } }
                    ToolbarItem(placement: .confirmationAction) {
                        Button("Add") {
                            add(model.people)
                            dismiss()
                        }
                        .disabled(model.people.isEmpty)
                    }
                }
                .alert(of: model)
            }
        }
    }
#endif
