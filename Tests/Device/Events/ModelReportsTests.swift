import HearthDeliveryTesting
import HearthWire
import Testing

@testable import HearthEvents

@Suite("Reporting measurements of models")
struct ModelReportsTests {
    private let device: TestDevice

    init() throws { device = try TestDevice() }

    private func measure(_ analytics: Analytics) {
        let reports = ModelReports.reports(of: analytics.app)
        reports.recordLoadFailure("broken")
        reports.recordInference("flowers", milliseconds: 10)
        reports.recordConfidence("flowers", confidence: 0.5)
    }

    @Test("Only if the app allows it, which also applies after a restart")
    func permission() async throws {
        var analytics = device.analytics()
        measure(analytics)
        try await analytics.sendPendingEvents()
        #expect(device.server.requests.isEmpty)
        analytics.setModelReportingEnabled(true)
        analytics = await device.restarted(analytics)
        measure(analytics)
        try await analytics.sendPendingEvents()
        #expect(
            device.server.counted.compactMap(\.event) == [
                EventBodies.Event(name: "model_load_failure", model: "broken"),
                EventBodies.Event(name: "model_confidence", value: 0.5, model: "flowers"),
                EventBodies.Event(name: "model_inference_ms", value: 10, model: "flowers"),
            ])
    }

    @Test("A camera's images become one event for each model and minute, with the mean")
    func means() async throws {
        let analytics = device.analytics()
        analytics.setModelReportingEnabled(true)
        let reports = ModelReports.reports(of: analytics.app)
        for minute in 0..<2 {
            for image in 0..<1800 {
                reports.recordInference("flowers", milliseconds: Double(10 * minute) + Double(image % 2))
                reports.recordInference("birds", milliseconds: 7)
            }
            await device.wait(analytics, seconds: ModelReports.periodSeconds)
        }
        try await analytics.sendPendingEvents()
        let events = device.server.counted.compactMap(\.event)
        #expect(events.filter { $0.model == "flowers" }.map(\.value) == [0.5, 10.5])
        #expect(events.filter { $0.model == "birds" }.map(\.value) == [7, 7])
    }

    @Test("Disabling deletes the measurements")
    func switchedOff() async throws {
        let analytics = device.analytics()
        analytics.setModelReportingEnabled(true)
        measure(analytics)
        analytics.setModelReportingEnabled(false)
        analytics.setModelReportingEnabled(true)
        try await analytics.sendPendingEvents()
        #expect(device.server.names == ["model_load_failure"])
    }

    @Test("Invalid numbers, and models above the limit, are left out")
    func limits() {
        var values = MeanValues()
        values.add(.nan, to: .init(event: "e", model: "m"))
        values.add(.infinity, to: .init(event: "e", model: "m"))
        #expect(values.isEmpty)
        for count in 0..<1000 { values.add(1, to: .init(event: "e", model: "m\(count)")) }
        #expect(values.take().count == MeanValues.limit)
        #expect(values.isEmpty)
    }
}
