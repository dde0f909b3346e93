import Foundation
import SwiftProtobuf

/// SwiftProtobuf's names that say too little in a test about messages.
typealias MessageOfProtobuf = SwiftProtobuf.Message
typealias BytesOfProtobuf = Foundation.Data
