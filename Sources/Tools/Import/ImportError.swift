/// Why a folder cannot be imported: a stable code, a sentence, and what to do.
package struct ImportError: Error, Equatable, Sendable {
    package enum Code: String, Sendable, CaseIterable {
        /// The folder or one of its files cannot be read.
        case fileFailed = "file_failed"
        /// A file ends in the middle.
        case cutOff = "import_cut_off"
        /// A file is not JSON, or not the JSON that it should be.
        case notJSON = "import_not_json"
        /// A file is in another encoding than UTF-8.
        case encoding = "import_encoding"
        /// Something is deeper or larger than anything Firebase stores.
        case tooLarge = "import_too_large"
        /// The folder has Google's own export of Firestore, which has to be turned into JSON first.
        case levelDB = "import_leveldb"
        /// The folder has none of the files that are read.
        case nothing = "import_nothing"
        /// A file is no export of Parley.
        case notExport = "import_not_export"
        /// An export is of a version that is not known.
        case exportVersion = "import_export_version"
        /// Two exports are of one person.
        case samePerson = "import_same_person"
        /// The mapping file has something that is not understood.
        case map = "import_map"
        /// The file about the hashes of passwords is not understood.
        case hashConfig = "import_hash_config"
    }

    package var code: Code
    package var message: String
    package var advice: String

    package init(_ code: Code, _ message: String, advice: String = "") {
        (self.code, self.message, self.advice) = (code, message, advice)
    }
}
