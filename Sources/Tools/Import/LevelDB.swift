import Foundation

extension Conversion {
    /// Google's own export of Firestore is no JSON.
    static func refuseLevelDB(in folder: String) throws(ImportError) {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        guard let mark = names.first(where: { $0.hasSuffix(".overall_export_metadata") || $0 == "all_namespaces" })
        else { return }
        throw ImportError(
            .levelDB, "\(mark) is of Google's own export of Firestore, which is in the format of LevelDB.",
            advice: """
                Export JSON as firestore.json with one of: npx -p node-firestore-import-export firestore-export \
                --backupFile firestore.json; the package firestore-export-import; or the REST interface \
                (GET …/documents/COLLECTION).
                """)
    }
}
