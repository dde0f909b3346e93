import Foundation

/// Looks for what a device keeps of a person who signed out.
enum SoakFolder {
    /// Returns the files that name a person or contain their id.
    /// - Parameter isOnlyNames: does not look into files: who is signed in now may know the person.
    static func leftovers(of user: String, in folder: String, isOnlyNames: Bool) -> [String] {
        guard !user.isEmpty, let all = FileManager.default.enumerator(atPath: folder) else { return [] }
        let bytes = Data(user.utf8)
        var found: [String] = []
        for case let path as String in all {
            if path.split(separator: "/").contains(where: { $0.hasPrefix(user) }) {
                found.append(path)
            } else if !isOnlyNames, let data = FileManager.default.contents(atPath: "\(folder)/\(path)"),
                data.range(of: bytes) != nil
            {
                found.append("\(path) (contains \(user))")
            }
        }
        return found
    }
}
