import Testing

/// `deploy/LIMITS.md` is made from the limits that programs declare; `DeployTests` compares them. These tests hold that
/// what the code enforces is declared.
@Suite("Limits")
struct LimitTests {
    /// Constants that are no limits of what people may do, with the reason.
    private static let others: [String: Set<String>] = [
        "the contract has it, as a field's limit or a rule of proto/REFERENCE.md": [
            "displayNameLettersMax", "deviceNameLettersMax", "noteBytesMax", "emailBytesMax", "titleBytesMax",
            "locationBytesMax", "linkBytesMax", "notesBytesMax", "textBytesMax", "bytesMax", "guestsMax", "minutesMax",
            "remindMinutesMax", "daysMax", "datesMax", "countMax", "intervalMax", "marksMax",
            "membersMax",
            "successorsMax", "chunksMax", "deadlineMax", "pauseMax", "lifetimeMax", "keyBytesMax", "signatureBytesMax",
            "subjectBytesMax", "issuerBytesMax", "audiencesMax", "nameBytesMax", "valueBytesMax", "secretBytesMax",
            "urlBytesMax", "soundBytesMax", "pathBytesMax", "headerBytesMax",
        ],
        "a setting holds it": [
            "pinnedMax", "starredMax", "unsentMax", "personBytesMax", "remindersMax", "decisionsMax",
            "eventsMax", "messagesMax", "pixelsMax", "unpackedMax", "newcomersMax", "bitsMax", "groupMembersMax",
            "emojiMax", "requestsMax", "queuedMax",
        ],
        "the table has it as a part of another limit": ["kindMax", "placeMax", "millisecondsMax", "ofSenderMax"],
        "how much is done in one step, or kept; nobody is refused": [
            "absencesMax", "accountNumbersMax", "accountsMax", "idleMax", "audienceMax", "backlogMax", "bodyBytesMax",
            "conversationsMax", "countsMax",
            "batchMax", "emptyPagesMax", "endsMax", "errorsMax", "examinedMax", "failuresMax", "fileBytesMax",
            "generationMax",
            "highlightsMax", "lastSeenMax", "messageAgeMax", "missedMax", "movesMax", "numbersMax", "othersMax",
            "outcomesMax", "ownedGroupsMax", "pageMax", "pairsMax", "peopleMax", "pieceConversationsMax",
            "pieceMembersMax", "rangesMax", "rememberedMax", "replayMax", "revocationsMax",
            "sizeMax", "sleepMax", "smallMax", "spansHeldMax", "spansOfLineMax", "waitMax", "strideMax", "updatesMax",
            "writingMax", "debtMax", "deathsMax", "aloneMax", "emptyPeriodsMax", "lateMax",
            "waitingBytesMax", "wantedMax", "waitingMax", "keysMax", "graceMax", "freshMax", "namingsMax",
            "baseBytesMax", "descriptionBytesMax", "keysBytesMax", "keptMax", "ageMax", "textMax", "retryMax",
            "erasedMax", "replyBytesMax",
        ],
    ]

    @Test("every constant that limits people is in the table of limits")
    func constants() {
        let files = SourceFile.written.filter {
            $0.path.hasPrefix("Services/") || $0.path.hasPrefix("Platform/ServiceKit/")
                || $0.path == "Platform/Schema/Unicode/TextRules.swift"
        }
        let declared = files.flatMap { file in
            file.code.joined(separator: " ").matches(of: /\bLimit\(\s*([^,"]+),/).flatMap { match in
                match.1.matches(of: /\w+Max(?!\w)/).map { String($0.0) }
            }
        }
        #expect(declared.count > 20, "the test no longer finds the declarations")
        let others = Self.others.values.reduce(into: Set<String>()) { $0.formUnion($1) }
        var found: Set<String> = []
        let constant = /\b(?:let|var) (\w+Max)\b/
        for file in files {
            for (index, line) in file.code.enumerated() {
                for match in line.matches(of: constant) {
                    let name = String(match.1)
                    found.insert(name)
                    #expect(
                        declared.contains(name) || others.contains(name),
                        "\(file.path):\(index + 1): declare \(name) as a Limit, or say here why it is none")
                }
            }
        }
        let gone = others.subtracting(found)
        #expect(gone.isEmpty, "no such constants: \(gone.sorted())")
    }

    @Test("every limit of the gateway's sessions and connections is in the table of limits")
    func gateway() throws {
        let configuration = try text(of: "Sources/Services/Gateway/GatewayConfiguration.swift")
        let declarations = try text(of: "Sources/Services/Gateway/GatewayProcess.swift")
        let rows = try text(of: "Sources/Services/Gateway/GatewayLimit.swift")
        // Between processes, or times of the gateway itself.
        let others: Set = [
            "closeTimeout", "drainTimeout", "tick", "certificateCheckInterval", "pageSize", "deadline", "pauseMax",
            "exchangeGrace", "startOverSpread", "resyncSpread", "tokenLifetime", "keyRefresh", "keyPause",
            "reportDelay", "reportLease", "healthDeadline",
        ]
        let fields = configuration.matches(of: /public var (\w+)(?:: \w+)? = [.\d]/).map { String($0.1) }
        #expect(fields.count > 30)
        let fixed = declarations.matches(of: /Limit\(\s*limits\.(\w+)/).map { String($0.1) }
        let set = rows.matches(of: /GatewayLimit\(\s*"[\w-]+", \\\.(\w+)/).map { String($0.1) }
        let limits = fixed + set.map { $0 == "anonymousSeconds" ? "anonymousTimeout" : $0 }
        for field in fields where !others.contains(field) { #expect(limits.contains(field), "\(field)") }
        #expect(others.subtracting(fields) == [])
    }

    @Test("whoever is refused for doing something too often, or too much of it, learns when to try again")
    func waits() {
        var found = 0
        for file in SourceFile.written where file.isServed {
            let text = file.lines.joined(separator: "\n")
            for match in text.matches(
                of: /\b(?:Refusal|Closing)\(\s*(?:\.rateLimited|1013,\s*\.\w+|\.quotaReached),/)
            {
                found += 1
                // The whole call.
                var depth = 0
                let call = text[match.range.lowerBound...].prefix { character in
                    if character == "(" { depth += 1 }
                    if character == ")" { depth -= 1 }
                    return depth > 0 || character != ")"
                }
                // Files count until some are deleted; a token that cannot be checked is no limit.
                let isOther = call.contains("files") || call.contains("token cannot be checked")
                #expect(
                    isOther || call.contains("retryAfter:") || call.contains("after:"), "\(file.path): \(call)")
            }
        }
        #expect(found >= 7, "the test no longer finds them")
    }
}
