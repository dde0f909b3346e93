#if canImport(SwiftUI)
    import ChatModels
    import SwiftUI

    struct SignInView: View {
        @State var model: SignInModel

        var body: some View {
            Form {
                if let ended = model.ended { Text(ended) }
                Section {
                    TextField("Username", text: $model.username)
                        .textContentType(.username)
                        .autocorrectionDisabled()
                    SecureField("Password", text: $model.password)
                        .textContentType(.password)
                    if model.asksForCode { TextField("Code of the server", text: $model.code) }
                }
                Section {
                    Button("Sign in") { Task { await model.signIn() } }
                        .disabled(!model.canSubmit)
                    Button("Register") { Task { await model.register() } }
                        .disabled(!model.canSubmit)
                    if model.isBusy { ProgressView("Signing in …") }
                    if let problem = model.problem { Text(problem).foregroundStyle(.red) }
                }
            }
        }
    }
#endif
