import Foundation
import SwiftProtobuf

/// Clearer names for SwiftProtobuf's types in tests about messages.
typealias MessageOfProtobuf = SwiftProtobuf.Message
typealias BytesOfProtobuf = Foundation.Data
