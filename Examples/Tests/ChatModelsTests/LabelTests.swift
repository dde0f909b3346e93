import Foundation
import Testing

/// VoiceOver needs words for each control, and for each picture that says something. These tests read the views'
/// source, since nothing else can on Linux.
@Suite("The controls of the views")
struct LabelTests {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Sources/ChatViews")

    @Test("each control and picture has a label, or is hidden from VoiceOver")
    func views() throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
        let files = names.filter { $0.hasSuffix(".swift") }
        #expect(files.count > 15)
        var controls = 0
        for name in files.sorted() {
            let source = try String(contentsOf: Self.folder.appendingPathComponent(name), encoding: .utf8)
            let found = Controls(in: source)
            controls += found.all.count
            #expect(found.unlabelled.isEmpty, "\(name): \(found.unlabelled)")
        }
        #expect(controls > 80)
    }

    @Test(
        "a control with a title, a label of words or an accessibility label has one",
        arguments: [
            #"Button("Send") { send() }"#, #"Button(action.title, systemImage: action.symbol) { perform(action) }"#,
            #"Button("Send", systemImage: "paperplane") { send() }.labelStyle(.iconOnly)"#,
            "Button { open() } label: {\n    Text(hit.text)\n}",
            "Button { open() } label: { Label(a, systemImage: b) }",
            "Button { open() } label: { Dot() }\n    .disabled(isBusy)\n    .accessibilityLabel(\"Open\")",
            #"Image(systemName: "star").accessibilityLabel("starred")"#,
            "Image(systemName: \"star\")\n    .resizable()\n    .accessibilityHidden(true)",
            #"TextField("Name", text: $name)"#, #"Toggle(title, isOn: $isOn)"#,
            "Menu(\"More\", systemImage: \"ellipsis\") {\n    Button(\"Edit\") { edit() }\n}",
            "AsyncImage(url: url) { image in\n    image.resizable()\n} placeholder: {\n    Circle()\n}\n"
                + ".frame(width: 40)\n.accessibilityHidden(true)",
            "NavigationLink(value: id) { Text(title) }",
            "NavigationLink(value: id) { RowView(row: row) }\n"
                + "    .accessibilityLabel(row.label)", #"// Button { } label: { Dot() }"#,
        ])
    func labelled(_ source: String) { #expect(Controls(in: source).unlabelled.isEmpty) }

    @Test(
        "a control without words has none, also beside one that has",
        arguments: [
            "Button { open() } label: { Dot() }", "Button(action: open) { Image(systemName: \"star\") }",
            "Button(\"\") { send() }", "Button(\"Send\") { send() }\nImage(systemName: \"star\")",
            "Image(systemName: \"star\")\nText(\"x\").accessibilityLabel(\"starred\")",
            "TextField(\"\", text: $name)", "TextField(text: $name)", "Toggle(isOn: $isOn) { Dot() }",
            "Menu { Text(\"Edit\") } label: { Dot() }", "ProgressView()", "ProgressView(value: 0.4)",
            "Text(\"Tap\").onTapGesture { open() }", "AsyncImage(url: url)",
            "NavigationLink(value: id) { RowView(row: row) }", "Picker(selection: $kind) { Text(\"a\") }",
        ])
    func unlabelled(_ source: String) { #expect(!Controls(in: source).unlabelled.isEmpty) }
}

/// The controls and pictures that a source has.
struct Controls {
    private(set) var all: [String] = []
    private(set) var unlabelled: [String] = []

    private static let kinds = [
        "Button", "Image", "TextField", "SecureField", "TextEditor", "Toggle", "Menu", "Picker", "DatePicker",
        "Stepper", "Slider", "ProgressView", "ShareLink", "NavigationLink", "Link", "AsyncImage", "PhotosPicker",
    ]

    init(in source: String) {
        let lines = source.split(separator: "\n", omittingEmptySubsequences: false)
        let code = Array(lines.filter { !$0.drop { $0 == " " }.hasPrefix("//") }.joined(separator: "\n"))
        var index = 0
        while index < code.count {
            defer { index += 1 }
            let before = index == 0 ? " " : code[index - 1]
            guard code[index].isLetter, !before.isLetter, !before.isNumber, before != "_" else { continue }
            let word = String(code[index...].prefix { $0.isLetter || $0.isNumber })
            let rest = code[(index + word.count)...].drop { $0 == " " }
            // What only VoiceOver's users cannot do.
            if word == "onTapGesture" { unlabelled.append(word) }
            guard before != ".", Self.kinds.contains(word), rest.first == "(" || rest.first == "{" else { continue }
            let control = Expression(code[(index + word.count)...])
            all.append(word)
            if !Self.hasLabel(word, control) { unlabelled.append(word + control.text.prefix(60)) }
        }
    }

    private static func hasLabel(_ kind: String, _ control: Expression) -> Bool {
        let hidden = [".accessibilityLabel(", ".accessibilityHidden(true)"]
        if control.modifiers.contains(where: { modifier in hidden.contains { modifier.hasPrefix($0) } }) { return true }
        if kind == "Image" || kind == "AsyncImage" { return false }
        // A title comes first and has no name.
        if let first = control.firstArgument, first != #""""#, first.firstMatch(of: /^\w+:/) == nil { return true }
        guard kind == "Button" || kind == "NavigationLink" || kind == "Menu" || kind == "Toggle" else { return false }
        // The first closure of these is what they do or contain.
        let isAction = kind == "Menu" || (kind == "Button" && control.firstArgument == nil)
        let label = control.closures.last { $0.name == "label" } ?? (isAction ? nil : control.closures.last)
        return label?.body.firstMatch(of: /\b(Text|Label)\(/) != nil
    }
}

/// What follows the name of a view: arguments, closures and modifiers.
private struct Expression {
    private(set) var text = ""
    /// Nil: there is none.
    private(set) var firstArgument: String?
    private(set) var closures: [(name: String, body: String)] = []
    /// Each with its dot: ".font(.caption)".
    private(set) var modifiers: [String] = []

    init(_ code: ArraySlice<Character>) {
        var rest = code
        if rest.first == "(" {
            let arguments = Self.balanced(&rest)
            firstArgument = Self.first(of: arguments)
            text += arguments
        }
        takeClosures(&rest)
        while true {
            let ahead = rest.drop { $0.isWhitespace }
            guard ahead.first == ".", ahead.dropFirst().first?.isLetter ?? false else { return }
            rest = ahead.dropFirst()
            var modifier = "." + rest.prefix { $0.isLetter || $0.isNumber }
            rest = rest.dropFirst(modifier.count - 1)
            if rest.first == "(" { modifier += Self.balanced(&rest) }
            modifiers.append(modifier)
            skipClosures(&rest)
        }
    }

    private mutating func takeClosures(_ rest: inout ArraySlice<Character>) {
        var name = ""
        while true {
            let ahead = rest.drop { $0 == " " }
            if ahead.first == "{" {
                rest = ahead
                let body = Self.balanced(&rest)
                closures.append((name, body))
                text += body
            } else {
                let word = String(ahead.prefix { $0.isLetter })
                guard !word.isEmpty, ahead.dropFirst(word.count).first == ":", !closures.isEmpty else { return }
                name = word
                rest = ahead.dropFirst(word.count + 1)
            }
        }
    }

    private func skipClosures(_ rest: inout ArraySlice<Character>) {
        var other = self
        other.closures = [("", "")]
        other.takeClosures(&rest)
    }

    /// Takes what stands between a bracket and the one that closes it, with both.
    private static func balanced(_ rest: inout ArraySlice<Character>) -> String {
        var (depth, taken, isQuoted) = (0, "", false)
        while let character = rest.popFirst() {
            taken.append(character)
            switch character {
            case "\"": isQuoted.toggle()
            case "(", "{", "[": depth += isQuoted ? 0 : 1
            case ")", "}", "]":
                depth -= isQuoted ? 0 : 1
                if depth == 0, !isQuoted { return taken }
            default: break
            }
        }
        return taken
    }

    /// Returns the first of some arguments; nil: there is none.
    private static func first(of arguments: String) -> String? {
        var (depth, taken, isQuoted) = (0, "", false)
        for character in arguments.dropFirst().dropLast() {
            switch character {
            case "\"": isQuoted.toggle()
            case "(", "{", "[": depth += isQuoted ? 0 : 1
            case ")", "}", "]": depth -= isQuoted ? 0 : 1
            case "," where depth == 0 && !isQuoted: return taken.trimmingCharacters(in: .whitespacesAndNewlines)
            default: break
            }
            taken.append(character)
        }
        let first = taken.trimmingCharacters(in: .whitespacesAndNewlines)
        return first.isEmpty ? nil : first
    }
}
