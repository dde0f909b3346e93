#if canImport(SwiftUI)
    import ChatModels
    import ParleyKit
    import SwiftUI

    /// My profile; after registering, the screen that asks for a name.
    struct ProfileView: View {
        @State var model: ProfileModel
        var isFirst = false
        @Environment(\.dismiss) private var dismiss

        var body: some View {
            NavigationStack {
                Form {
                    Section {
                        TextField("Name", text: $model.displayName)
                        TextField("Address of a picture (https)", text: $model.photo)
                            .autocorrectionDisabled()
                        if !model.isPhotoValid { Text("This is not an https address.").foregroundStyle(.red) }
                    } footer: {
                        Text(isFirst ? "How shall others see you?" : "@\(model.username)")
                    }
                    if !isFirst { presence }
                }
                .navigationTitle(isFirst ? "Welcome" : "Profile")
                .toolbar {
                    ToolbarItem(placement: .confirmationAction) {
                        Button(isFirst ? "Continue" : "Save") { save() }
                            .disabled(!model.canSave)
                    }
                    ToolbarItem(placement: .cancellationAction) {
                        Button(isFirst ? "Skip" : "Close") { close() }
                    }
                }
                .alert(of: model)
            }
        }

        private var presence: some View {
            Section("Presence") {
                TextField("Status", text: $model.status)
                Picker("Available", selection: $model.availability) {
                    ForEach(OwnPresence.Availability.all, id: \.self) { Text($0.title).tag($0) }
                }
                Picker("Who sees whether I am online", selection: $model.hiding) {
                    ForEach(OwnPresence.Hiding.all, id: \.self) { Text($0.title).tag($0) }
                }
            }
        }

        private func save() {
            Task {
                await model.save()
                if model.problem == nil, !isFirst { dismiss() }
            }
        }

        private func close() {
            model.skip()
            if !isFirst { dismiss() }
        }
    }
#endif
