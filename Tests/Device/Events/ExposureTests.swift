import Foundation
import HearthApp
import HearthFiles
import HearthTestSupport
import HearthWire
import Testing

@testable import HearthEvents

@Suite("Reporting exposures")
struct ExposureTests {
    private let device: TestDevice

    init() throws { device = try TestDevice() }

    private static func exposure(
        _ experiment: String = "colours", _ variant: String = "red", source: String = "config", state: String = "1"
    ) -> Exposure {
        Exposure(experiment: experiment, variant: variant, source: source, state: state)
    }

    @Test("Reported once, also after a restart")
    func once() async throws {
        var analytics = device.analytics()
        for _ in 0..<3 { analytics.log.report(Self.exposure()) }
        try await analytics.sendPendingEvents()
        analytics = await device.restarted(analytics)
        analytics.log.report(Self.exposure())
        try await analytics.sendPendingEvents()
        #expect(device.server.exposures == [EventBodies.Exposure(experiment: "colours", variant: "red")])
    }

    @Test("Reported again for another variant, another state and another source")
    func again() async throws {
        let analytics = device.analytics()
        // Gives the device its installation: a new one is a new unit, for which everything is reported again.
        analytics.logEvent("first", parameters: nil)
        try await analytics.sendPendingEvents()
        let all = [
            Self.exposure(), Self.exposure("colours", "blue"), Self.exposure("colours", "blue", state: "2"),
            Self.exposure("sizes"), Self.exposure("colours", "blue", source: "model"),
        ]
        for exposure in all + all { analytics.log.report(exposure) }
        try await analytics.sendPendingEvents()
        #expect(device.server.exposures.map(\.variant) == all.map(\.variant))
    }

    @Test("Items are in order: an event after an exposure has a higher number")
    func order() async throws {
        let analytics = device.analytics()
        for count in 0..<100 {
            analytics.log.report(Self.exposure("e\(count)"))
            analytics.logEvent("bought", parameters: nil)
        }
        try await analytics.sendPendingEvents()
        #expect(device.server.counted.map { $0.exposure != nil } == (0..<200).map { $0 % 2 == 0 })
    }

    @Test("An exposure without any event arrives within seconds")
    func alone() async {
        let app = device.start()
        EventLog.log(of: app).report(Self.exposure())
        await device.wait(Analytics.analytics(app: app))
        #expect(device.server.exposures.count == 1)
    }

    @Test("Exposures are not reported while events are not collected; afterwards they are")
    func notCollected() async throws {
        let analytics = device.analytics()
        analytics.setAnalyticsCollectionEnabled(false)
        analytics.log.report(Self.exposure())
        try await analytics.sendPendingEvents()
        #expect(device.server.requests.isEmpty)
        analytics.setAnalyticsCollectionEnabled(true)
        analytics.log.report(Self.exposure())
        try await analytics.sendPendingEvents()
        #expect(device.server.exposures.count == 1)
    }

    @Test("Exposures that were deleted before they were sent are reported again")
    func afterReset() async throws {
        let analytics = device.analytics()
        analytics.log.report(Self.exposure())
        analytics.resetAnalyticsData()
        analytics.log.report(Self.exposure())
        try await analytics.sendPendingEvents()
        #expect(device.server.exposures.count == 1)
    }

    @Test("Exposures that the server refused are reported again, even by the same process", arguments: [true, false])
    func refused(afterARestart: Bool) async throws {
        device.server.answer(
            status: 400, body: #"{"error":{"code":400,"message":"bad","status":"INVALID_ARGUMENT"}}"#)
        var analytics = device.analytics()
        analytics.log.report(Self.exposure())
        try await analytics.sendPendingEvents()
        #expect(try device.segments(analytics.app).isEmpty)
        device.server.recover()
        if afterARestart { analytics = await device.restarted(analytics) }
        analytics.log.report(Self.exposure())
        try await analytics.sendPendingEvents()
        #expect(device.server.exposures.count == 1)
    }

    @Test("Exposures in a damaged file are reported again")
    func damagedSegment() async throws {
        device.server.goOffline()
        var analytics = device.analytics()
        analytics.log.report(Self.exposure())
        await device.stop(analytics)
        let name = try #require(try device.segments(analytics.app).first)
        try Data("oops\n".utf8).write(to: URL(fileURLWithPath: JournalFolder(app: analytics.app).path(name)))
        device.server.recover()
        analytics = device.analytics()
        try await analytics.sendPendingEvents()
        #expect(device.server.requests.isEmpty)
        analytics.log.report(Self.exposure())
        try await analytics.sendPendingEvents()
        #expect(device.server.exposures.count == 1)
    }

    @Test("Exposures that were removed for newer events are reported again")
    func overflow() async throws {
        device.server.goOffline()
        let analytics = device.analytics()
        analytics.log.report(Self.exposure())
        let name = String(repeating: "e", count: WireNames.eventNameLimit)
        for _ in 0..<5 {
            for _ in 0..<5000 { analytics.logEvent(name, parameters: [AnalyticsParameterValue: 1]) }
            await analytics.settled()
        }
        device.server.recover()
        try await analytics.sendPendingEvents()
        #expect(device.server.exposures.isEmpty)
        analytics.log.report(Self.exposure())
        try await analytics.sendPendingEvents()
        #expect(device.server.exposures.count == 1)
    }

    @Test("Exposures that could not be written are reported again")
    func failedWrite() async throws {
        let analytics = device.analytics()
        _ = try await Installations.installations(app: analytics.app).installationID()
        await analytics.settled()
        // A file in the place of the folder.
        let path = JournalFolder(app: analytics.app).path
        try? FileManager.default.removeItem(atPath: path)
        try Data().write(to: URL(fileURLWithPath: path))
        analytics.log.report(Self.exposure())
        await analytics.settled()
        try FileManager.default.removeItem(atPath: path)
        analytics.log.report(Self.exposure())
        try await analytics.sendPendingEvents()
        #expect(device.server.exposures.count == 1)
    }

    @Test("Exposures that were erased with all collected data are reported again")
    func appsFlag() async throws {
        let analytics = device.analytics()
        analytics.log.report(Self.exposure())
        await analytics.settled()
        analytics.app.isDataCollectionDefaultEnabled = false
        analytics.app.isDataCollectionDefaultEnabled = true
        analytics.log.report(Self.exposure())
        try await analytics.sendPendingEvents()
        #expect(device.server.exposures.count == 1)
    }

    @Test("Another installation is another unit", arguments: [true, false])
    func anotherInstallation(afterARestart: Bool) async throws {
        var analytics = device.analytics()
        analytics.log.report(Self.exposure())
        try await analytics.sendPendingEvents()
        try await Installations.installations(app: analytics.app).delete()
        if afterARestart { analytics = await device.restarted(analytics) }
        analytics.log.report(Self.exposure())
        try await analytics.sendPendingEvents()
        #expect(device.server.exposures.count == 2)
    }

    @Test("A damaged record of exposures counts as missing", arguments: ["", "{", "[]", #"{"installation":1}"#])
    func damagedMarks(text: String) async throws {
        var analytics = device.analytics()
        analytics.log.report(Self.exposure())
        try await analytics.sendPendingEvents()
        await device.stop(analytics)
        let path = JournalFolder(app: analytics.app).path + "/" + ReportedExposures.fileName
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        analytics = device.analytics()
        analytics.log.report(Self.exposure())
        try await analytics.sendPendingEvents()
        #expect(device.server.exposures.count == 2)
    }

    @Test(
        "Invalid names of experiments are left out",
        arguments: ["", "a b", "a/b", "é", String(repeating: "x", count: 33)])
    func strangeNames(name: String) async throws {
        let analytics = device.analytics()
        analytics.log.report(Self.exposure(name))
        analytics.log.report(Self.exposure("e", name))
        try await analytics.sendPendingEvents()
        #expect(device.server.requests.isEmpty)
    }

    @Test("The record stays small: with too many experiments the oldest is reported again")
    func manyExperiments() {
        var marks = ReportedExposures(installation: "i")
        for count in 0...ReportedExposures.limit { marks = marks.adding(Self.exposure("e\(count)")) }
        #expect(marks.exposures.count == ReportedExposures.limit)
        #expect(!marks.contains(Self.exposure("e0")) && marks.contains(Self.exposure("e1")))
    }

    @Test("After a power loss at any moment an exposure is kept, or reported again")
    func powerLoss() async throws {
        let recording = RecordingFiles(root: device.folder.path)
        device.server.goOffline()
        let analytics = Analytics.analytics(app: device.start(files: recording))
        let id = try await Installations.installations(app: analytics.app).installationID()
        await analytics.settled()
        analytics.log.report(Self.exposure())
        await device.stop(analytics)
        let count = try CrashReplay(recording).forEachState { state in
            let name = FilePath.name(of: analytics.app.folder)
            let folder = JournalFolder(path: "\(state.folder)/\(name)/events", files: DiskFiles())
            guard ReportedExposures.load(folder, of: id).contains(Self.exposure()) else { return }
            let kept = try folder.sealed().flatMap { try folder.read($0)?.items ?? [] }
            #expect(kept.contains { $0.exposure != nil }, "\(state)")
        }
        #expect(count > 5)
    }
}
