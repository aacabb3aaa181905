import Foundation
import HearthApp
import HearthDeliveryTesting
import HearthDeviceTestSupport
import HearthTestSupport
import HearthTransport
import HearthWire
import Testing

@testable import HearthEvents

@Suite("Reporting events")
struct AnalyticsTests {
    private let device: TestDevice

    init() throws { device = try TestDevice() }

    @Test("An event arrives within seconds, with only its value and the time")
    func arrives() async throws {
        let analytics = device.analytics()
        analytics.logEvent("flower_bought", parameters: [AnalyticsParameterValue: 3.5, "colour": "red"])
        analytics.logEvent("opened", parameters: nil)
        await analytics.settled()
        #expect(device.server.requests.isEmpty, "the events of a few seconds are one batch")
        await device.wait(analytics)
        #expect(
            device.server.counted == [
                EventBodies.Item(
                    sequence: 1, time: "2026-01-01T00:00:00.000Z", event: .init(name: "flower_bought", value: 3.5)),
                EventBodies.Item(sequence: 2, time: "2026-01-01T00:00:00.000Z", event: .init(name: "opened")),
            ])
        let request = try #require(device.server.requests.first)
        #expect(device.server.requests.count == 1)
        #expect(request.method == "POST")
        #expect(request.url == "https://events.example.com/hearth/v1/projects/demo/events")
        #expect(request.header("x-goog-firebase-installations-auth") == "auth-1")
        #expect(request.header("x-goog-api-key") == TestDevice.options().apiKey)
        #expect(request.header("content-type") == "application/json")
        #expect(request.batch?.journal.utf8.count == 22)
        #expect(try device.segments(analytics.app).isEmpty, "events that the server has are not kept")
    }

    @Test("Numbers grow within a process")
    func sequence() async {
        let analytics = device.analytics()
        for name in ["a", "b", "c"] {
            analytics.logEvent(name, parameters: nil)
            await device.wait(analytics)
        }
        #expect(device.server.batches.map(\.items.first?.sequence) == [1, 2, 3])
        #expect(Set(device.server.batches.map(\.journal)).count == 1)
    }

    @Test(
        "A number of any kind is a value",
        arguments: [
            (3, 3), (2.5, 2.5), (Float(0.5), 0.5), (UInt8(7), 7), (-1_000_000_000_000, -1e12),
            (NSNumber(value: 4.25), 4.25), (NSNumber(value: 1), 1),
        ] as [(any Sendable, Double)])
    func values(value: any Sendable, expected: Double) async throws {
        let analytics = device.analytics()
        analytics.logEvent("e", parameters: ["value": value])
        try await analytics.sendPendingEvents()
        #expect(device.server.counted.first?.event?.value == expected)
    }

    @Test(
        "A value that is not a number is left out, and the event counts",
        arguments: ["3", true, Double.nan, Double.infinity, UInt64.max, Int64.min, -1.1e12, [1], Date()]
            as [any Sendable])
    func noValues(value: any Sendable) async throws {
        let analytics = device.analytics()
        analytics.logEvent("e", parameters: ["value": value])
        try await analytics.sendPendingEvents()
        #expect(device.server.counted.map(\.event) == [EventBodies.Event(name: "e")])
    }

    @Test(
        "An event with an invalid name is not kept",
        arguments: ["", "1a", "_a", "a-b", "a b", "é", "a\u{0}", String(repeating: "a", count: 41), "a\n"])
    func names(name: String) async throws {
        let analytics = device.analytics()
        analytics.logEvent(name, parameters: nil)
        let longest = "B" + String(repeating: "_", count: 38) + "9"
        analytics.logEvent(longest, parameters: nil)
        try await analytics.sendPendingEvents()
        #expect(device.server.names == [longest])
    }

    @Test("A clock that is wrong by centuries does no harm", arguments: [-1e10, 3e10])
    func wrongClock(seconds: Double) async throws {
        device.clock.setTimeOfDay(secondsSince1970: seconds)
        let analytics = device.analytics()
        analytics.logEvent("e", parameters: nil)
        await device.wait(analytics)
        device.clock.setTimeOfDay(secondsSince1970: 1_767_225_600)
        try await analytics.sendPendingEvents()
        let time = try #require(device.server.counted.first?.time)
        #expect(Timestamp(rfc3339: time) != nil, "\(time)")
    }

    @Test("The id is that of the installation")
    func instanceID() async throws {
        let analytics = device.analytics()
        let id = try await Installations.installations(app: analytics.app).installationID()
        #expect(analytics.appInstanceID() == id)
        analytics.setAnalyticsCollectionEnabled(false)
        #expect(analytics.appInstanceID() == nil)
    }

    @Test("Disabled: no event is kept and waiting ones are deleted, also after a restart")
    func switchedOff() async throws {
        var analytics = device.analytics()
        analytics.logEvent("before", parameters: nil)
        await analytics.settled()
        #expect(try device.segments(analytics.app).count == 1)
        analytics.setAnalyticsCollectionEnabled(false)
        analytics.logEvent("off", parameters: nil)
        await analytics.settled()
        #expect(try device.segments(analytics.app).isEmpty)
        analytics = await device.restarted(analytics)
        analytics.logEvent("still_off", parameters: nil)
        try await analytics.sendPendingEvents()
        #expect(device.server.requests.isEmpty)
        analytics.setAnalyticsCollectionEnabled(true)
        analytics.logEvent("on", parameters: nil)
        try await analytics.sendPendingEvents()
        #expect(device.server.names == ["on"])
    }

    @Test("The setting for all data applies to events, unless they have their own")
    func appsFlag() async throws {
        let analytics = device.analytics()
        analytics.logEvent("waits", parameters: nil)
        await analytics.settled()
        analytics.app.isDataCollectionDefaultEnabled = false
        await analytics.settled()
        #expect(try device.segments(analytics.app).isEmpty)
        analytics.setAnalyticsCollectionEnabled(true)
        analytics.logEvent("own_switch", parameters: nil)
        try await analytics.sendPendingEvents()
        #expect(device.server.names == ["own_switch"])
    }

    @Test("Events while collecting is disabled are not kept, even if it is enabled again before the write")
    func switchedOnAgain() async throws {
        let analytics = device.analytics()
        analytics.setAnalyticsCollectionEnabled(false)
        analytics.log.writer.work.suspend()
        analytics.logEvent("off", parameters: nil)
        analytics.setAnalyticsCollectionEnabled(true)
        analytics.logEvent("on", parameters: nil)
        analytics.log.writer.work.resume()
        try await analytics.sendPendingEvents()
        #expect(device.server.names == ["on"])
    }

    @Test("Disabled while the server issues a token: no event is sent")
    func switchedOffBeforeSending() async throws {
        let analytics = device.analytics()
        analytics.logEvent("e", parameters: nil)
        await analytics.settled()
        device.server.installations.duringRegistration { [unowned analytics] in
            analytics.setAnalyticsCollectionEnabled(false)
            analytics.setAnalyticsCollectionEnabled(true)
            analytics.log.writer.seal()
        }
        try await analytics.sendPendingEvents()
        #expect(device.server.requests.isEmpty)
    }

    @Test(
        "The options' file decides about events if the app does not; deactivated is permanent",
        arguments: [
            (["FIREBASE_ANALYTICS_COLLECTION_ENABLED": false], [false, true]),
            (["IS_MEASUREMENT_ENABLED": false], [false, true]),
            (["IS_MEASUREMENT_ENABLED": false, "FIREBASE_ANALYTICS_COLLECTION_ENABLED": true], [true, true]),
            (["IS_MEASUREMENT_ENABLED": true], [true, true]),
            (["FIREBASE_ANALYTICS_COLLECTION_DEACTIVATED": true], [false, false]),
            (["FIREBASE_ANALYTICS_COLLECTION_DEACTIVATED": false], [true, true]),
        ])
    func optionsFile(flags: [String: Bool], expected: [Bool]) throws {
        let list = (["GOOGLE_APP_ID": "1:1234567890:ios:0123456789abcdef"] as [String: Any]).merging(flags) { $1 }
        let data = try PropertyListSerialization.data(fromPropertyList: list, format: .xml, options: 0)
        let path = try device.folder.write(Array(data), to: "GoogleService-Info.plist")
        let options = try #require(FirebaseOptions(contentsOfFile: path))
        options.projectID = TestDevice.options().projectID
        options.apiKey = TestDevice.options().apiKey
        let log = Analytics.analytics(app: device.start(options)).log
        let atFirst = log.isCollecting
        log.setCollecting(true)
        #expect([atFirst, log.isCollecting] == expected)
    }

    @Test("Resetting deletes the waiting events and begins a new journal")
    func reset() async throws {
        let analytics = device.analytics()
        analytics.logEvent("first", parameters: nil)
        try await analytics.sendPendingEvents()
        analytics.logEvent("gone", parameters: nil)
        analytics.resetAnalyticsData()
        analytics.logEvent("second", parameters: nil)
        try await analytics.sendPendingEvents()
        #expect(device.server.names == ["first", "second"])
        #expect(Set(device.server.batches.map(\.journal)).count == 2)
    }

    @Test("Two apps have their own events")
    func twoApps() async throws {
        let one = device.analytics()
        let two = Analytics.analytics(app: device.start(name: "other-\(UUID().uuidString)"))
        #expect(Analytics.analytics(app: one.app) === one)
        one.logEvent("one", parameters: nil)
        two.logEvent("two", parameters: nil)
        try await two.sendPendingEvents()
        #expect(device.server.names == ["two"])
        try await one.sendPendingEvents()
        #expect(device.server.names == ["two", "one"])
        await device.stop(two)
    }

    @Test("Without a default app, nothing happens")
    func noDefaultApp() async {
        Analytics.logEvent("nobody", parameters: nil)
        Analytics.setAnalyticsCollectionEnabled(true)
        Analytics.resetAnalyticsData()
        #expect(Analytics.appInstanceID() == nil)
        await #expect { try await Analytics.sendPendingEvents() } throws: {
            ($0 as? EventsError)?.code == .notConfigured
        }
    }

    @Test("Events of many threads count once each")
    func threads() async throws {
        let analytics = device.analytics()
        await withTaskGroup(of: Void.self) { group in
            for thread in 0..<8 {
                group.addTask {
                    for count in 0..<200 { analytics.logEvent("t\(thread)_\(count)", parameters: nil) }
                }
            }
        }
        try await analytics.sendPendingEvents()
        #expect(Set(device.server.names).count == 1600 && device.server.names.count == 1600)
        #expect(device.server.batches.allSatisfy { $0.items.count <= EventBodies.itemLimit })
    }
}
