// Generated from common.proto (sha256 1699df9fddfa6a1a87729264e6555c394d3051b42b502a5a6182907f3dade60f) by proto/generate. Do not edit.

// swift-format-ignore-file

import CProtobuf
import CSchema

/// A change to something that is on or off.
public enum Choice: Sendable, Hashable {
    /// Leave it as it is.
    case unspecified
    case yes
    case no
    /// A value this build does not know; it is kept.
    case unrecognized(Int32)

    public init(rawValue: Int32) {
        switch rawValue {
        case 0: self = .unspecified
        case 1: self = .yes
        case 2: self = .no
        default: self = .unrecognized(rawValue)
        }
    }

    public var rawValue: Int32 {
        switch self {
        case .unspecified: 0
        case .yes: 1
        case .no: 2
        case .unrecognized(let rawValue): rawValue
        }
    }
}

/// Why a request was refused or failed. The request did not take effect, unless `code` is "deadline" or
/// "unavailable", in which case it may have. Sending it again with the same id is always safe.
public struct Problem: WireMessage {
    /// max 64 bytes. Stable, snake_case: "not_member", "rate_limited" … (RefusalCode)
    public var code: String = ""
    /// max 512 bytes. For people: what is wrong and what to do.
    public var message: String = ""
    /// max 64 bytes. The field of the request that is at fault, if any.
    public var field: String = ""
    /// Zero: there is no need to wait, or no point in retrying.
    public var retryAfterMs: UInt32 = 0

    public init() {}

    public init(code: String = "", message: String = "", field: String = "", retryAfterMs: UInt32 = 0) {
        self.code = code
        self.message = message
        self.field = field
        self.retryAfterMs = retryAfterMs
    }

    public static var messageName: String { "Problem" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension Problem: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__Problem>? {
        parley__v1__problem__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__Problem>) { parley__v1__problem__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__Problem>) throws(DecodeFailure) {
        self.code = try readString(c.pointee.code, max: 64, "code")
        self.message = try readString(c.pointee.message, max: 512, "message")
        self.field = try readString(c.pointee.field, max: 64, "field")
        self.retryAfterMs = c.pointee.retry_after_ms
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__Problem>, _ arena: inout Arena) {
        if !self.code.isEmpty { c.pointee.code = arena.string(self.code) }
        if !self.message.isEmpty { c.pointee.message = arena.string(self.message) }
        if !self.field.isEmpty { c.pointee.field = arena.string(self.field) }
        c.pointee.retry_after_ms = self.retryAfterMs
    }
}

/// The reply to requests that return nothing.
public struct Done: WireMessage {
    public init() {}

    public static var messageName: String { "Done" }

    public static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodeFailure) -> Self {
        try decodeOverC(bytes)
    }

    public func encode() -> [UInt8] { encodeOverC() }
}

extension Done: OverC {
    static func unpack(
        _ allocator: UnsafeMutablePointer<ProtobufCAllocator>, _ count: Int, _ data: UnsafePointer<UInt8>
    ) -> UnsafeMutablePointer<Parley__V1__Done>? {
        parley__v1__done__unpack(allocator, count, data)
    }

    static func initialize(_ c: UnsafeMutablePointer<Parley__V1__Done>) { parley__v1__done__init(c) }

    init(reading c: UnsafeMutablePointer<Parley__V1__Done>) throws(DecodeFailure) {
    }

    func fill(_ c: UnsafeMutablePointer<Parley__V1__Done>, _ arena: inout Arena) {
    }
}
