import Foundation
import HearthApp
import HearthDeliveryTesting
import HearthDeviceTestSupport
import HearthFiles
import HearthTransport
import HearthWire
import Testing

@testable import HearthEvents

@Suite("Sending events")
struct SendingTests {
    private let device: TestDevice

    init() throws { device = try TestDevice() }

    @Test("Without a connection events wait for a growing backoff; then all arrive in order")
    func offline() async throws {
        device.server.goOffline()
        let analytics = device.analytics()
        analytics.logEvent("first", parameters: nil)
        await device.wait(analytics)
        #expect(device.server.requests.count == 1)
        // 30 s, 60 s, 120 s ...
        for (pause, count) in [(29.0, 1), (1.0, 2), (59.0, 2), (1.0, 3), (119.0, 3), (1.0, 4)] {
            await device.wait(analytics, seconds: pause)
            #expect(device.server.requests.count == count)
        }
        analytics.logEvent("second", parameters: nil)
        device.server.recover()
        await device.wait(analytics)
        #expect(device.server.requests.count == 4, "an event does not shorten the backoff")
        await device.wait(analytics, seconds: 240)
        #expect(device.server.names == ["first", "second"])
    }

    @Test("A backoff that the server asks for is respected", arguments: [429, 503])
    func retryAfter(status: Int) async {
        device.server.answer(status: status, headers: [("Retry-After", "7200")])
        let analytics = device.analytics()
        analytics.logEvent("e", parameters: nil)
        await device.wait(analytics)
        device.server.recover()
        await device.wait(analytics, seconds: 7200)
        #expect(device.server.counted.isEmpty)
        await device.wait(analytics, seconds: 15)
        #expect(device.server.names == ["e"])
    }

    @Test("Events that the server refuses permanently are dropped", arguments: [400, 413])
    func refused(status: Int) async throws {
        device.server.answer(status: status, body: Self.refusal)
        let analytics = device.analytics()
        analytics.logEvent("bad", parameters: nil)
        await device.wait(analytics)
        #expect(try device.segments(analytics.app).isEmpty)
        device.server.recover()
        analytics.logEvent("good", parameters: nil)
        await device.wait(analytics)
        #expect(device.server.names == ["good"])
    }

    private static let refusal = #"{"error":{"code":400,"message":"The batch is bad.","status":"INVALID_ARGUMENT"}}"#

    @Test(
        "Events that the server refuses now, or that another host refuses, are kept",
        arguments: [302, 401, 403, 404, 407, 408, 429, 500, 502, 503].flatMap { [($0, refusal), ($0, "<html>")] }
            + [(400, "<html>"), (413, "{}")])
    func refusedForNow(status: Int, body: String) async throws {
        device.server.answer(status: status, body: body)
        let analytics = device.analytics()
        analytics.logEvent("kept", parameters: nil)
        await #expect { try await analytics.sendPendingEvents() } throws: { ($0 as? EventsError)?.code == .refused }
        device.server.recover()
        try await analytics.sendPendingEvents()
        #expect(device.server.names == ["kept"])
    }

    @Test("A success of another host does not count", arguments: ["<html>", "{}", #"{"accepted":0}"#])
    func strangeSuccess(body: String) async throws {
        device.server.answer(status: 200, body: body)
        let analytics = device.analytics()
        analytics.logEvent("kept", parameters: nil)
        await #expect(throws: EventsError.self) { try await analytics.sendPendingEvents() }
        device.server.recover()
        try await analytics.sendPendingEvents()
        #expect(device.server.names == ["kept"])
    }

    @Test("A token that the server forgot is renewed once")
    func renewal() async throws {
        device.server.answer { request in
            request.header("x-goog-firebase-installations-auth") == "auth-1" ? .json("{}", status: 401) : nil
        }
        let analytics = device.analytics()
        analytics.logEvent("e", parameters: nil)
        try await analytics.sendPendingEvents()
        #expect(device.server.names == ["e"])
        #expect(device.server.requests.count == 2)
    }

    @Test("A lost answer: events that are sent again count once")
    func lostAnswer() async throws {
        let server = device.server
        server.answer { [unowned server] request throws(TransportError) in
            if let batch = request.batch { server.count(batch) }
            throw TransportError(.timedOut, "no answer")
        }
        let analytics = device.analytics()
        analytics.logEvent("once", parameters: nil)
        await #expect(throws: EventsError.self) { try await analytics.sendPendingEvents() }
        server.recover()
        let again = await device.restarted(analytics)
        try await again.sendPendingEvents()
        #expect(server.names == ["once"])
        #expect(server.batches.count == 2)
    }

    @Test("The next process sends what an earlier one left, under the old journal's name")
    func restart() async throws {
        var analytics = device.analytics()
        analytics.logEvent("left", parameters: nil)
        await device.stop(analytics)
        analytics = device.analytics()
        await device.wait(analytics)
        #expect(device.server.names == ["left"])
        analytics.logEvent("new", parameters: nil)
        await device.wait(analytics)
        #expect(device.server.names == ["left", "new"])
        #expect(device.server.batches.map(\.items.first?.sequence) == [1, 1])
        #expect(Set(device.server.batches.map(\.journal)).count == 2)
    }

    @Test("A folder that comes back from a backup: the old items count once, the new ones count")
    func backup() async throws {
        device.server.goOffline()
        var analytics = device.analytics()
        analytics.logEvent("old", parameters: nil)
        await analytics.settled()
        let folder = JournalFolder(app: analytics.app)
        let name = try #require(try folder.names().first)
        let bytes = try Data(contentsOf: URL(fileURLWithPath: folder.path(name)))
        device.server.recover()
        try await analytics.sendPendingEvents()
        await device.stop(analytics)
        try bytes.write(to: URL(fileURLWithPath: folder.path(name)))
        analytics = device.analytics()
        analytics.logEvent("new", parameters: nil)
        try await analytics.sendPendingEvents()
        #expect(device.server.names == ["old", "new"])
    }

    @Test("Many batches: each at most 500 items, in order")
    func batches() async throws {
        device.server.goOffline()
        let analytics = device.analytics()
        for count in 0..<1201 { analytics.logEvent("e\(count)", parameters: nil) }
        await analytics.settled()
        device.server.recover()
        try await analytics.sendPendingEvents()
        #expect(device.server.batches.map(\.items.count) == [500, 500, 201])
        #expect(device.server.names == (0..<1201).map { "e\($0)" })
    }

    @Test("Two processes share a folder: each has a journal, and one sends at a time")
    func twoProcesses() async throws {
        let one = device.analytics()
        var other = Journal(JournalFolder(app: one.app), now: device.clock.now())
        let id = try #require(one.appInstanceID())
        let entry = Journal.Entry(time: device.clock.now(), content: .event(.init(name: "other")))
        _ = try other.append([entry], of: id)
        one.logEvent("own", parameters: nil)
        try await one.sendPendingEvents()
        #expect(device.server.names == ["own"], "a segment that another process writes is not sent")
        other.seal()
        try await one.sendPendingEvents()
        #expect(device.server.names == ["own", "other"], "a segment that it left is sent")
    }

    @Test("While another process sends, this one waits")
    func busy() async throws {
        let analytics = device.analytics()
        analytics.logEvent("e", parameters: nil)
        await analytics.settled()
        var lock: FileLock? = try FileLock.acquire(JournalFolder(app: analytics.app).lockPath)
        await #expect { try await analytics.sendPendingEvents() } throws: { ($0 as? EventsError)?.code == .busy }
        withExtendedLifetime(lock) {}
        lock = nil
        try await analytics.sendPendingEvents()
        #expect(device.server.names == ["e"])
    }

    @Test("Events of an installation that was deleted are not sent for another one")
    func anotherInstallation() async throws {
        device.server.goOffline()
        let analytics = device.analytics()
        analytics.logEvent("first", parameters: nil)
        await #expect(throws: EventsError.self) { try await analytics.sendPendingEvents() }
        device.server.recover()
        try await Installations.installations(app: analytics.app).delete()
        analytics.logEvent("second", parameters: nil)
        try await analytics.sendPendingEvents()
        #expect(device.server.names == ["second"])
    }

    @Test("Options without a server: no attempt is made, and an explicit call says why")
    func notConfigured() async throws {
        let options = TestDevice.options()
        options.serverURL = nil
        let analytics = Analytics.analytics(app: device.start(options))
        analytics.logEvent("e", parameters: nil)
        await device.wait(analytics)
        #expect(device.server.requests.isEmpty)
        await #expect(throws: EventsError.self) { try await analytics.sendPendingEvents() }
        await device.stop(analytics)
        try await device.analytics().sendPendingEvents()
        #expect(device.server.names == ["e"])
    }

    @Test("A deleted app sends nothing")
    func deleted() async throws {
        let analytics = device.analytics()
        analytics.logEvent("e", parameters: nil)
        await device.stop(analytics)
        await device.wait(analytics)
        #expect(device.server.requests.isEmpty)
        await #expect { try await analytics.sendPendingEvents() } throws: { ($0 as? EventsError)?.code == .appDeleted }
    }
}
