import Dispatch
import HearthApp
import HearthClient
import HearthConcurrency
import HearthDeliveryTesting
import HearthModelSource
import HearthTestSupport
import HearthTransport
import HearthWire
import Synchronization
import Testing

@testable import HearthDelivery

@Suite("Keeping a model up to date", .limitedTime)
struct RefreshTests {
    private let host = ModelHost()
    private let clock: WatchedClock
    private let app: FirebaseApp
    private let device: TestDevice
    private var downloader: ModelDownloader { .modelDownloader(app: app) }

    init() throws {
        device = try TestDevice(host: host)
        clock = WatchedClock(host.clock)
        var environment = device.app.environment
        environment.clock = clock
        let options = device.app.options
        let name = device.app.name
        // The same app, with a clock that reports what is scheduled.
        device.app.delete { _ in }
        app = FirebaseApp.configure(name: name, options: options, environment: environment)
        host.publish(Sample.v1, as: "digits")
    }

    /// Lets the time pass until the next check, and waits until it has ended: then the one after it is scheduled.
    private func check(_ pauses: inout AsyncStream<Double>.Iterator, after seconds: Double) async -> Double? {
        host.clock.advance(bySeconds: seconds)
        return await pauses.next()
    }

    @Test("The first check comes soon, then one every interval, and each brings updates")
    func regular() async throws {
        var pauses = clock.pauses.makeAsyncIterator()
        let refresh = downloader.keepUpdated(name: "digits", every: 1000)
        #expect(await pauses.next() == 2.5)
        host.clock.advance(bySeconds: 2)
        #expect(host.requestCount(.info) == 0)
        #expect(await check(&pauses, after: 0.5) == 1000)
        #expect(try downloader.installedModel(name: "digits")?.contents == Sample.v1)
        host.publish(Sample.v2, as: "digits")
        #expect(await check(&pauses, after: 1000) == 1000)
        #expect(try downloader.installedModel(name: "digits")?.contents == Sample.v2)
        #expect(host.requestCount(.info) == 2)
        refresh.cancel()
        host.clock.advance(bySeconds: 100_000)
        #expect(host.requestCount(.info) == 2)
    }

    @Test("A refresh that is released ends")
    func released() async {
        var pauses = clock.pauses.makeAsyncIterator()
        var refresh: ModelRefresh? = downloader.keepUpdated(name: "digits", every: 1000)
        #expect(await pauses.next() == 2.5)
        withExtendedLifetime(refresh) {}
        refresh = nil
        host.clock.advance(bySeconds: 100_000)
        #expect(host.requestCount(.info) == 0)
    }

    @Test("On battery, checks that need external power are skipped until it is back")
    func power() async throws {
        let conditions = ScriptedConditions()
        downloader.settings.deviceConditions = conditions
        conditions.isOnBattery.store(true, ordering: .relaxed)
        var pauses = clock.pauses.makeAsyncIterator()
        let refresh = downloader.keepUpdated(name: "digits", every: 1000, requiringExternalPower: true)
        #expect(await pauses.next() == 2.5)
        #expect(await check(&pauses, after: 2.5) == 1000)
        #expect(host.requestCount(.info) == 0)
        conditions.isOnBattery.store(false, ordering: .relaxed)
        #expect(await check(&pauses, after: 1000) == 1000)
        #expect(try downloader.installedModel(name: "digits") != nil)
        refresh.cancel()
    }

    @Test("A deleted app ends its refreshes")
    func deletedApp() async {
        var pauses = clock.pauses.makeAsyncIterator()
        let kept = downloader
        let refresh = kept.keepUpdated(name: "digits", every: 1000)
        #expect(await pauses.next() == 2.5)
        await app.delete()
        host.clock.advance(bySeconds: 100_000)
        #expect(host.requestCount(.info) == 0)
        withExtendedLifetime((refresh, kept)) {}
    }
}

/// A clock that reports the scheduled times, so that a test can wait for them.
private final class WatchedClock: DeviceClock {
    private let base: FakeClock
    let pauses: AsyncStream<Double>
    private let scheduled: AsyncStream<Double>.Continuation

    init(_ base: FakeClock) {
        self.base = base
        (pauses, scheduled) = AsyncStream.makeStream()
    }

    func now() -> Timestamp { base.now() }
    func uptime() -> Double { base.uptime() }

    func wait(seconds: Double, cancellation: Cancellation?) {
        base.wait(seconds: seconds, cancellation: cancellation)
    }

    func wait(for semaphore: DispatchSemaphore, seconds: Double, cancellation: Cancellation?) {
        base.wait(for: semaphore, seconds: seconds, cancellation: cancellation)
    }

    func schedule(afterSeconds seconds: Double, _ action: @escaping @Sendable () -> Void) -> any DeviceTimer {
        let timer = base.schedule(afterSeconds: seconds, action)
        scheduled.yield(seconds)
        return timer
    }
}

private final class ScriptedConditions: DeviceConditions {
    let isOnBattery = Atomic(false)

    var isConnectionMetered: Bool? { nil }
    var isOnExternalPower: Bool? { !isOnBattery.load(ordering: .relaxed) }
}

@Suite("When to look for a newer version")
struct RefreshRulesTests {
    private let temporary = DownloadFailure(.cannotConnect, "", error: .failedPrecondition, isTemporary: true)

    private func outcome(_ code: DownloadFailure.Code, isTemporary: Bool = false) -> RefreshBackoff.Outcome {
        RefreshBackoff.Outcome(.failure(DownloadFailure(code, "", error: .notFound, isTemporary: isTemporary)))
    }

    @Test("The first check comes within a tenth of the interval", arguments: [0, 0.5, 0.999])
    func first(random: Double) {
        let rules = RefreshBackoff(everySeconds: 3600)
        #expect(rules.firstDelay(isInstalled: true, random: random) == 360 * random)
        #expect(rules.firstDelay(isInstalled: false, random: random) == 5 * random, "it is waited for")
    }

    @Test("Later checks come every interval, plus or minus a tenth", arguments: [(0, 3240), (0.5, 3600), (1, 3960)])
    func regular(random: Double, seconds: Double) {
        for outcome in [RefreshBackoff.Outcome.settled, .skipped] {
            var rules = RefreshBackoff(everySeconds: 3600)
            let pause = rules.delay(after: outcome, random: random)
            #expect(abs((pause ?? 0) - seconds) < 0.001)
        }
    }

    @Test("A failed check is repeated sooner, then less and less often, but not later than the interval")
    func failures() {
        var rules = RefreshBackoff(everySeconds: 200)
        let failed = RefreshBackoff.Outcome(.failure(temporary))
        let pauses = (0..<100).map { _ in rules.delay(after: failed, random: 0.5) }
        #expect(pauses.prefix(5) == [30, 60, 120, 200, 200])
        #expect(pauses.last == 200)
        _ = rules.delay(after: .settled, random: 0)
        #expect(rules.delay(after: failed, random: 0) == 15, "reset by a success, and spread over a half")
    }

    @Test("A server that asks for more time gets it")
    func retryAfter() {
        var rules = RefreshBackoff(everySeconds: 3600)
        #expect(rules.delay(after: .failed(retryAfterSeconds: 500), random: 0) == 500)
        #expect(rules.delay(after: .failed(retryAfterSeconds: 1), random: 0.5) == 60)
    }

    @Test("A permanent failure is not followed by an early check")
    func outcomes() {
        #expect(RefreshBackoff.Outcome(.failure(temporary)) == .failed(retryAfterSeconds: nil))
        let busy = DownloadFailure(
            .serverBusy, "", error: .resourceExhausted, isTemporary: true, retryAfterSeconds: 90)
        #expect(RefreshBackoff.Outcome(.failure(busy)) == .failed(retryAfterSeconds: 90))
        #expect(outcome(.notFound) == .settled)
        #expect(outcome(.unusable) == .settled)
        #expect(outcome(.conditionsNotMet, isTemporary: true) == .skipped)
        #expect(outcome(.appDeleted) == .over)
        var rules = RefreshBackoff(everySeconds: 60)
        #expect(rules.delay(after: .over, random: 0) == nil)
    }

    @Test(
        "A malformed interval becomes a valid one",
        arguments: [(0, 60), (-5, 60), (.nan, 60), (-.infinity, 60), (.infinity, 31_622_400), (1e300, 31_622_400)])
    func nonsense(seconds: Double, interval: Double) {
        #expect(RefreshBackoff(everySeconds: seconds).interval == interval)
    }
}
