import Schema
import Wire

/// The texts that people write, by ``TextRules``. Each function throws a ``Refusal`` that names the field.
public enum Text {
    /// Returns `text` as a name fit for lists.
    public static func name(_ text: String, field: String, bytes: Int) throws(Refusal) -> String {
        try fit(field) { () throws(UnfitText) in try TextRules.name(text, bytes: bytes) }
    }

    /// Returns a name by the same rules that may have as many letters (code points) in every script.
    public static func name(_ text: String, field: String, letters: Int) throws(Refusal) -> String {
        try fit(field) { () throws(UnfitText) in try TextRules.name(text, letters: letters) }
    }

    /// Returns a name by the same rules from a text that may have several lines, which it joins.
    public static func line(_ text: String, field: String, bytes: Int) throws(Refusal) -> String {
        try fit(field) { () throws(UnfitText) in try TextRules.line(text, bytes: bytes) }
    }

    /// Returns the text of a message, if it is fit for one.
    public static func message(_ text: String, field: String, bytes: Int) throws(Refusal) -> String {
        try fit(field) { () throws(UnfitText) in try TextRules.message(text, bytes: bytes) }
    }

    /// Returns an https URL of printable ASCII.
    public static func link(_ text: String, field: String, bytes: Int) throws(Refusal) -> String {
        guard text.utf8.count <= bytes else { throw .invalid(field, UnfitText.noLink.why) }
        return try fit(field) { () throws(UnfitText) in try TextRules.link(text) }
    }

    private static func fit(_ field: String, _ rule: () throws(UnfitText) -> String) throws(Refusal) -> String {
        do throws(UnfitText) {
            return try rule()
        } catch {
            throw Refusal(error.isTooLarge ? .tooLarge : .invalid, error.why, field: field)
        }
    }
}
