import Foundation
import Observation
import ParleyKit

/// My profile: my name and picture, what I say of myself, and who sees whether I am online. It is also the screen after
/// registering.
@MainActor
@Observable
public final class ProfileModel: Acting {
    public var problem: Refusal?
    public var displayName: String
    /// The https address of a picture; empty: none.
    public var photo: String
    public var status: String
    public private(set) var isBusy = false
    private let parley: Parley
    private let done: () -> Void

    /// - Parameter done: called once it is saved or skipped.
    public init(_ parley: Parley, done: @escaping () -> Void = {}) {
        (self.parley, self.done) = (parley, done)
        displayName = parley.profile?.user.displayName ?? ""
        photo = parley.profile?.user.photo?.absoluteString ?? ""
        status = parley.ownPresence?.statusText ?? ""
    }

    public var username: String { parley.profile?.user.username ?? "" }
    public var canSave: Bool { !isBusy && !displayName.trimmed.isEmpty && isPhotoValid }

    /// Whether what is in the field of the picture's address is one, or nothing.
    public var isPhotoValid: Bool { photo.trimmed.isEmpty || URL(string: photo.trimmed)?.scheme == "https" }

    /// Whether others see me as I use my devices. What is set is shown once the server has it.
    public var availability: OwnPresence.Availability {
        get { parley.ownPresence?.availability ?? .automatic }
        set { Task { await set(newValue) } }
    }

    /// To whom I am offline. What is set is shown once the server has it.
    public var hiding: OwnPresence.Hiding {
        get { parley.ownPresence?.hiding ?? .fromNobody }
        set { Task { await set(newValue) } }
    }

    /// Saves what was changed. Name and picture are kept without a connection; the status takes one.
    public func save() async {
        guard canSave else { return }
        isBusy = true
        defer { isBusy = false }
        let known = parley.profile?.user
        let (name, photo, status) = (displayName.trimmed, photo.trimmed, status.trimmed)
        let isSaved = await attempt { () async throws(Refusal) in
            if name != known?.displayName || photo != known?.photo?.absoluteString ?? "" {
                try await self.parley.updateProfile(displayName: name, photo: photo)
            }
            if status != self.parley.ownPresence?.statusText ?? "" {
                try await self.parley.setStatus(status.isEmpty ? nil : status)
            }
        }
        if isSaved { done() }
    }

    /// Leaves all as it is.
    public func skip() { done() }

    public func set(_ availability: OwnPresence.Availability) async {
        await attempt { () async throws(Refusal) in try await self.parley.setAvailability(availability) }
    }

    public func set(_ hiding: OwnPresence.Hiding) async {
        await attempt { () async throws(Refusal) in try await self.parley.setHiding(hiding) }
    }
}

extension OwnPresence.Availability {
    public static let all: [Self] = [.automatic, .away, .doNotDisturb]

    public var title: String {
        switch self {
        case .automatic: "As I use my devices"
        case .away: "Away"
        case .doNotDisturb: "Do not disturb"
        }
    }
}

extension OwnPresence.Hiding {
    public static let all: [Self] = [.fromNobody, .fromAllButAccepted, .fromAll]

    public var title: String {
        switch self {
        case .fromNobody: "Everybody"
        case .fromAllButAccepted: "People I talk with"
        case .fromAll: "Nobody"
        }
    }
}

extension String {
    var trimmed: String { trimmingCharacters(in: .whitespacesAndNewlines) }
}
