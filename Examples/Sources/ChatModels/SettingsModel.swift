import Foundation
import Observation
import ParleyKit

/// The settings: whom I block, my devices, suggestions, a copy of everything, and signing out.
@MainActor
@Observable
public final class SettingsModel: Acting {
    /// A device as it is listed.
    public struct Device: Identifiable, Hashable, Sendable {
        public let id: SignedInDevice.ID
        public let name: String
        /// "This device", or when it was last used.
        public let detail: String
        public let isCurrent: Bool
    }

    public var problem: Refusal?
    public private(set) var devices: [Device] = []
    /// Whether what only the server knows is known.
    public private(set) var isLoaded = false
    private var hasSuggestions = true
    /// Whether messages are read for suggestions. What is set is shown once the server has it.
    public var suggests: Bool {
        get { hasSuggestions }
        set { Task { await setSuggests(newValue) } }
    }
    /// How much of the export is done, from 0 to 1; nil: none is under way.
    public private(set) var exported: Double?
    /// The file that was exported, to be shared.
    public private(set) var exportedFile: URL?
    /// Whether signing out would lose what is not sent: ask, then call ``signOut(discardingUnsent:everywhere:)`` again.
    public var asksToDiscard = false
    private let parley: Parley
    private let words: Words

    public init(_ parley: Parley, words: Words = Words()) { (self.parley, self.words) = (parley, words) }

    public var blocked: [User] { parley.blocked }
    public var unsent: String { words.count(parley.unsent.count, "change", "changes") }
    public var isOffline: Bool { if case .offline = parley.connection { true } else { false } }
    public var exportTitle: String { exported.map { "Exporting … \(words.share($0))" } ?? "Export everything" }

    /// Reads what only the server knows.
    public func load() async {
        await attempt { () async throws(Refusal) in
            self.devices = try await self.parley.devices().map { device in
                Device(
                    id: device.id, name: device.name.isEmpty ? "A device" : device.name,
                    detail: device.isCurrent ? "This device" : self.words.dayAndTime(device.lastUsedAt),
                    isCurrent: device.isCurrent)
            }
            self.hasSuggestions = try await !self.parley.suggestionSettings().isOff
            self.isLoaded = true
        }
    }

    public func unblock(_ person: User) async {
        await attempt { () async throws(Refusal) in try await self.parley.unblock(person) }
    }

    public func signOut(_ device: Device.ID) async {
        let isOut = await attempt { () async throws(Refusal) in try await self.parley.signOut(device: device) }
        if isOut { devices.removeAll { $0.id == device } }
    }

    public func setSuggests(_ suggests: Bool) async {
        await attempt { () async throws(Refusal) in
            self.hasSuggestions = try await !self.parley.setSuggestions(isOff: !suggests).isOff
        }
    }

    /// Signs this device out. What is not sent is asked about first: ``asksToDiscard``.
    public func signOut(discardingUnsent: Bool = false, everywhere: Bool = false) async {
        asksToDiscard = false
        await attempt { () async throws(Refusal) in
            try await self.parley.signOut(discardingUnsent: discardingUnsent, everywhere: everywhere)
        }
        if problem?.code == .unsentWork { (problem, asksToDiscard) = (nil, true) }
    }

    /// Writes everything of mine into a folder. An interrupted export goes on from there.
    public func export(into folder: URL) async {
        guard exported == nil else { return }
        guard !isOffline else {
            problem = Refusal(.offline, "There is no connection. Export when the device is online.")
            return
        }
        (exported, exportedFile) = (0, nil)
        await attempt { () async throws(Refusal) in
            self.exportedFile = try await self.parley.export(into: folder) { [weak self] done in
                if self?.exported != nil { self?.exported = done }
            }
        }
        exported = nil
    }
}
