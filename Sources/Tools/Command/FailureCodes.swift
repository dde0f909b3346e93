import ParleyClient

extension ParleyError.Code {
    /// What has no better word.
    package static let failed = Self(rawValue: "failed")
    /// Several things have the name that was given.
    package static let ambiguous = Self(rawValue: "ambiguous")
    /// A file of the command cannot be read, since something is wrong in it.
    package static let damagedFile = Self(rawValue: "damaged_file")
    /// The database refused.
    package static let database = Self(rawValue: "database")
    /// Something else uses it.
    package static let inUse = Self(rawValue: "in_use")
    /// The language model gave no answer that can be read.
    package static let modelFailed = Self(rawValue: "model_failed")
    /// There is no such file.
    package static let noFile = Self(rawValue: "no_file")
    /// There is no home folder.
    package static let noHome = Self(rawValue: "no_home")
    /// No password was given.
    package static let noPassword = Self(rawValue: "no_password")
    /// The system does not allow it.
    package static let noPermission = Self(rawValue: "no_permission")
    /// Others can read or change the file.
    package static let unsafeFile = Self(rawValue: "unsafe_file")
}
