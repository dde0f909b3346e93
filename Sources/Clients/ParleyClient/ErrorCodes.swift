extension ParleyError.Code {
    // Those of the server are in Generated/Codes.swift.

    /// The connection ended before the reply arrived. The request may have taken effect.
    public static let connectionLost = Self(rawValue: "connection_lost")
    /// The task was cancelled.
    public static let cancelled = Self(rawValue: "cancelled")
    /// The client was closed.
    public static let closed = Self(rawValue: "closed")
    /// The server sent what cannot be read.
    public static let invalidFrame = Self(rawValue: "invalid_frame")
    /// The URL of the server is not one that this library can use.
    public static let unsupportedURL = Self(rawValue: "unsupported_url")
    /// The reader of a feed fell too far behind.
    public static let tooSlow = Self(rawValue: "too_slow")
    /// A file cannot be read or written.
    public static let fileFailed = Self(rawValue: "file_failed")
    /// The server has no room for the file.
    public static let noRoom = Self(rawValue: "no_room")
    /// The export failed.
    public static let exportFailed = Self(rawValue: "export_failed")
    /// No authority that is trusted issued the server's certificate.
    public static let certificateUntrusted = Self(rawValue: "certificate_untrusted")
    /// The server's certificate is for another host.
    public static let certificateWrongHost = Self(rawValue: "certificate_wrong_host")
    /// The server's certificate is too old, or not valid yet.
    public static let certificateExpired = Self(rawValue: "certificate_expired")
    /// The trusted authorities cannot be loaded.
    public static let invalidAuthorities = Self(rawValue: "invalid_authorities")
}
