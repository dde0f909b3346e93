#if canImport(SwiftUI)
    import ChatModels
    import ParleyKit
    import SwiftUI

    /// The details of a conversation: a person, or a group and its members.
    struct DetailsView: View {
        @State var model: DetailsModel
        @State private var picker: NewMessageModel?
        @State private var asksToLeave = false
        @Environment(\.dismiss) private var dismiss

        var body: some View {
            NavigationStack {
                Form {
                    if model.isGroup { group } else { person }
                    Section {
                        Toggle("Mute", isOn: $model.isMuted)
                        Button("Clear messages", systemImage: "trash", role: .destructive) {
                            Task { await model.clear() }
                        }
                    }
                    if model.mayLeave {
                        Button("Leave group", role: .destructive) { asksToLeave = true }
                            .confirmationDialog("Leave this group?", isPresented: $asksToLeave) {
                                Button("Leave group", role: .destructive) { leave() }
                            }
                    }
                }
                .task { await model.load() }
                .navigationTitle(model.title)
                .toolbar { ToolbarItem(placement: .cancellationAction) { Button("Close") { dismiss() } } }
                .sheet(item: $picker) { picker in
                    PeoplePicker(model: picker) { people in Task { await model.add(people) } }
                }
                .alert(of: model)
            }
        }

        private var person: some View {
            Section {
                Text(model.username)
                if !model.presence.isEmpty { Text(model.presence) }
                Toggle("Block", isOn: $model.isBlocked)
                Menu("Report", systemImage: "exclamationmark.bubble") {
                    ForEach(ReportReason.allCases, id: \.self) { reason in
                        Button(reason.title) { Task { await model.report(reason) } }
                    }
                }
            }
        }

        @ViewBuilder private var group: some View {
            if model.mayRename {
                Section("Name") {
                    TextField("Name of the group", text: $model.name)
                    Button("Rename") { Task { await model.rename() } }.disabled(!model.canRename)
                }
            }
            Section(model.membersTitle) {
                ForEach(model.rows) { MemberView(row: $0, model: model) }
                if model.mayAdd {
                    Button("Add people", systemImage: "person.badge.plus") { picker = model.picker() }
                }
            }
            if !model.invited.isEmpty {
                Section("Invited") {
                    ForEach(model.invited) { person in
                        Button("Withdraw the invitation of \(person.displayName)") {
                            Task { await model.withdrawInvitation(of: person.id) }
                        }
                    }
                }
            }
        }

        private func leave() {
            Task {
                await model.leave()
                if model.problem == nil { dismiss() }
            }
        }
    }

    /// A member of a group, with what I may do with them.
    struct MemberView: View {
        let row: DetailsModel.Row
        let model: DetailsModel

        var body: some View {
            HStack {
                VStack(alignment: .leading) {
                    Text(row.name)
                    if !row.presence.isEmpty { Text(row.presence).font(.caption).foregroundStyle(.secondary) }
                }
                Spacer()
                Text(row.role).foregroundStyle(.secondary)
                if !row.actions.isEmpty {
                    Menu("Actions for \(row.name)", systemImage: "ellipsis.circle") {
                        ForEach(row.actions) { action in
                            Button(action.title) { Task { await model.perform(action, on: row.id) } }
                        }
                    }
                    .labelStyle(.iconOnly)
                }
            }
        }
    }
#endif
