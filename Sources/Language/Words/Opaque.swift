/// Runs of a text whose letters are no words of a language: links, addresses, names of files and accounts, code and
/// quoted lines. Each is one token that says nothing. Pure.
struct Opaque {
    private let bytes: [UInt8]
    /// The most bytes of a word that are looked at.
    private static let bytesMax = 2048

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Returns the end of the run that begins here; nil for a word of a language.
    /// - Parameter isFirst: whether the position is the first one of a line that is not white space.
    func end(from start: Int, isFirst: Bool) -> Int? {
        if isFirst, bytes[start] == UInt8(ascii: ">"), !isAmount(start + 1) {
            // A line that is quoted from another message.
            return bytes[start...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
        }
        if bytes[start] == UInt8(ascii: "`") { return code(from: start) }
        guard isBeginning(start) else { return nil }
        let end = wordEnd(start)
        let word = bytes[start..<end]
        // Most words have none of these.
        guard word.contains(where: Self.joins) else { return nil }
        return isLink(word) || isAddress(word) || isHost(word) || isFile(word) || isPath(word) ? end : nil
    }

    /// Whether links, addresses, files and paths are joined by it.
    private static func joins(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: ":"), UInt8(ascii: "."), UInt8(ascii: "@"), UInt8(ascii: "/"), UInt8(ascii: "\\"),
            UInt8(ascii: "_"):
            true
        default: false
        }
    }

    /// "> 5 people"
    private func isAmount(_ index: Int) -> Bool {
        let next = bytes[min(index, bytes.count)...].first { $0 != 0x20 }
        return next.map { $0 < 0x3A && $0 >= 0x30 || $0 == UInt8(ascii: "=") } ?? true
    }

    /// Between backquotes, one or three of them, on one line or in a block.
    private func code(from start: Int) -> Int? {
        let isBlock = bytes[start...].starts(with: Array("```".utf8))
        let fence = isBlock ? Array("```".utf8) : [UInt8(ascii: "`")]
        var index = start + fence.count
        while index < bytes.count {
            if !isBlock, bytes[index] == UInt8(ascii: "\n") { return nil }
            if bytes[index] == fence[0], bytes[index...].starts(with: fence) { return index + fence.count }
            index += 1
        }
        return nil
    }

    /// Whether what is before is no part of a word.
    private func isBeginning(_ start: Int) -> Bool {
        start == 0 || !Self.isInside(bytes[start - 1]) && bytes[start - 1] < 0x80
    }

    /// The end of what stands without white space and brackets, without the punctuation after it.
    private func wordEnd(_ start: Int) -> Int {
        var end = start
        let last = min(bytes.count, start + Self.bytesMax)
        while end < last, bytes[end] > 0x20, !Self.encloses(bytes[end]), !isBlank(end) { end += 1 }
        let word = bytes[start..<end]
        while end > start,
            Self.punctuates(bytes[end - 1])
                || bytes[end - 1] == UInt8(ascii: ")") && !word.contains(UInt8(ascii: "("))
        {
            end -= 1
        }
        return end
    }

    private static func encloses(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\""), UInt8(ascii: "`"), UInt8(ascii: "["),
            UInt8(ascii: "]"), UInt8(ascii: "{"), UInt8(ascii: "}"), UInt8(ascii: "|"):
            true
        default: false
        }
    }

    private static func punctuates(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "."), UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: ":"), UInt8(ascii: "!"),
            UInt8(ascii: "?"), UInt8(ascii: "'"), UInt8(ascii: "*"), UInt8(ascii: "_"), UInt8(ascii: "~"):
            true
        default: false
        }
    }

    private func isBlank(_ index: Int) -> Bool {
        bytes[index] == 0xC2 && index + 1 < bytes.count && bytes[index + 1] == 0xA0
            || bytes[index] == 0xE3 && index + 2 < bytes.count && bytes[index + 1] == 0x80 && bytes[index + 2] == 0x80
    }

    private static func isInside(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."),
            UInt8(ascii: "/"), UInt8(ascii: "@"):
            true
        default: false
        }
    }

    /// "https://…", "mailto:a@b.c", "www.…".
    private func isLink(_ word: ArraySlice<UInt8>) -> Bool {
        let text = Self.lower(word)
        if text.hasPrefix("www.") { return word.count > 4 }
        guard let colon = text.firstIndex(of: ":") else { return false }
        let scheme = text[..<colon]
        let rest = text[text.index(after: colon)...]
        if rest.hasPrefix("//") { return !scheme.isEmpty && rest.utf8.count > 2 && scheme.allSatisfy(Self.isOfScheme) }
        return ["mailto", "tel", "sms", "geo", "data", "magnet", "xmpp", "matrix"].contains(scheme) && !rest.isEmpty
    }

    private static func isOfScheme(_ character: Character) -> Bool {
        character.isASCII && (character.isLetter || character.isNumber || "+-.".contains(character))
    }

    /// "dana@example.org", "@dana", "#release-monday".
    private func isAddress(_ word: ArraySlice<UInt8>) -> Bool {
        guard let at = word.firstIndex(of: UInt8(ascii: "@")), at > word.startIndex, at + 1 < word.endIndex else {
            return false
        }
        let host = word[(at + 1)...]
        return host.contains(UInt8(ascii: ".")) && word[..<at].allSatisfy { Self.isInside($0) || $0 == 0x2B }
            && host.contains(where: Self.isLetter)
    }

    /// "example.org", "example.org/events/tomorrow", "t.co/friday".
    private func isHost(_ word: ArraySlice<UInt8>) -> Bool {
        let host = word.prefix { !"/?#:".utf8.contains($0) }
        let labels = host.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard labels.count >= 2, let top = labels.last,
            labels.allSatisfy({ !$0.isEmpty && $0.allSatisfy { Self.isInside($0) || $0 >= 0x80 } }),
            top.count >= 2, top.allSatisfy(Self.isLetter)
        else { return false }
        let hasPath = host.endIndex < word.endIndex && word[host.endIndex] == UInt8(ascii: "/")
        // "tomorrow.at 5" lacks a space after its full stop.
        return hasPath || Self.tops.contains(Self.lower(top))
    }

    /// "2026-03-06_Meeting_Minutes.pdf", "invite-friday.ics".
    private func isFile(_ word: ArraySlice<UInt8>) -> Bool {
        guard let dot = word.lastIndex(of: UInt8(ascii: ".")), dot > word.startIndex else { return false }
        return Self.files.contains(Self.lower(word[(dot + 1)...]))
    }

    /// "/var/log/friday", "C:\\tomorrow", "release_friday_10am", "~/notes/monday".
    private func isPath(_ word: ArraySlice<UInt8>) -> Bool {
        let slashes = word.count { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\") }
        let isRooted = "/~.".utf8.contains(word.first ?? 0) || Self.lower(word).dropFirst().hasPrefix(":\\")
        if slashes >= 2, isRooted || word.contains(UInt8(ascii: "\\")) { return true }
        let names = word.split(separator: UInt8(ascii: "_"), omittingEmptySubsequences: false)
        return names.count >= 2
            && names.allSatisfy {
                !$0.isEmpty && $0.allSatisfy { Self.isInside($0) } && $0.contains(where: Self.isOfWord)
            }
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }

    private static func isOfWord(_ byte: UInt8) -> Bool { isLetter(byte) || 0x30...0x39 ~= byte }

    private static func lower(_ bytes: ArraySlice<UInt8>) -> String {
        String(decoding: bytes, as: UTF8.self).lowercased()
    }

    /// Ends of hosts that are no words before which a full stop may stand.
    private static let tops: Set<String> = [
        "com", "org", "net", "edu", "gov", "mil", "info", "biz", "io", "dev", "app", "xyz", "online", "site", "tech",
        "blog", "ch", "de", "fr", "uk", "es", "nl", "se", "dk", "fi", "pl", "cz", "pt", "ru", "ua", "jp", "cn", "kr",
        "br", "mx", "ca", "au", "nz", "za", "eu", "tv", "gg", "ai", "example", "test", "local",
    ]

    private static let files: Set<String> = [
        "pdf", "doc", "docx", "odt", "rtf", "txt", "md", "csv", "tsv", "xls", "xlsx", "ods", "ppt", "pptx", "odp",
        "key", "pages", "numbers", "ics", "vcf", "eml", "jpg", "jpeg", "png", "gif", "webp", "heic", "svg", "bmp",
        "tiff", "psd", "mp3", "m4a", "wav", "ogg", "opus", "flac", "mp4", "mov", "mkv", "avi", "webm", "zip", "gz",
        "tgz", "tar", "rar", "7z", "dmg", "iso", "exe", "apk", "json", "xml", "yaml", "yml", "toml", "html", "htm",
        "css", "js", "ts", "py", "swift", "java", "kt", "rs", "go", "rb", "php", "sh", "sql", "log", "epub", "fig",
        "sketch", "ai", "tex",
    ]
}
