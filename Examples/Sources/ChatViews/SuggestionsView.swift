#if canImport(SwiftUI)
    import ChatModels
    import SwiftUI

    /// What messages suggest.
    struct SuggestionsView: View {
        @State var model: SuggestionsModel
        @Environment(\.dismiss) private var dismiss

        var body: some View {
            NavigationStack {
                List {
                    ForEach(model.rows) { row in
                        VStack(alignment: .leading) {
                            Label(row.title, systemImage: row.symbol).accessibilityLabel(row.label)
                            if !row.detail.isEmpty { Text(row.detail).font(.caption).foregroundStyle(.secondary) }
                            HStack {
                                Button(row.accept) { Task { await model.accept(row.id) } }
                                Button("Dismiss") { Task { await model.dismiss(row.id) } }
                            }
                            .buttonStyle(.bordered)
                        }
                    }
                    if model.rows.isEmpty { ContentUnavailableView("No suggestions", systemImage: "lightbulb") }
                }
                .navigationTitle("Suggestions")
                .toolbar { ToolbarItem(placement: .cancellationAction) { Button("Close") { dismiss() } } }
                .alert(of: model)
            }
        }
    }
#endif
