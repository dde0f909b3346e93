import Foundation

/// A request, or a part of one, whose fields have limits in the contract. `Generated/Limits.swift` says which.
package protocol Limited {
    /// - Throws: ``BeyondLimit`` for the first field that the server would refuse.
    func checkLimits() throws(BeyondLimit)
}

/// A field of a request that the contract does not allow, in the words of the server's refusal.
package struct BeyondLimit: Error, Hashable {
    /// The path of the field in the contract's names, such as "schedule.rule".
    package var field: String
    private var isNUL = false

    fileprivate init(_ field: StaticString, isNUL: Bool = false) { (self.field, self.isNUL) = ("\(field)", isNUL) }

    fileprivate func inside(_ outer: StaticString) -> BeyondLimit {
        var failure = self
        failure.field = "\(outer).\(field)"
        return failure
    }

    package var error: ParleyError {
        let what = isNUL ? "contains a zero byte." : "is longer than allowed or not of the required length."
        return ParleyError(
            code: ParleyError.Code.invalid.rawValue, message: "\"\(field)\" \(what)", field: field)
    }
}

extension Limited {
    func within(_ text: String, max: Int = .max, exactly: Int? = nil, _ field: StaticString) throws(BeyondLimit) {
        let count = text.utf8.count
        guard count <= max, count == 0 || exactly == nil || exactly == count else { throw BeyondLimit(field) }
        guard !text.utf8.contains(0) else { throw BeyondLimit(field, isNUL: true) }
    }

    func within(_ bytes: Data, max: Int = .max, exactly: Int? = nil, _ field: StaticString) throws(BeyondLimit) {
        guard bytes.count <= max, bytes.isEmpty || exactly == nil || exactly == bytes.count else {
            throw BeyondLimit(field)
        }
    }

    func within(_ part: some Limited, _ field: StaticString) throws(BeyondLimit) {
        do throws(BeyondLimit) {
            try part.checkLimits()
        } catch {
            throw error.inside(field)
        }
    }

    func within(_ texts: [String], items: Int, bytes: Int, _ field: StaticString) throws(BeyondLimit) {
        guard texts.count <= items else { throw BeyondLimit(field) }
        for text in texts { try within(text, max: bytes, field) }
    }

    func within(_ all: [Data], items: Int, bytes: Int, _ field: StaticString) throws(BeyondLimit) {
        guard all.count <= items else { throw BeyondLimit(field) }
        for one in all { try within(one, max: bytes, field) }
    }

    func within(_ parts: [some Limited], items: Int, _ field: StaticString) throws(BeyondLimit) {
        guard parts.count <= items else { throw BeyondLimit(field) }
        for part in parts { try within(part, field) }
    }

    /// Numbers, which have no length.
    func within<Number>(_ numbers: [Number], items: Int, _ field: StaticString) throws(BeyondLimit) {
        guard numbers.count <= items else { throw BeyondLimit(field) }
    }
}
