#if canImport(SwiftUI)
    import SwiftUI

    /// A round picture, or initials, with a dot for who is online. The row beside it says the same.
    struct Avatar: View {
        let initials: String
        var photo: URL?
        var isOnline = false

        var body: some View {
            AsyncImage(url: photo) { image in
                image.resizable().scaledToFill()
            } placeholder: {
                Circle().fill(.quaternary).overlay { Text(initials) }
            }
            .frame(width: 40, height: 40)
            .clipShape(Circle())
            .overlay(alignment: .bottomTrailing) {
                if isOnline { Circle().fill(.green).frame(width: 12, height: 12) }
            }
            .accessibilityHidden(true)
        }
    }
#endif
