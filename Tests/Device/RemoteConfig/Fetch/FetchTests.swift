import Foundation
import HearthApp
import HearthClient
import HearthDeliveryTesting
import HearthDeviceTestSupport
import HearthTransport
import HearthWire
import Testing

@testable import HearthRemoteConfig

@Suite("Fetching values")
struct FetchTests {
    @Test("Fetched values are visible only after the activation")
    func fetchAndActivate() async throws {
        let device = try TestDevice()
        device.server.serve(["greeting": "Hello", "count": "3"], version: 7)
        let config = device.config()
        config.setDefaults(["greeting": "Hi" as NSString, "colour": "red" as NSString])
        #expect(config.lastFetchStatus == .noFetchYet && config.lastFetchTime == Date(timeIntervalSince1970: 0))
        #expect(try await config.fetch() == .success)
        #expect(config["greeting"].stringValue == "Hi" && config["greeting"].source == .default)
        #expect(try await config.activate())
        #expect(config["greeting"].stringValue == "Hello" && config["greeting"].source == .remote)
        #expect(config["colour"].source == .default && config["size"].source == .static)
        #expect(config.lastFetchStatus == .success)
        #expect(config.lastFetchTime == Date(timeIntervalSince1970: device.clock.secondsSince1970))
        #expect(try await !config.activate(), "the second time, nothing changes")
    }

    @Test("The request is strict JSON with the installation, the app, the device and the signals")
    func question() async throws {
        let device = try TestDevice()
        device.server.serve([:], version: 1)
        var description = DeviceDescription()
        try description.setAppVersion("2.1")
        try description.setLanguage("pt-BR")
        try description.setCountry("BR")
        let app = device.start(description: description)
        let config = RemoteConfig.remoteConfig(app: app)
        try await config.setCustomSignals(["plan": "gold", "age": 7, "weight": 2.5, "none": nil])
        try await config.fetch()
        let request = try #require(device.server.fetches.first)
        #expect(request.method == "POST")
        #expect(request.url == "https://config.example.com/v1/projects/demo/namespaces/firebase:fetch")
        #expect(request.header("x-goog-api-key") == TestDevice.options().apiKey)
        #expect(request.header("x-goog-firebase-installations-auth") == "auth-1")
        #expect(request.header("x-firebase-rc-fetch-type") == "BASE/1" && request.header("if-none-match") == nil)
        #expect(request.header("x-hearth-country") == "BR" && request.header("x-hearth-language") == "pt-BR")
        let body = request.json
        let id = try await Installations.installations(app: app).installationID()
        #expect(body["appInstanceId"] as? String == id && body["appInstanceIdToken"] as? String == "auth-1")
        #expect(body["appId"] as? String == "1:1234567890:ios:0123456789abcdef")
        #expect(body["packageName"] as? String == "com.example.kiosk" && body["appVersion"] as? String == "2.1")
        #expect(body["countryCode"] as? String == "BR" && body["languageCode"] as? String == "pt-BR")
        #expect(body["firstOpenTime"] as? String == "2026-01-01T00:00:00.000Z")
        let signals = try #require(body["customSignals"] as? [String: Any])
        #expect(signals["plan"] as? String == "gold" && signals["age"] as? Int == 7 && signals.count == 3)
    }

    @Test("An app without permission to collect data sends nothing about its user")
    func privacy() async throws {
        let device = try TestDevice()
        device.server.serve([:], version: 1)
        var description = DeviceDescription()
        try description.setLanguage("de")
        try description.setCountry("CH")
        let app = device.start(description: description)
        app.isDataCollectionDefaultEnabled = false
        try await RemoteConfig.remoteConfig(app: app).fetch()
        let request = try #require(device.server.fetches.first)
        for key in ["countryCode", "languageCode", "firstOpenTime"] { #expect(request.json[key] == nil) }
        #expect(request.header("x-hearth-country") == nil && request.header("x-hearth-language") == nil)
    }

    @Test("Within the interval there is no request; an expiration of 0 always sends one")
    func interval() async throws {
        let device = try TestDevice()
        device.server.serve(["a": "1"], version: 1)
        let config = device.config()
        try await config.fetch()
        device.wait(seconds: 43_199)
        #expect(try await config.fetch() == .success)
        #expect(device.server.fetches.count == 1)
        device.wait(seconds: 1)
        try await config.fetch()
        #expect(device.server.fetches.count == 2)
        try await config.fetch(withExpirationDuration: 0)
        #expect(device.server.fetches.count == 3)
        let settings = config.configSettings
        settings.minimumFetchInterval = 0
        try await config.fetch()
        #expect(device.server.fetches.count == 3, "the settings are a copy")
        config.configSettings = settings
        try await config.fetch()
        #expect(device.server.fetches.count == 4)
        device.clock.setTimeOfDay(secondsSince1970: 0)
        try await config.fetch(withExpirationDuration: 60)
        #expect(device.server.fetches.count == 5, "after the clock was set back, the values are not fresh")
    }

    @Test("The ETag is sent back, and an answer without changes changes nothing")
    func noChange() async throws {
        let device = try TestDevice()
        device.server.serve(["a": "1"], version: 1)
        let config = device.config()
        try await config.fetchAndActivate()
        device.server.answer(#"{"state":"NO_CHANGE","templateVersion":"1"}"#)
        try await config.fetch(withExpirationDuration: 0)
        #expect(device.server.fetches.last?.header("if-none-match") == "etag-1-firebase-fetch-1")
        #expect(try await !config.activate())
        #expect(config["a"].stringValue == "1")
    }

    @Test(
        "A template without values, and a missing template, remove all values",
        arguments: ["EMPTY_CONFIG", "NO_TEMPLATE"])
    func empty(_ state: String) async throws {
        let device = try TestDevice()
        device.server.serve(["a": "1"], version: 1)
        let config = device.config()
        try await config.fetchAndActivate()
        device.server.answer(#"{"state":"\#(state)"}"#)
        try await config.fetch(withExpirationDuration: 0)
        #expect(try await config.activate())
        #expect(config.allKeys(from: .remote).isEmpty && config["a"].source == .static)
    }

    @Test("A busy server gets a backoff, also from the next process, and a longer one the next time")
    func throttling() async throws {
        let device = try TestDevice()
        device.server.answer("{}", status: 503)
        var config = device.config()
        let status = await fetched(config)
        #expect(status.0 == .throttled && config.lastFetchStatus == .throttled)
        let end = (status.1 as? NSError)?.userInfo[RemoteConfigThrottledEndTimeInSecondsKey] as? NSNumber
        #expect(end?.doubleValue == device.clock.secondsSince1970 + 120)
        await #expect { try await config.fetch() } throws: { RemoteConfigError.throttled ~= $0 }
        config = await device.restarted(config)
        await #expect { try await config.fetch() } throws: { RemoteConfigError.throttled ~= $0 }
        #expect(device.server.fetches.count == 1)
        device.wait(seconds: 120)
        _ = await fetched(config)
        #expect(device.server.fetches.count == 2)
        device.wait(seconds: 239)
        _ = await fetched(config)
        #expect(device.server.fetches.count == 2)
        device.wait(seconds: 1)
        device.server.serve(["a": "1"], version: 1)
        #expect(await fetched(config).0 == .success)
        device.server.answer("{}", status: 503)
        let next = await fetched(config, seconds: 0).1 as? NSError
        let nextEnd = next?.userInfo[RemoteConfigThrottledEndTimeInSecondsKey] as? NSNumber
        #expect(nextEnd?.doubleValue == device.clock.secondsSince1970 + 120, "an answer resets the backoff")
    }

    @Test("An old token is renewed once")
    func token() async throws {
        let device = try TestDevice()
        device.server.answer { request in
            request.header("x-goog-firebase-installations-auth") == "auth-1"
                ? .json("{}", status: 401) : .json(#"{"state":"UPDATE","entries":{"a":"1"},"templateVersion":"1"}"#)
        }
        let config = device.config()
        #expect(try await config.fetchAndActivate() == .successFetchedFromRemote)
        #expect(config["a"].stringValue == "1")
        #expect(device.server.fetches.count == 2)
        device.server.answer("{}", status: 401)
        #expect(await fetched(config, seconds: 0).0 == .failure)
        #expect(device.server.fetches.count == 4)
    }

    @Test("A fetch during a fetch gets the last status, and sends no request")
    func overlapping() async throws {
        let device = try TestDevice()
        let config = device.config()
        let (entered, leave) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        device.server.answer { _ in
            entered.signal()
            leave.wait()
            return .json(#"{"state":"UPDATE","entries":{"a":"1"},"templateVersion":"1"}"#)
        }
        async let first = config.fetch()
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                entered.wait()
                continuation.resume()
            }
        }
        let second = await fetched(config)
        #expect(second.0 == .failure && second.1 == nil)
        leave.signal()
        #expect(try await first == .success)
        #expect(device.server.fetches.count == 1)
    }

    @Test(
        "A late token, or the deletion of the app, ends the fetch", arguments: [true, false])
    func waitingForToken(_ isDeleted: Bool) async throws {
        let device = try TestDevice()
        let leave = DispatchSemaphore(value: 0)
        let (entered, continuation) = AsyncStream<Void>.makeStream()
        device.server.installations.duringRegistration {
            continuation.yield()
            leave.wait()
        }
        let config = device.config()
        async let fetch = config.fetch()
        var iterator = entered.makeAsyncIterator()
        await iterator.next()
        if isDeleted { await config.core.app.delete() } else { device.wait(seconds: 60) }
        do {
            _ = try await fetch
            Issue.record("fetched without a token")
        } catch {
            #expect(RemoteConfigError.internalError ~= error)
            #expect(
                error.localizedDescription.contains(
                    isDeleted ? "was deleted" : "Timed out waiting for an installation token"))
        }
        device.server.installations.duringRegistration {}
        leave.signal()
        #expect(device.server.fetches.isEmpty)
    }

    @Test("A server gets the time that it asks for, and a random time more")
    func retryAfter() async throws {
        let device = try TestDevice()
        device.server.answer("{}", status: 429, headers: [("Retry-After", "3600")])
        let config = device.config()
        let error = await fetched(config).1 as? NSError
        let end = error?.userInfo[RemoteConfigThrottledEndTimeInSecondsKey] as? NSNumber
        #expect(end?.doubleValue == device.clock.secondsSince1970 + 3660)
        #expect(error?.localizedDescription.contains("2026-01-01T01:01:00Z") == true)
    }

    @Test("Many threads read either the old or the new values, never a mixture")
    func concurrent() async throws {
        let device = try TestDevice()
        let config = device.config()
        await withTaskGroup { group in
            for number in 1...20 {
                group.addTask {
                    device.server.serve(["a": "\(number)", "b": "\(number)"], version: number)
                    _ = try? await config.fetch(withExpirationDuration: 0)
                    _ = try? await config.activate()
                    config.setDefaults(["d": "\(number)" as NSString])
                }
                group.addTask {
                    let entries = config.core.withState { $0.record.active?.entries ?? [:] }
                    #expect(entries["a"] == entries["b"])
                    _ = config["d"].numberValue
                    try? await config.setCustomSignals(["s\(number)": .integer(number)])
                    let settings = config.configSettings
                    settings.fetchTimeout = Double(number)
                    config.configSettings = settings
                }
            }
        }
        #expect(config["a"].stringValue == config["b"].stringValue && config["a"].source == .remote)
        let next = await device.restarted(config)
        #expect(next.core.withState { $0.record.signals.count } == 20)
        #expect(next["a"].stringValue == config["a"].stringValue)
    }

    private func fetched(
        _ config: RemoteConfig, seconds: Double? = nil
    ) async -> (RemoteConfigFetchStatus, (any Error)?) {
        await withCheckedContinuation { continuation in
            config.fetch(withExpirationDuration: seconds ?? 43_200) { continuation.resume(returning: ($0, $1)) }
        }
    }
}

@Suite("The backoff for a busy server")
struct FetchBackoffTests {
    private let now = Timestamp(seconds: 1_767_225_600)

    private func seconds(_ pause: FetchBackoff) -> Double? {
        pause.end(now: now).map { Double($0.microseconds - now.microseconds) / 1_000_000 }
    }

    @Test("Doubles from two minutes to four hours, plus or minus a half")
    func doubling() {
        var pause = FetchBackoff()
        var lengths: [Double?] = []
        for _ in 0..<9 {
            pause.increase(requestedSeconds: nil, random: 0.5, now: now)
            lengths.append(seconds(pause))
        }
        #expect(lengths == [120, 240, 480, 960, 1920, 3840, 7680, 14_400, 14_400])
        pause.increase(requestedSeconds: nil, random: 0, now: now)
        #expect(seconds(pause) == 7200)
        pause.clear()
        pause.increase(requestedSeconds: nil, random: 0.9999, now: now)
        #expect((179...180).contains(seconds(pause) ?? 0))
    }

    @Test("The server can ask for more, up to a day, but not for less; then it is a random time longer")
    func asked() {
        var pause = FetchBackoff()
        pause.increase(requestedSeconds: 1, random: 0.5, now: now)
        #expect(seconds(pause) == 120)
        pause.increase(requestedSeconds: 3600, random: 0.5, now: now)
        #expect(seconds(pause) == 3720)
        pause.increase(requestedSeconds: 1e300, random: 0.5, now: now)
        #expect(seconds(pause) == 86_640)
    }

    @Test("An end beyond every backoff comes from a wrong clock, and is ignored")
    func wrongClock() {
        var pause = FetchBackoff()
        pause.increase(requestedSeconds: nil, random: 0.5, now: now)
        #expect(pause.end(now: now.adding(seconds: 120)) == nil)
        #expect(pause.end(now: now.adding(seconds: -110_000)) == nil)
        #expect(pause.end(now: Timestamp(microseconds: .min)) == nil)
    }
}
