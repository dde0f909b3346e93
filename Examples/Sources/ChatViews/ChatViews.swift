#if canImport(SwiftUI)
    import ChatModels
    import ParleyKit
    import SwiftUI

    /// The whole app: `WindowGroup { ChatApp(server: "wss://chat.example.com") }`.
    public struct ChatApp: View {
        let server: String
        @State private var parley: Parley?
        @Environment(\.scenePhase) private var phase

        public init(server: String) { self.server = server }

        public var body: some View {
            Group {
                if let parley, parley.user != nil {
                    InboxView(model: InboxModel(parley))
                } else if let parley {
                    SignInView(model: SignInModel(parley))
                } else {
                    ProgressView()
                }
            }
            .task { parley = await Parley.open(server) }
            .onChange(of: phase) { _, phase in
                Task {
                    if phase == .background { await parley?.suspend() }
                    if phase == .active { parley?.resume() }
                }
            }
        }
    }

    public struct SignInView: View {
        @State var model: SignInModel

        public var body: some View {
            Form {
                TextField("Username", text: $model.username)
                SecureField("Password", text: $model.password)
                Button("Sign in") { Task { await model.signIn() } }.disabled(!model.canSubmit)
                Button("Register") { Task { await model.register() } }.disabled(!model.canSubmit)
                if let problem = model.problem { Text(problem).foregroundStyle(.red) }
            }
        }
    }

    public struct InboxView: View {
        @State var model: InboxModel

        public var body: some View {
            NavigationStack {
                List {
                    if let banner = model.banner { Text(banner).font(.footnote) }
                    ForEach(model.requests + model.rows) { row in
                        NavigationLink(value: row.id) {
                            VStack(alignment: .leading) {
                                Text(row.title).bold(row.unread > 0)
                                Text(row.preview).lineLimit(1).foregroundStyle(.secondary)
                            }
                            .badge(row.unread)
                        }
                        .task { if row == model.rows.last { await model.loadMore() } }
                    }
                }
                .navigationDestination(for: ConversationID.self) { ChatView(model: model.chat($0)) }
                .navigationTitle("Chats")
            }
        }
    }

    // snippet
    public struct ChatView: View {
        @State var model: ChatModel

        public var body: some View {
            ScrollView {
                LazyVStack(alignment: .leading) {
                    if model.hasOlder { ProgressView().task { await model.loadOlder() } }
                    ForEach(model.bubbles) { bubble in
                        VStack(alignment: bubble.isMine ? .trailing : .leading) {
                            if !bubble.author.isEmpty { Text(bubble.author).font(.caption) }
                            Text(bubble.text)
                            Text(bubble.reactions + " " + bubble.mark).font(.caption2)
                        }
                        .frame(maxWidth: .infinity, alignment: bubble.isMine ? .trailing : .leading)
                        .onTapGesture(count: 2) { Task { await model.toggle("👍", on: bubble.id) } }
                    }
                }
                .padding()
            }
            .defaultScrollAnchor(.bottom)
            .safeAreaInset(edge: .bottom) { input.padding() }
            .navigationTitle(model.title)
            .task(id: model.bubbles.last?.id) { await model.appear() }
        }

        @ViewBuilder private var input: some View {
            if model.isRequest {
                HStack {
                    Button("Decline") { Task { await model.decline() } }
                    Button("Accept") { Task { await model.accept() } }
                }
            } else {
                HStack {
                    TextField("Message", text: $model.draft)
                    Button("Send") { Task { await model.send() } }
                }
            }
        }
    }
// end
#endif
