#if canImport(SwiftUI)
    import ChatModels
    import ParleyKit
    import SwiftUI
    import UniformTypeIdentifiers

    /// The text field, with what it answers above it.
    struct InputBar: View {
        @State var model: ChatModel
        @State private var picksFile = false

        var body: some View {
            VStack(alignment: .leading) {
                if let notice = model.notice { Text(notice).font(.footnote) }
                ForEach(model.mentionable) { person in
                    Button("@\(person.username), \(person.displayName)") { model.mention(person) }
                }
                if let context = model.context { contextBar(context) }
                HStack {
                    Button("Attach a file", systemImage: "paperclip") { picksFile = true }
                        .labelStyle(.iconOnly)
                    TextField("Message", text: $model.draft, axis: .vertical)
                        .lineLimit(1...6)
                        .textFieldStyle(.roundedBorder)
                    Button("Send", systemImage: "paperplane.fill") { Task { await model.send() } }
                        .labelStyle(.iconOnly)
                        .disabled(!model.canSend)
                        .keyboardShortcut(.return, modifiers: .command)
                }
            }
            .padding(8)
            .background(.bar)
            .fileImporter(isPresented: $picksFile, allowedContentTypes: [.item]) { picked($0) }
        }

        private func contextBar(_ context: Bubble.Quote) -> some View {
            HStack {
                VStack(alignment: .leading) {
                    Text(context.author).font(.caption).bold()
                    Text(context.text).font(.caption).lineLimit(1)
                }
                Spacer()
                Button("Cancel", systemImage: "xmark.circle") { model.stopContext() }
                    .labelStyle(.iconOnly)
            }
        }

        private func picked(_ result: Result<URL, any Error>) {
            switch result {
            case .failure(let error): model.noteUnreadable(error.localizedDescription)
            case .success(let url):
                Task {
                    // Until it is copied.
                    let mayRead = url.startAccessingSecurityScopedResource()
                    await model.send(file: url)
                    if mayRead { url.stopAccessingSecurityScopedResource() }
                }
            }
        }
    }
#endif
