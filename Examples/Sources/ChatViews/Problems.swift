#if canImport(SwiftUI)
    import ChatModels
    import ParleyKit
    import SwiftUI

    extension View {
        /// Shows why the last action did not work, until it is dismissed.
        func alert(of model: some Acting & Observable) -> some View {
            alert("That did not work", isPresented: Bindable(model).hasProblem) {
                Button("OK") { model.problem = nil }
            } message: {
                Text(model.problem?.text ?? "")
            }
        }
    }

    /// A line above a list or a conversation.
    struct Banner: View {
        let text: String

        var body: some View {
            Text(text)
                .font(.footnote)
                .foregroundStyle(.secondary)
                .frame(maxWidth: .infinity)
                .padding(4)
        }
    }
#endif
