#if canImport(SwiftUI)
    import ChatModels
    import SwiftUI

    /// A message and what answers it.
    struct ThreadView: View {
        @State var model: ThreadModel
        @Environment(\.dismiss) private var dismiss

        var body: some View {
            NavigationStack {
                List {
                    ForEach(model.bubbles) { bubble in
                        VStack(alignment: .leading) {
                            Text(bubble.isMine ? "You" : bubble.author).font(.caption).bold()
                            Text(bubble.text)
                            Text("\(bubble.time) \(bubble.mark)").font(.caption2).foregroundStyle(.secondary)
                        }
                        .accessibilityElement(children: .combine)
                        .accessibilityLabel(bubble.label)
                    }
                    if let notice = model.notice { Text(notice).foregroundStyle(.secondary) }
                }
                .task { await model.load() }
                .safeAreaInset(edge: .bottom) {
                    HStack {
                        TextField("Reply", text: $model.text, axis: .vertical)
                        Button("Send", systemImage: "paperplane.fill") { Task { await model.send() } }
                            .disabled(!model.canSend)
                    }
                    .padding()
                }
                .navigationTitle(model.title)
                .toolbar { ToolbarItem(placement: .cancellationAction) { Button("Close") { dismiss() } } }
                .alert(of: model)
            }
        }
    }
#endif
