import HearthDeliveryTesting
import HearthWire
import Testing

@testable import HearthEvents

@Suite("The health of models' versions")
struct HealthCounterTests {
    private static let hash = String(repeating: "ab", count: 32)

    @Test("Changes of one version become one report, with a histogram of its times")
    func report() throws {
        var counts = HealthCounter()
        let key = HealthCounter.Key(model: "flowers", hash: Self.hash)
        let changes: [HealthChange] = [
            .installed, .loaded(milliseconds: 3), .ran(milliseconds: 1), .ran(milliseconds: 1),
            .ran(milliseconds: 1000),
            .runFailed, .loadFailed(code: "notAModel"), .loadFailed(code: "notAModel"), .crashed(code: "SIGSEGV"),
            .rejected,
        ]
        for change in changes { counts.add(change, to: key) }
        counts.add(.ran(milliseconds: 1), to: HealthCounter.Key(model: "no/name", hash: Self.hash))
        let reports = counts.take()
        #expect(reports.count == 1)
        let report = try #require(reports.first)
        #expect(report.model == "flowers" && report.modelHash == Self.hash)
        #expect(report.installed == 1 && report.rejected == 1 && report.loads == 1)
        #expect(report.runs == 3 && report.failedRuns == 1)
        #expect(report.loadFailures == ["notAModel": 2] && report.crashes == ["SIGSEGV": 1])
        #expect(report.loadTimes?.count == 1)
        #expect(report.runTimes == TimeHistogram([79: 2, 159: 1]))
        #expect(counts.take().isEmpty)
    }

    @Test("Codes that the server would refuse, and too many of them, are counted as others")
    func codes() {
        var counts = HealthCounter()
        let key = HealthCounter.Key(model: "flowers", hash: Self.hash)
        counts.add(.loadFailed(code: "no code"), to: key)
        for code in 0..<30 { counts.add(.loadFailed(code: "c\(code)"), to: key) }
        let failures = counts.take().first?.loadFailures
        #expect((1...ModelHealth.codeLimit).contains(failures?.count ?? 0))
        #expect(failures?.values.reduce(0, +) == 31)
    }

    @Test("Times outside of the classes belong to the first or the last one")
    func classes() {
        #expect(HealthCounter.timeClass(milliseconds: 0) == 0)
        #expect(HealthCounter.timeClass(milliseconds: -1) == 0)
        #expect(HealthCounter.timeClass(milliseconds: .nan) == 0)
        #expect(HealthCounter.timeClass(milliseconds: 0.5) == 71)
        #expect(HealthCounter.timeClass(milliseconds: .infinity) == 255)
    }

    @Test("It is sent only if the app allows it, once a minute, with the means that experiments use")
    func permission() async throws {
        let device = try TestDevice()
        let analytics = device.analytics()
        let reports = ModelReports.reports(of: analytics.app)
        reports.count(.ran(milliseconds: 1), "flowers", hash: Self.hash)
        analytics.setModelReportingEnabled(true)
        for _ in 0..<2 {
            for _ in 0..<100 { reports.count(.ran(milliseconds: 1), "flowers", hash: Self.hash) }
            reports.recordInference("flowers", milliseconds: 1)
            await device.wait(analytics, seconds: ModelReports.periodSeconds)
        }
        reports.count(.ran(milliseconds: 1), "flowers", hash: Self.hash)
        analytics.setModelReportingEnabled(false)
        try await analytics.sendPendingEvents()
        #expect(device.server.counted.compactMap(\.health?.runs) == [100, 100])
        #expect(device.server.names == ["model_inference_ms", "model_inference_ms"])
    }
}
