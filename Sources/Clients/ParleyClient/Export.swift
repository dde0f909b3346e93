import Foundation
import SwiftProtobuf

/// The export of all data of a person (A5).
extension ParleyClient {
    /// The sections of an export, in their order. Each is a list of messages of Parley's contract in protobuf's JSON
    /// form.
    public enum ExportSection: String, Codable, CaseIterable, Sendable {
        case profile
        case devices
        /// What signs me in besides a password.
        case identities
        case presence
        /// What I say of myself on all devices, and from whom I hide.
        case ownPresence
        /// Of what I am told by pushes, and my devices that are registered for them.
        case pushSettings
        case pushDevices
        case blocks
        /// The reports that I made.
        case reports
        /// What an import kept of me, as texts of JSON: Parley has no place for it.
        case imported
        case conversations
        /// The members of groups that `conversations` does not list completely: `{"conversation": …, "member": …}`.
        case members
        case requests
        /// My own state of each conversation: how far I have read, pinned, muted, archived, cleared.
        case inbox
        case reminders
        case decisions
        /// The files that I sent. One whose bytes were saved also has `savedAs`, its path in the folder of files.
        case files
        /// Those that I created, host or answered.
        case events
        /// What messages suggest to me, as long as it is open.
        case suggestions
        /// A message of mine that I edited also has `revisions`, its earlier texts.
        case messages
    }

    /// Writes all my data into one JSON file: profile, devices, identities, last seen, what I say of myself, settings
    /// of pushes, blocks, reports, what an import kept, conversations with their members and my state of them,
    /// requests, reminders, my decisions, events and suggestions, the files that I sent, and all messages that I may
    /// read, with the earlier texts of mine. The bytes of files go into a folder of their own.
    ///
    /// The export works page by page, so its memory does not grow with the account. The pages received so far are in
    /// `FILE.part`; after an interruption the next call continues from there. `FILE` is created or replaced only when
    /// the export is complete.
    /// - Parameters:
    ///   - folder: where the bytes of the files that I sent are saved, each in a folder named after its attachment. It
    ///     is created if it does not exist. Files that it already holds are not downloaded again. nil: the export only
    ///     describes files.
    ///   - pageDone: called with the section of each page after it is written.
    /// - Throws: ``ParleyError`` of the requests, or `export_failed`, whose message says what is wrong with the file.
    public func export(
        to path: String, filesTo folder: String? = nil, pageDone: (@Sendable (ExportSection) -> Void)? = nil
    ) async throws {
        do {
            var file = try ExportFile(destination: path, user: user)
            if let folder { try ExportedFiles.make(folder) }
            while let step = nextStep(of: file) {
                let (items, next) = try await pagePatiently(of: step, filesTo: folder)
                try file.append(items, ExportFile.Mark(section: step.section, of: step.of, next: next))
                pageDone?(step.section)
            }
            try file.finish()
        } catch let error as CocoaError {
            throw ParleyError.export(error.localizedDescription)
        }
    }

    /// The next page to request.
    private struct Step {
        var section: ExportSection
        var of = ""
        var cursor = ""
    }

    /// Returns the next page to request; nil: the export is complete.
    private func nextStep(of file: ExportFile) -> Step? {
        guard let last = file.last else { return Step(section: .profile) }
        if let next = last.next { return Step(section: last.section, of: last.of, cursor: next) }
        if let next = part(of: last.section, after: last.of, in: file) {
            return Step(section: last.section, of: next)
        }
        let all = ExportSection.allCases
        guard let index = all.firstIndex(of: last.section), index + 1 < all.count else { return nil }
        // An empty section also appears in the file, as an empty list.
        return Step(section: all[index + 1], of: part(of: all[index + 1], after: nil, in: file) ?? "")
    }

    /// Returns the next conversation of a section; nil: there is none.
    private func part(of section: ExportSection, after last: String?, in file: ExportFile) -> String? {
        switch section {
        case .members: file.conversations.next(after: last, large: true)
        case .messages: file.conversations.next(after: last, large: false)
        default: nil
        }
    }

    /// Requests a page. It waits out rate limits and lost connections: up to 8 retries (``ParleyError/isRetriable``).
    private func pagePatiently(
        of step: Step, filesTo folder: String?
    ) async throws -> (items: [String], next: String?) {
        var attempt = 0
        while true {
            do {
                return try await page(of: step, filesTo: folder)
            } catch let error as ParleyError where error.hasCode(.notMember) && step.section == .messages {
                // I may not read the messages of this conversation.
                return ([], nil)
            } catch let error as ParleyError where error.hasCode(.notFound) && step.section == .members {
                // Of a group that I left, I may see only the members at that time, whom `conversations` lists.
                return ([], nil)
            } catch let error as ParleyError where error.isRetriable && attempt < 8 {
                let wait = Duration.milliseconds(error.retryAfterMs) + options.backoff.wait(attempt: attempt)
                attempt += 1
                try await Task.sleep(for: wait)
            }
        }
    }

    /// Requests a page.
    /// - Returns: its items as JSON, and the cursor of the next page; nil: there is none.
    private func page(of step: Step, filesTo folder: String?) async throws -> (items: [String], next: String?) {
        let limit: UInt32 = 200
        switch step.section {
        case .profile: return (try Self.json([try await profile()]), nil)
        case .identities: return (try Self.json(try await identities().identities), nil)
        case .devices: return (try Self.json(try await devices()), nil)
        case .presence: return (try Self.json(try await getPresence([user])), nil)
        case .ownPresence: return (try Self.json([try await getOwnPresence()]), nil)
        case .pushSettings: return (try Self.json([try await getPushSettings()]), nil)
        case .pushDevices: return (try Self.json(try await pushDevices().devices), nil)
        case .blocks:
            let page = try await blocked(cursor: step.cursor, limit: limit)
            return (try Self.json(page.blocks), page.more ? page.cursor : nil)
        case .reports:
            let page = try await reports(cursor: step.cursor, limit: limit)
            return (try Self.json(page.reports), page.cursor.isEmpty ? nil : page.cursor)
        case .imported:
            let page = try await imported(cursor: step.cursor, limit: limit)
            return (try Self.json(page.records), page.cursor.isEmpty ? nil : page.cursor)
        case .conversations:
            let since = step.cursor.split(separator: " ").map(String.init)
            let page = try await syncConversations(
                epoch: since.first ?? "", since: since.count == 2 ? Int64(since[1]) ?? 0 : 0, limit: limit)
            if page.startOver { throw Self.restored }
            return (try Self.json(page.conversations), page.more ? "\(page.epoch) \(page.position)" : nil)
        case .members:
            if step.of.isEmpty { return ([], nil) }
            let page = try await members(of: step.of, cursor: step.cursor, limit: limit)
            let items = try Self.json(page.members).map { #"{"conversation":"\#(step.of)","member":\#($0)}"# }
            return (items, page.more ? page.cursor : nil)
        case .requests:
            let page = try await requests(cursor: step.cursor, limit: limit)
            return (try Self.json(page.requests), page.more ? page.cursor : nil)
        case .inbox:
            let since = step.cursor.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
            let page = try await syncMessaging(
                epoch: since.first ?? "", cursor: since.count == 3 ? since[1] : "",
                ownPosition: since.count == 3 ? Int64(since[2]) ?? 0 : 0, limit: limit)
            if page.startOver { throw Self.restored }
            let states = page.entries.filter(\.hasState).map { entry in
                var state = entry.state
                state.countedAtUs = 0
                return state
            }
            return (try Self.json(states), page.more ? "\(page.epoch) \(page.cursor) \(page.ownPosition)" : nil)
        case .reminders:
            let page = try await listReminders(cursor: step.cursor, limit: limit)
            return (try Self.json(page.reminders), page.cursor.isEmpty ? nil : page.cursor)
        case .decisions:
            let page = try await listDecisions(cursor: step.cursor, limit: min(limit, 100))
            return (try Self.json(page.decisions), page.cursor.isEmpty ? nil : page.cursor)
        case .files:
            let page = try await sentAttachments(cursor: step.cursor, limit: limit)
            var items = try Self.json(page.attachments)
            for (index, file) in page.attachments.enumerated() {
                guard let folder, let name = try await save(file, in: folder) else { continue }
                items[index] = #"\#(items[index].dropLast()),"savedAs":\#(try ExportedFiles.json(name))}"#
            }
            return (items, page.cursor.isEmpty ? nil : page.cursor)
        case .events:
            let page = try await syncEntities(since: Int64(step.cursor) ?? 0, limit: min(limit, 100))
            let events = page.events.filter { $0.deletedAtUs == 0 }
            return (try Self.json(events), page.more ? "\(page.position)" : nil)
        case .suggestions:
            let page = try await listSuggestions(cursor: step.cursor, limit: limit)
            return (try Self.json(page.suggestions), page.cursor.isEmpty ? nil : page.cursor)
        case .messages:
            if step.of.isEmpty { return ([], nil) }
            let page = try await history(of: step.of, .after(Int64(step.cursor) ?? 0), limit: limit)
            let next = page.moreAfter ? page.messages.last.map { "\($0.seq)" } : nil
            var items = try Self.json(page.messages)
            for (index, message) in page.messages.enumerated() where message.editedAtUs != 0 && message.sender == user {
                let earlier = try Self.json(try await revisions(of: message.seq, in: step.of))
                items[index] = #"\#(items[index].dropLast()),"revisions":[\#(earlier.joined(separator: ","))]}"#
            }
            return (items, next)
        }
    }

    /// Saves the bytes of a file that I sent.
    /// - Returns: its path in the folder; nil: it was deleted meanwhile.
    private func save(_ file: Parley_V1_SentAttachment, in folder: String) async throws -> String? {
        let name = ExportedFiles.name(of: file.media)
        let path = "\(folder)/\(name)"
        if try ExportedFiles.holds(path, bytes: file.media.sizeBytes) { return name }
        do throws(ParleyError) {
            try await download(file, to: path)
        } catch {
            if error.hasCode(.attachmentNotFound) { return nil }
            throw error
        }
        return name
    }

    private static var restored: ParleyError {
        .export("the server was restored meanwhile. Remove the .part file and try again.")
    }

    private static func json(_ messages: [some SwiftProtobuf.Message]) throws -> [String] {
        var options = JSONEncodingOptions()
        options.useDeterministicOrdering = true
        return try messages.map { try $0.jsonString(options: options) }
    }
}
