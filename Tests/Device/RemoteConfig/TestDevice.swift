import Foundation
import HearthApp
import HearthClient
import HearthConcurrency
import HearthDeliveryTesting
import HearthDeviceTestSupport
import HearthFiles
import HearthTestSupport
import HearthTransport
import HearthWire
import Synchronization

@testable import HearthRemoteConfig

/// A device with one app: its own folder, clock and server.
final class TestDevice: Sendable {
    let folder: TemporaryFolder
    let server = ConfigServer()
    let clock = FakeClock(secondsSince1970: 1_767_225_600)
    /// The same clock, to control scheduled actions.
    let timerClock: TimerClock
    private let name: String

    init(name: String = "config-\(UUID().uuidString)") throws {
        self.name = name
        folder = try TemporaryFolder()
        timerClock = TimerClock(clock)
    }

    static func options() -> FirebaseOptions { TestOptions.options(server: "config.example.com") }

    /// Starts the app; after `stop`, it starts again with the files on the disk.
    func start(
        _ options: FirebaseOptions = TestDevice.options(), files: any FileOperations = DiskFiles(),
        description: DeviceDescription = DeviceDescription(), random: Double = 0.5
    ) -> FirebaseApp {
        let environment = DeviceEnvironment(
            transport: server, files: files, storeFolder: folder.path, clock: timerClock, random: { random },
            description: description)
        let app = FirebaseApp.configure(name: name, options: options, environment: environment)
        app.callbackQueue = DispatchQueue(label: "callbacks")
        return app
    }

    func config() -> RemoteConfig { RemoteConfig.remoteConfig(app: start()) }

    /// Simulates a new process.
    func restarted(_ config: RemoteConfig) async -> RemoteConfig {
        await config.core.app.delete()
        return self.config()
    }

    func wait(seconds: Double) { clock.advance(bySeconds: seconds) }

    static func path(_ app: FirebaseApp) -> String { FilePath.join(app.folder, ConfigFile.name) }
}

/// A clock whose timers the test fires itself, one after the other, without waiting.
final class TimerClock: DeviceClock {
    struct Timer: DeviceTimer {
        let seconds: Double
        let fire: @Sendable () -> Void

        func cancel() {}
    }

    let base: FakeClock
    /// The actions that are scheduled from now on.
    let timers: AsyncStream<Timer>
    private let continuation: AsyncStream<Timer>.Continuation
    private let duringWait = Mutex<@Sendable () -> Void>({})

    init(_ base: FakeClock) {
        self.base = base
        (timers, continuation) = AsyncStream.makeStream()
    }

    func now() -> Timestamp { base.now() }
    func uptime() -> Double { base.uptime() }

    /// Called whenever a thread waits.
    func duringWait(_ body: @escaping @Sendable () -> Void) { duringWait.withLock { $0 = body } }

    func wait(seconds: Double, cancellation: Cancellation?) {
        duringWait.withLock { $0 }()
        base.wait(seconds: seconds, cancellation: cancellation)
    }

    func wait(for semaphore: DispatchSemaphore, seconds: Double, cancellation: Cancellation?) {
        base.wait(for: semaphore, seconds: seconds, cancellation: cancellation)
    }

    func schedule(afterSeconds seconds: Double, _ action: @escaping @Sendable () -> Void) -> any DeviceTimer {
        let timer = Timer(seconds: seconds, fire: action)
        continuation.yield(timer)
        return timer
    }
}
