import Foundation
import Glibc
import Reactor
import Testing

@testable import Cluster

@Suite("The supervisor")
@ReactorActor
struct SupervisorTests {
    let scene = try! ClusterScene()

    @Test("restarts a process that dies")
    func restarts() async throws {
        let supervisor = scene.supervisor()
        let process = supervisor.add(
            ProcessSpecification(name: "sleeper", executable: "/bin/sleep", arguments: ["1000"], readiness: .immediate))
        try await supervisor.start(within: .seconds(10))
        let first = process.status.pid
        try supervisor.kill("sleeper")
        try await eventually("restart") { process.status.restarts == 1 && process.status.state == .ready }
        #expect(process.status.pid != first)
        try await supervisor.stop("sleeper")
        #expect(process.status.state == .stopped)
        try supervisor.start("sleeper")
        try await process.waitUntilReady(within: .seconds(10))
        await supervisor.stop()
        #expect(!Files.exists("\(scene.folder)/processes"))
    }

    @Test(
        "waits longer after each death, from 200 ms to 5 s",
        arguments: [(0, 200), (1, 400), (4, 3200), (5, 5000), (50, 5000)])
    func backsOff(deaths: Int, milliseconds: Int) {
        #expect(ManagedProcess.delay(afterDeaths: deaths) == .milliseconds(milliseconds))
    }

    @Test("receives what a process waits for, its address and that it is ready")
    func hears() async throws {
        let supervisor = scene.supervisor()
        let waiting = ClusterScene.notify("STATUS=waiting for the database: gone")
        let ready = ClusterScene.notify("READY=1\\nSTATUS=fine\\nX_PARLEY_LISTEN=127.0.0.1:41234")
        let process = supervisor.add(
            ProcessSpecification(
                name: "speaker",
                executable: try scene.script(
                    "speaker",
                    "\(waiting)\nwhile [ ! -e \(scene.folder)/go ]; do sleep 0.01; done\n\(ready)\nexec sleep 1000")))
        try process.start()
        try await eventually("waiting") { process.status.state == .waiting("waiting for the database: gone") }
        _ = FileManager.default.createFile(atPath: "\(scene.folder)/go", contents: nil)
        try await process.waitUntilReady(within: .seconds(20))
        #expect(process.status.listen == "127.0.0.1:41234")
        await supervisor.stop()
    }

    @Test("stops the highest stage first, and kills processes that do not stop")
    func stopsInOrder() async throws {
        let supervisor = scene.supervisor()
        let order = "\(scene.folder)/order"
        for (name, stage) in [("database", 0), ("service", 1), ("gateway", 2)] {
            let text =
                "trap 'echo \(name) >> \(order); exit 0' TERM\n\(ClusterScene.notify("READY=1"))\nwhile :; do sleep 0.01; done"
            supervisor.add(ProcessSpecification(name: name, executable: try scene.script(name, text), stage: stage))
        }
        let stubborn = supervisor.add(
            ProcessSpecification(
                name: "stubborn",
                executable: try scene.script(
                    "stubborn", "trap '' TERM\n\(ClusterScene.notify("READY=1"))\nwhile :; do sleep 0.01; done"),
                stage: 3))
        try await supervisor.start(within: .seconds(20))
        await stubborn.stop(within: .milliseconds(100))
        #expect(stubborn.status.state == .stopped)
        await supervisor.stop()
        #expect(scene.read("order") == "gateway\nservice\ndatabase\n")
    }

    @Test("a process that refuses its configuration is not restarted, and the error has its output")
    func passesOnRefusal() async throws {
        let supervisor = scene.supervisor()
        supervisor.add(
            ProcessSpecification(
                name: "wrong", executable: try scene.script("wrong", "echo limits.frame: not a number; exit 64")))
        let error = await #expect(throws: ClusterError.self) { try await supervisor.start(within: .seconds(20)) }
        #expect(error?.code == .processFailed)
        #expect(error?.message.contains("limits.frame: not a number") == true)
        await supervisor.stop()
    }

    @Test("a process that keeps dying makes the start fail with the end of its log")
    func givesUpStarting() async throws {
        let supervisor = scene.supervisor()
        supervisor.add(
            ProcessSpecification(name: "dying", executable: try scene.script("dying", "echo out of luck; exit 1")))
        let error = await #expect(throws: ClusterError.self) { try await supervisor.start(within: .seconds(20)) }
        #expect(error?.message.contains("out of luck") == true)
        await supervisor.stop()
    }

    @Test("a new report, a line in the log and a restart are progress; a report said again is none")
    func showsProgress() async throws {
        let supervisor = scene.supervisor()
        let again = ClusterScene.notify("STATUS=waiting for lane 2")
        let process = supervisor.add(
            ProcessSpecification(
                name: "slow",
                executable: try scene.script(
                    "slow",
                    """
                    wait_for() { while [ ! -e \(scene.folder)/$1 ]; do sleep 0.01; done; }
                    wait_for lane1; \(ClusterScene.notify("STATUS=waiting for lane 1"))
                    wait_for lane2; \(again); \(again); echo said again
                    wait_for line; echo migrating
                    wait_for end; exit 1
                    """)))
        try process.start()
        let ready = Task { @ReactorActor in try await process.waitUntilReady(within: .seconds(600)) }
        func go(_ name: String, _ goal: String, _ isDone: @ReactorActor () -> Bool) async throws {
            let before = process.progressAt
            _ = FileManager.default.createFile(atPath: "\(scene.folder)/\(name)", contents: nil)
            try await eventually(goal) { isDone() && process.progressAt > before }
        }
        try await go("lane1", "its first report") { process.status.state == .waiting("waiting for lane 1") }
        try await go("lane2", "its second report") { process.status.state == .waiting("waiting for lane 2") }
        try await eventually("it says the same again") { scene.read("slow.log").contains("said again") }
        try await go("line", "a line in its log") { scene.read("slow.log").contains("migrating") }
        try await go("end", "its restart") { process.status.restarts > 0 }
        await supervisor.stop()
        await #expect(throws: ClusterError.self) { try await ready.value }
    }

    @Test("a process that shows nothing new for the limit fails with what it waits for and the end of its log")
    func givesUpWaiting() async throws {
        let supervisor = scene.supervisor()
        let process = supervisor.add(
            ProcessSpecification(
                name: "stuck",
                executable: try scene.script(
                    "stuck", "echo started; \(ClusterScene.notify("STATUS=waiting for lane 3")); exec sleep 1000")))
        try process.start()
        try await eventually("it waits") { process.status.state == .waiting("waiting for lane 3") }
        let error = await #expect(throws: ClusterError.self) {
            try await process.waitUntilReady(within: .milliseconds(300))
        }
        #expect(error?.code == .timeout)
        let says = error?.message ?? ""
        #expect(says.contains("stuck is not ready and showed nothing new for 0.3 seconds: waiting for lane 3."))
        #expect(says.hasSuffix("started"), "\(says)")
        await supervisor.stop()
    }

    @Test("a process that shows something new all the time fails at the limit of the whole wait")
    func givesUpAtLast() async throws {
        let supervisor = scene.supervisor()
        let process = supervisor.add(
            ProcessSpecification(
                name: "busy", executable: try scene.script("busy", "while :; do echo busy; sleep 0.01; done")))
        try process.start()
        let error = await #expect(throws: ClusterError.self) {
            try await process.waitUntilReady(within: .seconds(600), atMost: .milliseconds(300))
        }
        #expect(error?.code == .timeout && error?.message.contains("busy is not ready after 0.3 seconds") == true)
        await supervisor.stop()
    }

    @Test("a wait goes on from each progress, but not beyond its longest time")
    func patience() {
        let start = ContinuousClock.now
        var patience = Patience(.seconds(30), atMost: .seconds(100), from: start)
        patience.progressed(at: start - .seconds(5))
        #expect(patience.end == start + .seconds(30) && !patience.isAtLongest)
        patience.progressed(at: start + .seconds(20))
        patience.progressed(at: start + .seconds(10))
        #expect(patience.end == start + .seconds(50) && !patience.isAtLongest)
        patience.progressed(at: start + .seconds(90))
        #expect(patience.end == start + .seconds(100) && patience.isAtLongest)
    }

    @Test("the error for a missing program names its path")
    func namesMissingProgram() async throws {
        let supervisor = scene.supervisor()
        supervisor.add(ProcessSpecification(name: "absent", executable: "\(scene.folder)/absent"))
        let error = await #expect(throws: ClusterError.self) { try await supervisor.start(within: .seconds(20)) }
        #expect(error?.message.contains("\(scene.folder)/absent") == true)
        await supervisor.stop()
    }

    @Test("processes of a killed earlier run are killed, but not another process with the same pid")
    func endsOrphans() async throws {
        let output = open("/dev/null", O_WRONLY)
        defer { close(output) }
        let orphan = try Child.start(Invocation(executable: "/bin/sleep", arguments: ["1000"]), output: output)
        let stranger = try Child.start(Invocation(executable: "/bin/sleep", arguments: ["1000"]), output: output)
        let record = "\(scene.folder)/processes"
        try "\(orphan.pid) \(orphan.startTime) a\n\(stranger.pid) 1 b\n".write(
            toFile: record, atomically: true, encoding: .utf8)
        #expect(Supervisor.endOrphans(recordedAt: record) == 1)
        #expect(await orphan.wait(for: .seconds(10)) == .signal(SIGKILL))
        #expect(stranger.exit == nil)
        stranger.destroy()
        _ = await stranger.wait(for: .seconds(10))
    }

    @Test("a log above its limit is rotated, and its writer continues")
    func rotates() throws {
        let log = LogFile(path: "\(scene.folder)/a.log")
        let writer = try log.open()
        defer { close(writer) }
        _ = write(writer, "before\n", 7)
        log.rotate(at: 3)
        _ = write(writer, "after\n", 6)
        #expect(scene.read("a.log") == "after\n")
        #expect(scene.read("a.log.1").hasSuffix("re\n"))
    }
}
