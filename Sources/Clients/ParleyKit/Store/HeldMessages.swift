/// The messages of a conversation that are in memory: those with numbers in ascending order, then those that the server
/// does not have yet.
///
/// The place of each message is found by its id. Inserting at the end costs the same however many messages there are;
/// elsewhere the index changes for the messages between that place and the nearer end. Only where many messages are
/// removed at once it is built again.
struct HeldMessages: Sendable {
    private(set) var messages: [Message] = []
    /// How many messages at the end have no number.
    private(set) var unsentCount = 0
    /// The place of each message, counted from where the first one once was.
    private var places: [MessageID: Int] = [:]
    /// The place of the first message.
    private var base = 0

    var confirmedCount: Int { messages.count - unsentCount }

    /// Returns where a message is; nil if it is not here.
    func index(of id: MessageID) -> Int? { places[id].map { $0 - base } }

    /// Returns where the message with a number is, or would be.
    func index(ofSeq seq: Int64) -> (at: Int, isHere: Bool) {
        let count = confirmedCount
        // Most messages are newer than all others.
        guard count > 0, let last = messages[count - 1].seq, seq <= last else { return (count, false) }
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if (messages[middle].seq ?? 0) < seq { low = middle + 1 } else { high = middle }
        }
        return (low, messages[low].seq == seq)
    }

    /// Inserts a message whose id is not here. One without a number goes to the end, another where its number says.
    /// - Returns: its index.
    @discardableResult
    mutating func insert(_ message: Message) -> Int {
        guard let seq = message.seq else {
            unsentCount += 1
            places[message.id] = base + messages.count
            messages.append(message)
            return messages.count - 1
        }
        let at = index(ofSeq: seq).at
        if at == messages.count {
            places[message.id] = base + at
            messages.append(message)
        } else if at < messages.count - at {
            base -= 1
            for index in 0..<at { places[messages[index].id] = base + index }
            places[message.id] = base + at
            messages.insert(message, at: at)
        } else {
            for index in at..<messages.count { places[messages[index].id] = base + index + 1 }
            places[message.id] = base + at
            messages.insert(message, at: at)
        }
        return at
    }

    /// Puts a message in the place of the one with the same id, which has the same number.
    mutating func replace(at index: Int, with message: Message) { messages[index] = message }

    mutating func setStatus(_ status: DeliveryStatus, at index: Int) { messages[index].status = status }

    mutating func remove(at index: Int) {
        let removed = messages.remove(at: index)
        places[removed.id] = nil
        if removed.seq == nil { unsentCount -= 1 }
        if index < messages.count - index {
            base += 1
            for before in 0..<index { places[messages[before].id] = base + before }
        } else {
            for after in index..<messages.count { places[messages[after].id] = base + after }
        }
    }

    /// Removes the messages with numbers up to one. It costs as much as there are messages.
    mutating func removeAll(where isRemoved: (Message) -> Bool) {
        messages.removeAll(where: isRemoved)
        base = 0
        places.removeAll(keepingCapacity: true)
        for (index, message) in messages.enumerated() { places[message.id] = index }
        unsentCount = messages.reversed().prefix { $0.seq == nil }.count
    }

    /// Inserts messages that are older than all others, in ascending order. None of their ids is here.
    mutating func prepend(_ older: [Message]) {
        base -= older.count
        for (index, message) in older.enumerated() { places[message.id] = base + index }
        messages.insert(contentsOf: older, at: 0)
    }

    /// Returns what is wrong; empty: nothing.
    func problems() -> [String] {
        var problems: [String] = []
        if places.count != messages.count {
            problems.append("\(places.count) places of \(messages.count) messages")
        }
        var last: Int64 = 0
        for (index, message) in messages.enumerated() {
            if self.index(of: message.id) != index { problems.append("message \(index) is not where its id says") }
            if let seq = message.seq {
                if seq <= last { problems.append("number \(seq) follows \(last)") }
                if index >= confirmedCount { problems.append("number \(seq) is among the unsent") }
                last = seq
            } else if index < confirmedCount {
                problems.append("an unsent message is before one with a number")
            }
        }
        return problems
    }
}
