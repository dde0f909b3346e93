import Foundation

/// Copies of the files that are not sent yet, beside the store: the originals may go meanwhile, and the app may be
/// killed.
struct UnsentFiles: Sendable {
    let folder: URL

    func url(of name: String) -> URL { folder.appendingPathComponent(name) }

    /// Copies a file, off the main actor. Under its name it is there as a whole, or not at all.
    func keep(_ original: URL, as name: String) async throws(Refusal) {
        let (folder, place) = (folder, url(of: name))
        let problem = await Task.detached { () -> Refusal? in
            let part = place.appendingPathExtension("part")
            do {
                try OwnFiles.makeFolder(folder)
                try FileManager.default.copyItem(at: original, to: part)
                try OwnFiles.restrict(part.path)
                try FileManager.default.moveItem(at: part, to: place)
                return nil
            } catch {
                Self.remove(part)
                return .storage("\(original.lastPathComponent) cannot be copied: \(error.localizedDescription)")
            }
        }.value
        if let problem { throw problem }
    }

    func remove(_ name: String) { Self.remove(url(of: name)) }

    private static func remove(_ url: URL) {
        // What is left is removed by a later start.
        _ = try? FileManager.default.removeItem(at: url)
    }

    /// Removes copies that nothing unsent names: the app was killed before it was stored, or after it was sent. Those
    /// of the last hour stay, as another process may be about to store what it copied.
    func removeOthers(than names: Set<String>, now: Date = .now) async {
        let folder = folder
        await Task.detached {
            let walker = FileManager.default.enumerator(
                at: folder, includingPropertiesForKeys: [], options: .skipsSubdirectoryDescendants)
            while let url = walker?.nextObject() as? URL {
                guard !names.contains(url.lastPathComponent) else { continue }
                var found = stat()
                guard lstat(url.path, &found) == 0 else { continue }
                #if canImport(Darwin)
                    let changed = Date(timeIntervalSince1970: Double(found.st_ctimespec.tv_sec))
                #else
                    let changed = Date(timeIntervalSince1970: Double(found.st_ctim.tv_sec))
                #endif
                if now.timeIntervalSince(changed) > 3600 { Self.remove(url) }
            }
        }.value
    }
}
