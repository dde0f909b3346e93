import ParleyClient

extension ParleyError.Code {
    /// The system allows too few open files.
    static let noDescriptors = Self(rawValue: "no_descriptors")
    /// The library that notes system calls is not built.
    static let noLibrary = Self(rawValue: "no_library")
    /// The first screen does not show what it must.
    static let noScreen = Self(rawValue: "no_screen")
    /// Not everybody got what was sent.
    static let notDelivered = Self(rawValue: "not_delivered")
    /// No message was acknowledged.
    static let nothingAcknowledged = Self(rawValue: "nothing_acknowledged")
    /// No request was answered.
    static let nothingDone = Self(rawValue: "nothing_done")
    /// An operation costs more than it may.
    static let tooDear = Self(rawValue: "too_dear")
}
