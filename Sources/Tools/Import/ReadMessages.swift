/// The last message of a conversation that each person read or has, and the first that their own export has.
struct ReadMessages {
    var read: [String: (at: Int64, uuid: [UInt8])] = [:]
    var delivered: [String: (at: Int64, uuid: [UInt8])] = [:]

    var first: [String: (at: Int64, uuid: [UInt8])] = [:]

    /// - Parameter owners: whose exports have the message.
    mutating func note(_ outcome: MessageRules.Outcome, _ message: ImportedMessage, by owners: [String]) {
        for person in owners where first[person].map({ $0.at > message.sentAt }) ?? true {
            first[person] = (message.sentAt, message.uuid)
        }
        for person in outcome.readers where read[person].map({ $0.at <= message.sentAt }) ?? true {
            read[person] = (message.sentAt, message.uuid)
        }
        for person in outcome.receivers where delivered[person].map({ $0.at <= message.sentAt }) ?? true {
            delivered[person] = (message.sentAt, message.uuid)
        }
    }
}
