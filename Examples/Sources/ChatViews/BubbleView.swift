#if canImport(SwiftUI)
    import ChatModels
    import SwiftUI

    /// A message, with a menu of what can be done with it.
    struct BubbleView: View {
        let bubble: Bubble
        let model: ChatModel
        let perform: (MessageAction, Bubble) -> Void

        private var side: HorizontalAlignment { bubble.isMine ? .trailing : .leading }

        var body: some View {
            VStack(alignment: side, spacing: 2) {
                if bubble.showsAuthor { Text(bubble.author).font(.caption).bold() }
                content
                    .padding(8)
                    .background(bubble.isMine ? Color.accentColor.opacity(0.2) : Color.gray.opacity(0.2))
                    .clipShape(RoundedRectangle(cornerRadius: 12))
                    .contextMenu { menu }
                    .accessibilityElement(children: .combine)
                    .accessibilityLabel(bubble.label)
                    .accessibilityActions { menu }
                if !bubble.reactions.isEmpty { ReactionBar(bubble: bubble, model: model) }
                footer
            }
            .frame(maxWidth: .infinity, alignment: bubble.isMine ? .trailing : .leading)
        }

        @ViewBuilder private var content: some View {
            VStack(alignment: .leading, spacing: 4) {
                if let name = bubble.forwarded { Text("Forwarded from \(name)").font(.caption2) }
                if let quote = bubble.quote {
                    Button("\(quote.author): \(quote.text)") { Task { await model.show(quote.seq) } }
                        .font(.caption)
                        .lineLimit(2)
                }
                if let file = bubble.file { FileView(file: file) { perform(.open, bubble) } }
                if !bubble.text.isEmpty { Text(bubble.text).italic(bubble.isDeleted) }
            }
        }

        private var footer: some View {
            HStack {
                if let replies = bubble.replies { Button(replies) { perform(.thread, bubble) } }
                if bubble.isStarred { Image(systemName: "star.fill").accessibilityLabel("starred") }
                if bubble.isEdited { Text("edited") }
                Text(bubble.time)
                Text(bubble.mark)
            }
            .font(.caption2)
            .foregroundStyle(bubble.refused == nil ? Color.secondary : Color.red)
        }

        @ViewBuilder private var menu: some View {
            if !bubble.isDeleted, model.canWrite {
                ForEach(ChatModel.emoji, id: \.self) { emoji in
                    Button("React with \(emoji)") { Task { await model.toggle(emoji, on: bubble.id) } }
                }
            }
            ForEach(model.actions(for: bubble.id)) { action in
                Button(action.title, systemImage: action.symbol, role: action.isDestructive ? .destructive : nil) {
                    perform(action, bubble)
                }
            }
        }
    }

    /// The reactions to a message. Tapping one adds or removes mine.
    struct ReactionBar: View {
        let bubble: Bubble
        let model: ChatModel

        var body: some View {
            HStack {
                ForEach(bubble.reactions) { reaction in
                    Button("\(reaction.emoji) \(reaction.count)") {
                        Task { await model.toggle(reaction.emoji, on: bubble.id) }
                    }
                    .tint(reaction.isMine ? Color.accentColor : Color.gray)
                }
            }
            .buttonStyle(.bordered)
            .font(.caption)
        }
    }

    /// A file in a message.
    struct FileView: View {
        let file: Bubble.File
        let open: () -> Void

        var body: some View {
            VStack(alignment: .leading) {
                Button("\(file.name), \(file.size)", systemImage: file.symbol) { open() }
                if let progress = file.progress {
                    ProgressView("Sending", value: progress)
                }
            }
        }
    }
#endif
