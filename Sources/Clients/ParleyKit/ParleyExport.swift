import Foundation
import ParleyClient

extension Parley {
    /// Writes everything of mine into a folder: `parley.json`, and the files that I sent in `files`. What the server
    /// has is read page by page, so its memory does not grow with the account. If it is interrupted, the next call with
    /// the same folder goes on from there.
    ///
    ///     let file = try await parley.export(into: folder) { done in show("\(Int(done * 100)) %") }
    ///
    /// - Parameter progress: called with how much is done, from 0 to 1, after each page.
    /// - Returns: the JSON file. It is there once everything is.
    /// - Throws: `offline`, `export_failed`, whose message says what is wrong with the folder.
    public func export(
        into folder: URL, progress: (@MainActor @Sendable (Double) -> Void)? = nil
    ) async throws(Refusal) -> URL {
        guard let client else { throw isClosed ? .wasClosed : .offline }
        let file = folder.appendingPathComponent("parley.json")
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            let sections = ParleyClient.ExportSection.allCases
            try await client.export(
                to: file.path, filesTo: folder.appendingPathComponent("files").path
            ) { section in
                guard let progress, let index = sections.firstIndex(of: section) else { return }
                Task { @MainActor in progress(Double(index + 1) / Double(sections.count + 1)) }
            }
        } catch {
            throw (error as? ParleyError).map(Refusal.init) ?? .file("\(folder.path): \(error.localizedDescription).")
        }
        progress?(1)
        return file
    }
}
