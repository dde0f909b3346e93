#if canImport(SwiftUI)
    import ChatModels
    import ParleyKit
    import SwiftUI

    /// The whole app: `WindowGroup { ChatApp(server: "wss://chat.example.com") }`.
    public struct ChatApp: View {
        let server: String
        @State private var model: AppModel?
        @Environment(\.scenePhase) private var phase

        public init(server: String) { self.server = server }

        public var body: some View {
            Group {
                switch model?.screen {
                case .signIn?: if let model { SignInView(model: model.signIn) }
                case .setUp?: if let model { ProfileView(model: model.profile(isFirst: true), isFirst: true) }
                case .chats?: if let model { MainView(model: model) }
                case nil: ProgressView("Opening …")
                }
            }
            .task { if model == nil { model = AppModel(await Parley.open(server)) } }
            .onChange(of: phase) { _, phase in
                guard phase != .inactive else { return }
                Task { await model?.sceneBecame(active: phase == .active) }
            }
        }
    }
#endif
