/// Folds letters so that a query without accents or capitals finds text written with them. Pure.
///
/// Both texts and queries are folded, so the result only has to be the same for both.
public enum SearchFolding {
    /// Returns a text without capitals and accents.
    public static func folded(_ text: String) -> String {
        var folded = String.UnicodeScalarView()
        for scalar in text.unicodeScalars { fold(scalar, into: &folded) }
        return String(folded)
    }

    /// Appends the folded form of a scalar; nothing for a combining accent.
    public static func fold(_ scalar: Unicode.Scalar, into word: inout String.UnicodeScalarView) {
        let value = scalar.value
        if value < 0x80 {
            let isCapital = value >= 0x41 && value <= 0x5A
            word.append(isCapital ? Unicode.Scalar(UInt8(value + 0x20)) : scalar)
        } else if !isAccent(scalar) {
            let properties = scalar.properties
            if properties.generalCategory == .decimalNumber, let digit = properties.numericValue,
                (0...9).contains(digit)
            {
                word.append(Unicode.Scalar(UInt8(0x30 + Int(digit))))
            } else if properties.changesWhenLowercased {
                for lower in properties.lowercaseMapping.unicodeScalars where !isAccent(lower) { plain(lower, &word) }
            } else {
                plain(scalar, &word)
            }
        }
    }

    private static func plain(_ lower: Unicode.Scalar, _ word: inout String.UnicodeScalarView) {
        if let base = bases[lower.value] { word.append(contentsOf: base) } else { word.append(lower) }
    }

    /// Whether the scalar is a mark over or under a letter that writers may leave out, including the vowels of Arabic
    /// and Hebrew. Excludes the vowels of Indian and south-east Asian scripts, without which a word is a different one.
    public static func isAccent(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x300: false
        case 0x300...0x36F, 0x483...0x487, 0x591...0x5BD, 0x5BF, 0x5C1, 0x5C2, 0x5C4, 0x5C5, 0x5C7: true
        case 0x610...0x61A, 0x640, 0x64B...0x65F, 0x670, 0x6D6...0x6DC, 0x6DF...0x6E4, 0x6E7, 0x6E8, 0x6EA...0x6ED: true
        case 0x1AB0...0x1AFF, 0x1DC0...0x1DFF, 0x20D0...0x20FF, 0xFE20...0xFE2F: true
        default: false
        }
    }

    private static let bases: [UInt32: [Unicode.Scalar]] = {
        var bases: [UInt32: [Unicode.Scalar]] = [:]
        for (base, letters) in table {
            for letter in letters.unicodeScalars { bases[letter.value] = Array(base.unicodeScalars) }
        }
        return bases
    }()

    /// Small letters by their form without accents: the compatibility decompositions (NFKD) of Unicode 16 without their
    /// marks, and letters that people write as two.
    private static let table: [(String, String)] = [
        ("a", "àáâãäåāăąǎǟǡǻȁȃȧḁạảấầẩẫậắằẳẵặａ"),
        ("ae", "æǣǽ"),
        ("b", "ḃḅḇｂ"),
        ("c", "çćĉċčḉｃ"),
        ("d", "ðďđḋḍḏḑḓｄ"),
        ("dz", "ǆǳ"),
        ("e", "èéêëēĕėęěȅȇȩḕḗḙḛḝẹẻẽếềểễệｅ"),
        ("f", "ḟｆ"),
        ("ff", "ﬀ"),
        ("fi", "ﬁ"),
        ("fl", "ﬂ"),
        ("g", "ĝğġģǧǵḡｇ"),
        ("h", "ĥħȟḣḥḧḩḫẖｈ"),
        ("i", "ìíîïĩīĭįıǐȉȋḭḯỉịｉ"),
        ("ij", "ĳ"),
        ("j", "ĵǰｊ"),
        ("k", "ķĸǩḱḳḵｋ"),
        ("l", "ĺļľłḷḹḻḽｌ"),
        ("lj", "ǉ"),
        ("m", "ḿṁṃｍ"),
        ("n", "ñńņňŋǹṅṇṉṋｎ"),
        ("nj", "ǌ"),
        ("o", "òóôõöøōŏőơǒǫǭǿȍȏȫȭȯȱṍṏṑṓọỏốồổỗộớờởỡợｏ"),
        ("oe", "œ"),
        ("p", "ṕṗｐ"),
        ("q", "ｑ"),
        ("r", "ŕŗřȑȓṙṛṝṟｒ"),
        ("s", "śŝşšſșṡṣṥṧṩẛｓ"),
        ("ss", "ß"),
        ("st", "ﬅﬆ"),
        ("t", "ţťŧțṫṭṯṱẗｔ"),
        ("th", "þ"),
        ("u", "ùúûüũūŭůűųưǔǖǘǚǜȕȗṳṵṷṹṻụủứừửữựｕ"),
        ("v", "ṽṿｖ"),
        ("w", "ŵẁẃẅẇẉẘｗ"),
        ("x", "ẋẍｘ"),
        ("y", "ýÿŷȳẏẙỳỵỷỹｙ"),
        ("z", "źżžẑẓẕｚ"),
        ("ʒ", "ǯ"),
        ("ʹ", "ʹ"),
        ("Υ", "ϒϓϔ"),
        ("α", "άἀἁἂἃἄἅἆἇὰάᾀᾁᾂᾃᾄᾅᾆᾇᾰᾱᾲᾳᾴᾶᾷ"),
        ("β", "ϐ"),
        ("ε", "έϵἐἑἒἓἔἕὲέ"),
        ("η", "ήἠἡἢἣἤἥἦἧὴήᾐᾑᾒᾓᾔᾕᾖᾗῂῃῄῆῇ"),
        ("θ", "ϑ"),
        ("ι", "ΐίϊἰἱἲἳἴἵἶἷὶίιῐῑῒΐῖῗ"),
        ("κ", "ϰ"),
        ("ο", "όὀὁὂὃὄὅὸό"),
        ("π", "ϖ"),
        ("ρ", "ϱῤῥ"),
        ("σ", "ςϲ"),
        ("υ", "ΰϋύὐὑὒὓὔὕὖὗὺύῠῡῢΰῦῧ"),
        ("φ", "ϕ"),
        ("ω", "ώὠὡὢὣὤὥὦὧὼώᾠᾡᾢᾣᾤᾥᾦᾧῲῳῴῶῷ"),
        ("а", "ӑӓ"),
        ("г", "ѓґ"),
        ("е", "ѐёӗ"),
        ("ж", "ӂӝ"),
        ("з", "ӟ"),
        ("и", "йѝӣӥ"),
        ("к", "ќ"),
        ("о", "ӧ"),
        ("у", "ўӯӱӳ"),
        ("ч", "ӵ"),
        ("ы", "ӹ"),
        ("э", "ӭ"),
        ("і", "ї"),
        ("ѵ", "ѷ"),
        ("ә", "ӛ"),
        ("ө", "ӫ"),
        ("ا", "آأإ"),
        ("ه", "ة"),
        ("و", "ؤ"),
        ("ي", "ئى"),
        ("aʾ", "ẚ"),
        ("ffi", "ﬃ"),
        ("ffl", "ﬄ"),
        ("ʼn", "ŉ"),
    ]
}
