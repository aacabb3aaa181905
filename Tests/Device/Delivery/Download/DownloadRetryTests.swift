import Foundation
import HearthApp
import HearthDeliveryTesting
import HearthFiles
import HearthTransport
import HearthWire
import Testing

@testable import HearthDelivery

@Suite("Downloads that are retried")
struct DownloadRetryTests {
    private let device: TestDevice
    private var host: ModelHost { device.host }

    init() throws {
        device = try TestDevice()
        device.host.publish(Sample.v2, as: "digits")
    }

    @Test(
        "Temporary failures are retried after a backoff",
        arguments: [
            HostFault.offline, .nameNotFound, .timeout, .status(500), .status(502), .status(503), .status(429),
            .disconnect(afterBytes: 10), .stall(afterBytes: 10),
        ], [ModelHost.RequestKind.info, .file])
    func retryableCodes(fault: HostFault, kind: ModelHost.RequestKind) async throws {
        host.fail(kind, with: fault, times: 3)
        #expect(try await device.fetch().get().contents == Sample.v2)
        #expect(device.clock.waits.count == 3)
        #expect(host.requestCount(kind) == 4)
    }

    @Test("Without a connection: five attempts, about eight seconds of backoff, and an error")
    func offline() async {
        host.goOffline()
        let failure = await device.failure()
        #expect(failure?.code == .cannotConnect)
        #expect(failure?.isTemporary == true)
        let cause = failure?.cause as NSError?
        #expect(cause?.userInfo[NSUnderlyingErrorKey] is TransportError, "below the missing token: the network's error")
        #expect(device.clock.waits == [0.5, 1, 2, 4])
    }

    @Test(
        "Permanent failures are not retried",
        arguments: [
            HostFault.status(400), .status(403), .status(404), .status(410), .notSecure,
            .redirect(to: "http://a.example/"),
            .redirect(to: "https://a.example/"), .captivePortal,
        ])
    func notPassing(fault: HostFault) async {
        host.fail(.info, with: fault, times: nil)
        #expect(await device.failure()?.isTemporary == false)
        #expect(host.requestCount(.info) == 1)
        #expect(device.clock.waits.isEmpty)
    }

    @Test("New bytes reset the count of failures; repeated ones do not")
    func progressCounts() async throws {
        host.fail(.file, with: .disconnect(afterBytes: 10_000), times: 19)
        #expect(try await device.fetch().get().contents == Sample.v2)
        #expect(device.clock.waits == [Double](repeating: 0.5, count: 19))
        let other = try TestDevice()
        other.host.publish(Sample.v2, as: "digits")
        other.host.on(.file) { _, answer in answer.setHeader("ETag", nil) }
        other.host.fail(.file, with: .disconnect(afterBytes: 10_000), times: nil)
        #expect(await other.failure()?.code == .truncated)
        #expect(other.host.requestCount(.file) == 5)
    }

    @Test("Retry-After is respected", arguments: [ModelHost.RequestKind.info, .file])
    func retryAfter(kind: ModelHost.RequestKind) async throws {
        host.fail(kind, with: .status(429, retryAfterSeconds: 40))
        host.fail(kind, with: .status(503, retryAfterSeconds: 20))
        #expect(try await device.fetch().get().contents == Sample.v2)
        #expect(device.clock.waits == [40.25, 20.5])
    }

    @Test("A server asks for more time than is left: an immediate error that says how long", arguments: [429, 503])
    func retryAfterTooLong(status: Int) async {
        host.fail(.info, with: .status(status, retryAfterSeconds: 1000), times: nil)
        let failure = await device.failure()
        #expect(failure?.code == .serverBusy)
        #expect(failure?.retryAfterSeconds == 1000)
        #expect(device.clock.waits.isEmpty)
        #expect(host.requestCount(.info) == 1)
    }

    @Test("The deadline ends the download, and each request gets the remaining time")
    func deadline() async {
        var settings = DeliverySettings()
        settings.deadlineSeconds = 100
        settings.attemptLimit = 1000
        host.fail(.file, with: .offline, times: nil)
        #expect(await device.failure(settings: settings)?.code == .cannotConnect)
        #expect(device.clock.uptime() <= 100)
        let limits = host.requests(.file).compactMap(\.totalTimeoutSeconds)
        #expect(limits.allSatisfy { $0 > 0 && $0 <= 100 })
        #expect(limits == limits.sorted(by: >) && limits.count > 5)
    }

    @Test("A slow transfer ends at the deadline, and the next download resumes it")
    func slowTransfer() async throws {
        host.fail(.file, with: .slow(bytesPerSecond: 300))
        #expect(await device.failure()?.code == .tooSlow)
        #expect(device.clock.uptime() <= 601)
        #expect(try await device.fetch().get().contents == Sample.v2)
        #expect(host.requests(.file).last?.header("range") != nil)
    }

    @Test("Settings reach the request", arguments: [nil, 5000] as [UInt64?])
    func settings(rate: UInt64?) async throws {
        var settings = DeliverySettings()
        settings.maxBytesPerSecond = rate
        settings.stallSeconds = 7
        _ = try await device.fetch(settings: settings).get()
        let request = try #require(host.requests(.file).first)
        #expect(request.maxBytesPerSecond == rate)
        #expect(request.stallTimeoutSeconds == 7)
        #expect(request.maxResponseBytes == UInt64(Sample.v2.count))
        #expect(request.headers.isEmpty, "neither key nor token goes to the link's host")
        #expect(device.clock.uptime() == (rate == nil ? 0 : 40))
    }

    @Test("A larger model than the app accepts is refused before its first byte")
    func tooLarge() async {
        var settings = DeliverySettings()
        settings.maxModelBytes = 199_999
        #expect(await device.failure(settings: settings)?.code == .tooLarge)
        #expect(host.requestCount(.file) == 0)
        settings.maxModelBytes = 200_000
        #expect(await device.failure(settings: settings) == nil)
    }

    @Test("A limit of attempts below one means one", arguments: [-1, 0])
    func absurdAttempts(limit: Int) async {
        var settings = DeliverySettings()
        settings.attemptLimit = limit
        host.goOffline()
        #expect(await device.failure(settings: settings)?.code == .cannotConnect)
        #expect(device.clock.waits.isEmpty)
    }

    @Test("A deadline that passed before the download began", arguments: [0, -1, -Double.infinity, .nan])
    func absurdDeadline(seconds: Double) async {
        var settings = DeliverySettings()
        settings.deadlineSeconds = seconds
        #expect(await device.failure(settings: settings)?.code == .tooSlow)
        #expect(host.requestCount(.info) == 0)
    }

    @Test("An installed model is not downloaded again from a server that ignores If-None-Match")
    func unconditionalServer() async throws {
        let model = try await device.fetch().get()
        // The host records the requests.
        defer { host.endFaults() }
        host.on(.info) { [host] _, answer in
            answer.status = 200
            answer.body = host.requests(.info).isEmpty ? [] : Array("{}".utf8)
            answer.setField("downloadUri", "\(host.linkURL)/x")
            answer.setField("expireTime", "2026-01-01T01:00:00.000Z")
            answer.setField("sizeBytes", "200000")
        }
        #expect(try await device.fetch().get() == model)
        #expect(host.requestCount(.file) == 1)
    }

    @Test("The token is requested once, and renewed once when the server refuses it")
    func token() async throws {
        host.fail(.info, with: .status(401))
        host.fail(.info, with: .status(503), times: 2)
        #expect(try await device.fetch().get().contents == Sample.v2)
        #expect(host.requestCount(.installation) == 2)
        host.publish(Sample.v1, as: "digits")
        host.fail(.info, with: .status(401), times: nil)
        #expect(await device.failure()?.code == .permissionDenied)
    }

    @Test("A token request without a connection is retried")
    func tokenOffline() async throws {
        host.fail(.installation, with: .offline, times: 2)
        #expect(try await device.fetch().get().contents == Sample.v2)
        #expect(device.clock.waits.count == 2)
    }

    @Test(
        "A token request that the server refuses is not retried, and the refusal stays during the backoff",
        arguments: [400, 403])
    func tokenRefused(status: Int) async {
        host.fail(.installation, with: .status(status), times: nil)
        for _ in 0..<3 {
            let failure = await device.failure()
            #expect(failure?.code == .permissionDenied)
            #expect(failure?.isTemporary == false)
        }
        #expect(host.requestCount(.installation) == 1)
        #expect(device.clock.waits.isEmpty)
    }

    @Test("A registration that a busy server refuses is retried", arguments: [429, 502, 503])
    func tokenBusy(status: Int) async throws {
        host.fail(.installation, with: .status(status), times: 2)
        #expect(try await device.fetch().get().contents == Sample.v2)
        #expect(host.requestCount(.installation) == 3)
        #expect(device.clock.waits.count == 2, "not before the backoff of the registration has ended")
    }

    @Test(
        "A server that stays busy with registrations is not reported as a refusal",
        arguments: [(429, "serverBusy"), (503, "serverBusy"), (502, "serverFailed")])
    func tokenStaysBusy(status: Int, code: String) async throws {
        host.fail(.installation, with: .status(status), times: nil)
        var settings = DeliverySettings()
        settings.attemptLimit = 1
        for _ in 0..<2 {
            let failure = try #require(await device.failure(settings: settings))
            #expect(failure.code.rawValue == code)
            #expect(failure.isTemporary)
            #expect(try #require(failure.retryAfterSeconds) >= 2)
        }
        #expect(host.requestCount(.installation) == 1, "the second one waits for the end of the backoff")
    }

    @Test(
        "The error says why there is no connection for a token",
        arguments: [HostFault.nameNotFound, .notSecure, .offline]
    )
    func tokenConnection(fault: HostFault) async throws {
        host.fail(.installation, with: fault, times: nil)
        let failure = try #require(await device.failure())
        let code: DownloadFailure.Code =
            switch fault.description {
            case "nameNotFound": .hostNotFound
            case "notSecure": .notSecure
            default: .cannotConnect
            }
        #expect(failure.code == code)
        #expect(failure.isTemporary == (code != .notSecure))
        #expect(device.clock.waits.isEmpty == (code == .notSecure))
        #expect(failure.message.hasPrefix("Error retrieving auth token."))
    }
}

@Suite("What follows a failed attempt")
struct DownloadAttemptsTests {
    private let clock = FakeClock()

    private func attempts(
        limit: Int = 100, deadlineSeconds: Double = 10_000, random: Double = 0.5
    ) -> DownloadAttempts {
        var settings = DeliverySettings()
        (settings.attemptLimit, settings.deadlineSeconds) = (limit, deadlineSeconds)
        return attempts(settings, random: random)
    }

    private func attempts(_ settings: DeliverySettings, random: Double) -> DownloadAttempts {
        let environment = DeviceEnvironment(
            transport: ModelHost().transport, files: DiskFiles(), storeFolder: "/", clock: clock, random: { random })
        return DownloadAttempts(settings, environment: environment, cancellation: nil)
    }

    private func failure(
        _ code: DownloadFailure.Code = .cannotConnect, isTemporary: Bool = true, retryAfter: Double? = nil
    ) -> DownloadFailure {
        DownloadFailure(
            code, "x", error: .failedPrecondition, isTemporary: isTemporary, retryAfterSeconds: retryAfter)
    }

    /// The seconds before the next attempt; nil when none follows.
    private func pause(_ attempts: DownloadAttempts, after failure: DownloadFailure) -> Double? {
        let count = clock.waits.count
        do throws(DownloadFailure) {
            try attempts.waitBeforeRetry(after: failure)
            return clock.waits.last
        } catch {
            #expect(error == failure, "the failure itself is thrown")
            #expect(clock.waits.count == count)
            return nil
        }
    }

    @Test("The backoff doubles from half a second to a minute")
    func doubling() {
        let attempts = attempts()
        let pauses = (1...10).map { _ in pause(attempts, after: failure()) }
        #expect(pauses == [0.5, 1, 2, 4, 8, 16, 32, 60, 60, 60])
        attempts.madeProgress()
        #expect(pause(attempts, after: failure()) == 0.5)
    }

    @Test("With the usual settings there are five attempts")
    func usualSettings() {
        let attempts = attempts(DeliverySettings(), random: 0.999)
        let pauses = (1...5).map { _ in pause(attempts, after: failure()) }
        #expect(pauses.count { $0 != nil } == 4)
    }

    @Test(
        "Only temporary failures are retried",
        arguments: [
            (.hostNotFound, true), (.cannotConnect, true), (.truncated, true), (.tooSlow, true), (.serverBusy, true),
            (.serverFailed, true), (.notFound, false), (.permissionDenied, false), (.invalidArgument, false),
            (.malformedResponse, false), (.notSecure, false), (.plainHTTP, false), (.redirected, false),
            (.tooLong, false),
            (.wrongLength, false), (.wrongHash, false), (.noSpace, false), (.notWritable, false), (.storeFailed, false),
            (.conditionsNotMet, false), (.cancelled, false), (.unusable, false), (.linkExpired, false),
        ] as [(DownloadFailure.Code, Bool)])
    func kinds(code: DownloadFailure.Code, isTriedAgain: Bool) {
        #expect((pause(attempts(), after: failure(code)) != nil) == isTriedAgain)
        #expect(pause(attempts(), after: failure(code, isTemporary: false)) == nil)
    }

    @Test("The limit of attempts holds", arguments: [-1, 0, 1, 3])
    func limit(_ limit: Int) {
        let attempts = attempts(limit: limit)
        for _ in 1..<max(1, limit) { #expect(pause(attempts, after: failure()) != nil) }
        #expect(pause(attempts, after: failure()) == nil)
    }

    @Test("A backoff beyond the deadline is not begun", arguments: [(9.4, 0.5), (9.5, nil), (11, nil)])
    func deadline(elapsed: Double, expected: Double?) {
        let attempts = attempts(deadlineSeconds: 10)
        clock.advance(bySeconds: elapsed)
        #expect(pause(attempts, after: failure()) == expected)
    }

    @Test("Absurd deadlines end the download and do not crash", arguments: [-Double.infinity, .nan, -1, 0])
    func absurdDeadlines(seconds: Double) {
        #expect(pause(attempts(limit: .max, deadlineSeconds: seconds), after: failure()) == nil)
    }

    @Test(
        "A busy server gets slightly more than the time that it asks for; beyond the deadline, the download ends"
    )
    func retryAfter() {
        let busy = failure(.serverBusy, retryAfter: 30)
        #expect(pause(attempts(deadlineSeconds: 100), after: busy) == 30.25)
        #expect(pause(attempts(deadlineSeconds: 30), after: busy) == nil)
        #expect(pause(attempts(), after: failure(.serverBusy, retryAfter: 0)) == 0.5)
    }
}
