import Testing

@testable import Schema

/// Python has the tables of Unicode, too, mostly of an older version: scalars that it does not know are left out.
@Suite("Normal forms of Unicode")
struct NormalFormTests {
    @Test("each scalar, and random texts of those that compose, have the normal forms that Python's unicodedata has")
    func sameAsPython() throws {
        let program = """
            import random, unicodedata
            def show(text):
                forms = [unicodedata.normalize(form, text) for form in ("NFC", "NFKC", "NFD", "NFKD")]
                print(";".join(" ".join("%x" % ord(c) for c in t) for t in [text] + forms))
            known = [chr(v) for v in range(0xA0, 0x110000) if unicodedata.category(chr(v)) not in ("Cn", "Cs", "Co")]
            for c in known:
                if unicodedata.decomposition(c) or unicodedata.combining(c) or 0xAC00 <= ord(c) < 0xD7A4 and ord(c) % 7 == 0:
                    show(c)
            parts = [c for k in known if unicodedata.decomposition(k) for c in unicodedata.normalize("NFD", k)]
            marks = [c for c in known if unicodedata.combining(c)]
            syllables = [chr(v) for v in range(0x1100, 0x1200)] + [chr(v) for v in range(0xAC00, 0xAD00)]
            generator = random.Random(41)
            for _ in range(20000):
                pool = generator.choice([parts, parts + marks, marks + list("aeo"), syllables, known])
                show("".join(generator.choice(pool) for _ in range(generator.randint(1, 8))))
            """
        let (output, status) = try run("/usr/bin/env", ["python3", "-c", program])
        #expect(status == 0)
        let lines = output.split(separator: "\n")
        #expect(lines.count > 25_000, "Python wrote \(lines.count) lines")
        var wrong: [String] = []
        for line in lines {
            let texts = line.split(separator: ";", omittingEmptySubsequences: false).map { text in
                text.split(separator: " ").compactMap { UInt32($0, radix: 16).flatMap(Unicode.Scalar.init) }
            }
            guard texts.count == 5 else {
                wrong.append(String(line))
                continue
            }
            let text = String(String.UnicodeScalarView(texts[0]))
            let forms = [
                Array(NormalForm.nfc(text).unicodeScalars), Array(NormalForm.nfkc(text).unicodeScalars),
                NormalForm.decomposed(texts[0], isCompatible: false),
                NormalForm.decomposed(texts[0], isCompatible: true),
            ]
            var letters: [Unicode.Scalar] = []
            Folding.forEachLetter(of: text) { letters.append($0.scalar) }
            if forms != Array(texts.dropFirst()) || letters != texts[2] { wrong.append(String(line)) }
        }
        #expect(wrong.isEmpty, "\(wrong.count) of \(lines.count): \(wrong.prefix(10))")
    }

    @Test("letters keep the bytes of the text that they stand for, also where several scalars make one letter")
    func letterBytes() {
        var found: [String] = []
        Folding.forEachLetter(of: "ae\u{301}\u{1112}\u{1161}\u{11AB}\u{FF76}\u{FF9E}!") { letter in
            found.append("\(letter.scalar) \(letter.begin)..\(letter.end)")
        }
        #expect(found == ["a 0..1", "é 1..4", "한 4..13", "ガ 13..19", "! 19..20"])
    }
}

@Suite("What nobody sees of a text, and its direction")
struct BlankTests {
    @Test(
        "what draws nothing is blank, what draws something is not",
        arguments: [
            // Reported as empty messages or names, one kind of scalar each.
            ("\u{A0}", true), ("\u{200B}", true), ("\u{2800}", true), ("\u{3164}", true), ("\u{115F}\u{1160}", true),
            ("\u{FFA0}", true), ("\u{200C}\u{200D}", true), ("\u{200E}\u{200F}", true), ("\u{2060}", true),
            ("\u{FEFF}", true), ("\u{AD}", true), ("\u{180E}", true), ("\u{61C}", true), ("\u{34F}", true),
            ("\u{FE0F}", true), ("\u{3000}\u{2003}", true), ("\u{2028}\u{2029}", true), ("\u{E0020}", true),
            ("\u{1D159}", true), ("\u{2063}\u{206F}", true), ("\u{17B4}\u{17B5}", true), ("\u{FFFC}", true),
            ("\u{1D173}", true), ("\u{202A}\u{202C}", true), ("\u{85}", true),
            ("a", false), ("\u{2801}", false), ("❤️", false), ("\u{301}", false), ("\u{600}", false), ("ㅤa", false),
            ("👩‍🚀", false), ("・", false), ("\u{E000}", false),
        ])
    func blanks(text: String, isBlank: Bool) { #expect(Blanks.isBlank(text) == isBlank) }

    @Test(
        "a text is closed when all that changes its direction ends in it",
        arguments: [
            ("a", true), ("\u{202D}+41 79\u{202C}", true), ("\u{202A}a\u{202B}b\u{202C}c\u{202C}", true),
            ("\u{2068}a\u{202E}b\u{2069}", true), ("a\u{202C}b\u{2069}", true), ("\u{202E}a\u{202C}", true),
            ("\u{202D}\u{2066}a\u{202C}\u{2069}", false), ("\u{202E}a", false), ("\u{2066}a\u{202C}", false),
            ("\u{202C}\u{202A}", false), ("\u{202B}\u{202B}a\u{202C}", false), ("\u{2067}\u{2068}a\u{2069}", false),
        ])
    func closed(text: String, isClosed: Bool) { #expect(Direction.isClosed(text) == isClosed) }
}
