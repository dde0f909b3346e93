import Cluster
import Foundation
import Logging
import Reactor

/// Does to a cluster what the schedule says, and undoes it.
@ReactorActor
final class Injector {
    private let cluster: Cluster
    private let links: Links
    private let disk: SmallDisk?
    /// Files that tell each process's clock how wrong it is, by process.
    private let clocks: [String: String]
    private let recorder: Recorder
    private let isChatty: Bool
    private let tell: @Sendable (String) -> Void

    private var forwarders: [LinkName: UpdateForwarder] = [:]
    private var effects = LinkEffects()
    private var frozen: [String: Int] = [:]
    private var stopped: Set<String> = []
    private var diskFills = 0
    private var offsets: [String: [Int]] = [:]
    /// How often each process was ended.
    private(set) var kills: [String: Int] = [:]

    init(
        cluster: Cluster, links: Links, disk: SmallDisk?, clocks: [String: String], recorder: Recorder,
        isChatty: Bool, tell: @escaping @Sendable (String) -> Void
    ) {
        (self.cluster, self.links, self.disk, self.clocks) = (cluster, links, disk, clocks)
        (self.recorder, self.isChatty, self.tell) = (recorder, isChatty, tell)
    }

    /// Updates lost so far.
    var dropped: Int { forwarders.values.reduce(0) { $0 + $1.dropped } }
    var forwarded: Int { forwarders.values.reduce(0) { $0 + $1.passed } }

    func add(_ forwarder: UpdateForwarder, on link: LinkName) { forwarders[link] = forwarder }

    func closeForwarders() {
        for forwarder in forwarders.values { forwarder.close() }
        forwarders = [:]
    }

    /// Returns when all of the schedule has been done and undone.
    func run(_ schedule: FaultSchedule) async {
        let start = ContinuousClock.now
        await withTaskGroup(of: Void.self) { group in
            for fault in schedule.faults {
                group.addTask { [self] in
                    do {
                        try await Reactor.shared.sleep(for: start + .milliseconds(fault.at) - .now)
                        await perform(fault)
                    } catch {
                        return
                    }
                }
            }
        }
    }

    private func perform(_ fault: Fault) async {
        guard await begin(fault.action) else {
            recorder.log("FAULT not possible now: \(fault)")
            return
        }
        recorder.log("FAULT \(fault)")
        if isChatty { tell("  \(fault.at / 1000) s: \(fault)") }
        recorder.note { $0.faults[fault.kind, default: 0] += 1 }
        guard fault.lasting > 0 else { return }
        try? await Reactor.shared.sleep(for: .milliseconds(fault.lasting))
        await end(fault.action)
        recorder.log("FAULT over: \(fault)")
    }

    /// - Returns: false when there was nothing to do it to.
    private func begin(_ action: Fault.Action) async -> Bool {
        switch action {
        case .kill(let name):
            guard let pid = pid(of: name), pid > 0, (try? cluster.kill(name, SIGKILL)) != nil else { return false }
            kills[name, default: 0] += 1
        case .freeze(let name):
            guard pid(of: name) != nil else { return false }
            frozen[name, default: 0] += 1
            signal(name, SIGSTOP)
        case .stop(let name):
            guard pid(of: name) != nil, stopped.insert(name).inserted else { return false }
            try? await cluster.stop(name)
        case .fillDisk:
            guard let disk else { return false }
            // Counted first: another such fault may end meanwhile.
            diskFills += 1
            guard await Task.detached(operation: { disk.fill() }).value else {
                diskFills -= 1
                return false
            }
        case .clock(let name, let seconds):
            guard clocks[name] != nil else { return false }
            offsets[name, default: []].append(seconds)
            setClock(name)
        case .cut, .delay, .stall, .drop: apply(effects.change(action, begins: true))
        }
        return true
    }

    private func end(_ action: Fault.Action) async {
        switch action {
        case .kill: return
        case .freeze(let name):
            frozen[name, default: 0] -= 1
            if frozen[name, default: 0] <= 0 { signal(name, SIGCONT) }
        case .stop(let name):
            stopped.remove(name)
            try? await cluster.start(name)
        case .fillDisk:
            diskFills -= 1
            if diskFills <= 0 { disk?.free() }
        case .clock(let name, let seconds):
            if let index = offsets[name]?.firstIndex(of: seconds) { offsets[name]?.remove(at: index) }
            setClock(name)
        case .cut, .delay, .stall, .drop: apply(effects.change(action, begins: false))
        }
    }

    /// Undoes everything, whatever the schedule still had in mind.
    func heal() async {
        disk?.free()
        offsets = [:]
        for name in clocks.keys { setClock(name) }
        effects = LinkEffects()
        apply(links.names)
        for name in frozen.keys { signal(name, SIGCONT) }
        frozen = [:]
        for name in stopped { try? await cluster.start(name) }
        stopped = []
    }

    /// So many of 1,000 Updates vanish on every link.
    func dropEverywhere(_ perMille: Int) {
        for forwarder in forwarders.values { forwarder.drop(perMille) }
    }

    private func apply(_ names: [LinkName]) {
        for name in names {
            links[name]?.cut(effects.isCut(name))
            links[name]?.stall(effects.isStalled(name))
            links[name]?.delay(effects.delay(name))
            forwarders[name]?.drop(effects.drop(name))
        }
    }

    private func pid(of name: String) -> Int32? { cluster.statuses.first { $0.name == name }?.pid }

    /// PostgreSQL is many processes, which stand still together.
    private func signal(_ name: String, _ number: Int32) {
        guard let pid = pid(of: name) else { return }
        if name == "postgres" { for child in Machine.children(of: pid) { kill(child, number) } }
        try? cluster.kill(name, number)
    }

    private func setClock(_ name: String) {
        guard let path = clocks[name] else { return }
        let offset = offsets[name]?.last ?? 0
        try? "\(offset < 0 ? "" : "+")\(offset)\n".write(toFile: path, atomically: false, encoding: .utf8)
    }
}
