import Cluster
import Foundation
import Logging
import Reactor

/// Injects the faults of a schedule into a cluster, and undoes them.
@ReactorActor
final class Injector {
    private let cluster: Cluster
    private let links: Links
    private let disk: SmallDisk?
    /// Files with the clock offset of each process, by process.
    private let clocks: [String: String]
    private let recorder: Recorder
    private let isChatty: Bool
    private let report: @Sendable (String) -> Void

    private var forwarders: [LinkName: UpdateForwarder] = [:]
    private var effects = LinkEffects()
    private var frozen: [String: Int] = [:]
    private var stopped: Set<String> = []
    private var diskFills = 0
    private var offsets: [String: [Int]] = [:]
    /// How often each process was killed.
    private(set) var kills: [String: Int] = [:]

    init(
        cluster: Cluster, links: Links, disk: SmallDisk?, clocks: [String: String], recorder: Recorder,
        isChatty: Bool, report: @escaping @Sendable (String) -> Void
    ) {
        (self.cluster, self.links, self.disk, self.clocks) = (cluster, links, disk, clocks)
        (self.recorder, self.isChatty, self.report) = (recorder, isChatty, report)
    }

    /// The number of Updates dropped so far.
    var dropped: Int { forwarders.values.reduce(0) { $0 + $1.dropped } }
    var forwarded: Int { forwarders.values.reduce(0) { $0 + $1.forwarded } }

    func add(_ forwarder: UpdateForwarder, on link: LinkName) { forwarders[link] = forwarder }

    func closeForwarders() {
        for forwarder in forwarders.values { forwarder.close() }
        forwarders = [:]
    }

    /// Injects all faults of the schedule, each at its time. Those that were not possible then follow while the load
    /// goes on. Returns when all of them have ended.
    func run(_ schedule: FaultSchedule) async {
        var missed: [Fault] = []
        let start = ContinuousClock.now
        await withTaskGroup(of: Fault?.self) { group in
            for fault in schedule.faults {
                group.addTask { [self] in
                    do {
                        try await Reactor.shared.sleep(for: start + .milliseconds(fault.at) - .now)
                        return await perform(fault) ? nil : fault
                    } catch {
                        return nil
                    }
                }
            }
            for await fault in group { if let fault { missed.append(fault) } }
        }
        missed = missed.filter { isEverPossible($0.action) }.sorted { $0.at < $1.at }
        while !missed.isEmpty, !recorder.isLoadOver {
            let fault = missed.removeFirst()
            if await !perform(fault) { missed.append(fault) }
            guard (try? await Reactor.shared.sleep(for: .milliseconds(500))) != nil else { return }
        }
    }

    /// Whether this machine supports the fault.
    private func isEverPossible(_ action: Fault.Action) -> Bool {
        switch action {
        case .fillDisk: disk != nil
        case .clock(let name, _): clocks[name] != nil
        default: true
        }
    }

    /// - Returns: false if the fault is not possible now.
    private func perform(_ fault: Fault) async -> Bool {
        guard await begin(fault.action) else {
            recorder.log("FAULT not possible now: \(fault)")
            return false
        }
        recorder.log("FAULT \(fault)")
        if isChatty { report("  \(fault.at / 1000) s: \(fault)") }
        recorder.note { $0.faults[fault.kind, default: 0] += 1 }
        guard fault.lasting > 0 else { return true }
        try? await Reactor.shared.sleep(for: .milliseconds(fault.lasting))
        await end(fault.action)
        recorder.log("FAULT ended: \(fault)")
        return true
    }

    /// - Returns: false if the fault is not possible now.
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
            // Counted first, since another fault of this kind may end meanwhile.
            diskFills += 1
            guard await Task.detached(operation: { disk.fill() }).value else {
                diskFills -= 1
                return false
            }
        case .clock(let name, let seconds):
            guard clocks[name] != nil else { return false }
            offsets[name, default: []].append(seconds)
            setClock(name)
            // A process reads its clock's file once in a second.
            recorder.note { [now = recorder.now] facts in
                facts.wrongClocks.append(WrongClockFact(process: name, Span(now, .max)))
            }
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
            if offsets[name]?.isEmpty != false { noteRight(name) }
        case .cut, .delay, .stall, .drop: apply(effects.change(action, begins: false))
        }
    }

    /// Undoes all faults, whether or not the schedule has completed.
    func heal() async {
        disk?.free()
        offsets = [:]
        for name in clocks.keys {
            setClock(name)
            noteRight(name)
        }
        effects = LinkEffects()
        apply(links.names)
        for name in frozen.keys { signal(name, SIGCONT) }
        frozen = [:]
        for name in stopped { try? await cluster.start(name) }
        stopped = []
    }

    /// Drops `perMille` of 1,000 Updates on every link.
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

    /// Sends a signal to a process. For PostgreSQL, its child processes get it too.
    private func signal(_ name: String, _ number: Int32) {
        guard let pid = pid(of: name) else { return }
        if name == "postgres" { for child in Machine.children(of: pid) { kill(child, number) } }
        try? cluster.kill(name, number)
    }

    /// Notes that a process's clock is right again, once it has read it.
    private func noteRight(_ name: String) {
        recorder.note { [now = recorder.now] facts in
            for index in facts.wrongClocks.indices
            where facts.wrongClocks[index].process == name && facts.wrongClocks[index].span.ended == .max {
                facts.wrongClocks[index].span.ended = now + 2_000_000
            }
        }
    }

    private func setClock(_ name: String) {
        guard let path = clocks[name] else { return }
        let offset = offsets[name]?.last ?? 0
        try? "\(offset < 0 ? "" : "+")\(offset)\n".write(toFile: path, atomically: false, encoding: .utf8)
    }
}
