#if canImport(SwiftUI)
    import ChatModels
    import ParleyKit
    import SwiftUI

    /// A conversation.
    struct ChatView: View {
        @State var model: ChatModel
        @State private var details: DetailsModel?
        @State private var event: NewEventModel?

        // snippet
        var body: some View {
            MessageList(model: model)
                .safeAreaInset(edge: .top) { if let banner = model.banner { Banner(text: banner) } }
                .safeAreaInset(edge: .bottom) {
                    if model.canWrite { InputBar(model: model) } else { RequestBar(model: model) }
                }
                .task(id: model.chat.lastMessage?.id) { await model.appear() }
                .onDisappear { Task { await model.disappear() } }
                .navigationTitle(model.title)
                .toolbar { toolbar }
                .sheet(item: $details) { DetailsView(model: $0) }
                .sheet(item: $event) { NewEventView(model: $0) }
                .alert(of: model)
        }
        // end

        @ToolbarContentBuilder private var toolbar: some ToolbarContent {
            ToolbarItem(placement: .principal) {
                VStack {
                    Text(model.title).bold()
                    if !model.subtitle.isEmpty { Text(model.subtitle).font(.caption) }
                }
                .accessibilityElement(children: .combine)
            }
            ToolbarItem(placement: .primaryAction) {
                Menu("More", systemImage: "ellipsis.circle") {
                    Button("Details", systemImage: "info.circle") { details = model.details() }
                    if model.canWrite {
                        Button("New event", systemImage: "calendar.badge.plus") { event = model.newEvent() }
                    }
                }
            }
        }
    }

    /// What stands in the place of the text field where one cannot write.
    struct RequestBar: View {
        let model: ChatModel

        var body: some View {
            VStack {
                if let notice = model.notice { Text(notice) }
                HStack {
                    if model.isRequest {
                        Button("Decline", role: .destructive) { Task { await model.decline() } }
                        if model.canBlock { Button("Block", role: .destructive) { Task { await model.block() } } }
                        Button("Accept") { Task { await model.accept() } }
                            .buttonStyle(.borderedProminent)
                    } else if model.isBlocked {
                        Button("Unblock") { Task { await model.unblock() } }
                    }
                }
            }
            .padding()
            .frame(maxWidth: .infinity)
            .background(.bar)
        }
    }
#endif
