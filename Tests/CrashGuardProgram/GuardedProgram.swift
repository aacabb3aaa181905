import Foundation
import HearthApp
import HearthCrashGuard
import HearthCrypto
import HearthDelivery
import HearthEvents
import HearthFiles

/// A program that runs a model, for the tests of the crash guard and for `scripts/soak crash-guard`. It does what its
/// actions say, one after the other. With the action `loop` it uses the guard alone, without an app.
///
/// usage: CrashGuardProgram FOLDER ACTION ...
@main struct GuardedProgram {
    private let folder: String
    private var actions: ArraySlice<String>
    /// Kept, because a use that is released is over.
    private var uses: [ModelUse] = []

    static func main() async throws {
        guard CommandLine.arguments.count > 2 else { fatalError("usage: CrashGuardProgram FOLDER ACTION ...") }
        var program = GuardedProgram(
            folder: CommandLine.arguments[1], actions: CommandLine.arguments.dropFirst(2))
        if program.actions.first == "loop" { return program.loop() }
        try await program.perform(GuardedApp(storeFolder: program.folder))
    }

    private mutating func next(_ what: String) -> String {
        guard let value = actions.popFirst() else { fatalError("\(what) is missing") }
        return value
    }

    private mutating func number(_ what: String) -> Int {
        guard let value = Int(next(what)) else { fatalError("\(what) must be a number") }
        return value
    }

    /// Prints a line at once, even if a signal ends the program.
    private func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }

    // MARK: The guard alone

    /// One life of a program that runs a model nearly all the time: looks at what earlier lives left, then runs until
    /// it is killed, or does itself what a crashing version does.
    private mutating func loop() {
        actions.removeFirst()
        let run = UInt32(number("the microseconds of a run"))
        let gap = UInt32(number("the microseconds between runs"))
        let crash = number("the run that crashes; 0 for none")
        let signal = Int32(number("the signal of the crash"))
        let digest = SHA256Hasher.hash(Array("version".utf8))
        let crashGuard = CrashGuard(storeFolder: folder, files: DiskFiles())
        let rejection = crashGuard.findings(known: [digest.hex]).compactMap(\.rejection).first
        if let rejection { return say("rejected: \(rejection)") }
        if !crashGuard.isOnTrial(digest) { say("passed") }
        guard let version = crashGuard.version(digest) else { fatalError("the guard does not work") }
        say("ready")
        for count in 1...Int.max {
            let token = version.begin()
            if count == crash {
                if signal == SIGKILL { kill(getpid(), SIGKILL) }
                Faults.fail(signal)
            }
            usleep(run)
            version.end(token, isSuccess: true)
            usleep(gap)
        }
    }

    // MARK: An app

    private mutating func perform(_ guarded: GuardedApp) async throws {
        let analytics = Analytics.analytics(app: guarded.app)
        while let action = actions.popFirst() {
            switch action {
            case "handler": Faults.setHandler(next("the kind"), Int32(number("the signal")))
            case "report": analytics.setModelReportingEnabled(true)
            case "install": try await guarded.install(next("the text"))
            case "text": say(try await guarded.text())
            case "state": say("\(guarded.downloader.state(ofModel: GuardedApp.modelName))")
            case "send": try await analytics.sendPendingEvents()
            case "health":
                for line in guarded.health { say(line) }
            default:
                let takesNumber = ["run", "run-and-crash", "crash-elsewhere", "run-long-and-crash"].contains(action)
                let count = takesNumber ? number("its number") : 0
                let engineModel = action == "crash-in-engine" ? next("the model's path") : ""
                guard let model = try await guarded.installed() else { fatalError("no model is installed") }
                if action == "crash-in-engine" {
                    let use = guarded.downloader.beginUse(of: model, .running)
                    try withExtendedLifetime(use) { try EngineFault(modelPath: engineModel).run() }
                } else {
                    use(model, guarded.downloader, action, count)
                }
            }
        }
    }

    /// Without `await`: a use belongs to the thread that begins it.
    private mutating func use(_ model: CustomModel, _ downloader: ModelDownloader, _ action: String, _ number: Int) {
        switch action {
        case "run": for _ in 0..<number { downloader.beginUse(of: model, .running).succeed() }
        case "keep-running":
            // A run on another thread that goes on until the program ends.
            let hasBegun = DispatchSemaphore(value: 0)
            Thread {
                let use = downloader.beginUse(of: model, .running)
                hasBegun.signal()
                withExtendedLifetime(use) { Faults.waitForEver() }
            }.start()
            hasBegun.wait()
        case "run-long-and-crash":
            // Other threads run it more often than the guard has numbers for uses.
            uses.append(downloader.beginUse(of: model, .running))
            let areDone = DispatchSemaphore(value: 0)
            Thread {
                for _ in 0..<300 { downloader.beginUse(of: model, .running).succeed() }
                areDone.signal()
            }.start()
            areDone.wait()
            Faults.fail(Int32(number))
        case "load-and-hang":
            uses.append(downloader.beginUse(of: model, .loading))
            say("running")
            Faults.waitForEver()
        case "run-and-hang":
            uses.append(downloader.beginUse(of: model, .running))
            say("running")
            Faults.waitForEver()
        case "run-and-exit":
            uses.append(downloader.beginUse(of: model, .running))
            exit(0)
        case "run-and-crash":
            uses.append(downloader.beginUse(of: model, .running))
            Faults.fail(Int32(number))
        case "crash-on-dispatch-thread":
            DispatchQueue.global().async {
                let use = downloader.beginUse(of: model, .running)
                withExtendedLifetime(use) { Faults.fail(SIGABRT) }
            }
            Faults.waitForEver()
        case "overflow-stack":
            Thread {
                let use = downloader.beginUse(of: model, .running)
                withExtendedLifetime(use) { Faults.overflowStack() }
            }.start()
            Faults.waitForEver()
        case "crash-elsewhere":
            let hasBegun = DispatchSemaphore(value: 0)
            Thread {
                let use = downloader.beginUse(of: model, .running)
                hasBegun.signal()
                withExtendedLifetime(use) { Faults.waitForEver() }
            }.start()
            Thread {
                hasBegun.wait()
                Faults.fail(Int32(number))
            }.start()
            Faults.waitForEver()
        default: fatalError("no such action: \(action)")
        }
    }
}
