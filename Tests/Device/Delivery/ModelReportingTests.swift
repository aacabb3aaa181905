import Foundation
import HearthApp
import HearthDeliveryTesting
import HearthFiles
import HearthModelInterpreter
import HearthModelSource
import HearthTestSupport
import HearthVision
import HearthWire
import Testing

@testable import HearthDelivery
@testable import HearthEvents

/// The reports to the server about remote models. Each test runs in a separate process, because each needs the default
/// app.
@Suite("Reports of remote models", .limitedTime)
struct ModelReportingTests {
    @Test("Runs, confidence and a model that does not load, once the app allows it")
    func allowed() async {
        await #expect(processExitsWith: .success) {
            let device = try TestDevice(isDefaultApp: true)
            try device.host.publish(contentsOfFile: ReportedModelFile.path, as: "colors")
            _ = try await device.get("colors")
            let labeler = ReportedModelFile.labeler("colors")
            #expect(try labeler.results(in: ReportedModelFile.pixel).count == 3)
            try await Analytics.sendPendingEvents()
            #expect(device.host.eventItems.isEmpty, "disabled at first")

            Analytics.setModelReportingEnabled(true)
            let best = try #require(try labeler.results(in: ReportedModelFile.pixel).first?.confidence)
            _ = try labeler.results(in: ReportedModelFile.pixel)
            try await Analytics.sendPendingEvents()
            let events = device.host.eventItems.compactMap(\.event)
            #expect(events.map(\.name).sorted() == ["model_confidence", "model_inference_ms"])
            #expect(events.allSatisfy { $0.model == "colors" })
            #expect(events.first { $0.name == ModelEvents.confidence }?.value == Double(best))
            #expect(try #require(events.first { $0.name == ModelEvents.inferenceMilliseconds }?.value) > 0)

            device.host.publish(Data("no model".utf8), as: "colors")
            _ = try await device.get("colors")
            _ = try labeler.results(in: ReportedModelFile.pixel)
            try await Analytics.sendPendingEvents()
            let failures = device.host.eventItems.compactMap(\.event).filter { $0.name == ModelEvents.loadFailure }
            #expect(failures == [EventBodies.Event(name: "model_load_failure", model: "colors")])
        }
    }

    @Test("The health of each version: install, load, runs, and the rejection of one that does not load")
    func health() async {
        await #expect(processExitsWith: .success) {
            let device = try TestDevice(isDefaultApp: true)
            Analytics.setModelReportingEnabled(true)
            try device.host.publish(contentsOfFile: ReportedModelFile.path, as: "colors")
            let good = try await device.get("colors")
            let labeler = ReportedModelFile.labeler("colors")
            for _ in 0..<3 { _ = try labeler.results(in: ReportedModelFile.pixel) }
            device.host.publish(Data("no model".utf8), as: "colors")
            let broken = try await device.get("colors")
            _ = try labeler.results(in: ReportedModelFile.pixel)
            // Runs of another engine.
            device.downloader.beginUse(of: good, .loading).succeed()
            device.downloader.beginUse(of: good, .loading).fail(code: "mine")
            let use = device.downloader.beginUse(of: good, .running)
            use.fail()
            use.succeed()
            try await Analytics.sendPendingEvents()
            let reports = device.host.eventItems.compactMap(\.health)
            let first = try #require(reports.first { $0.modelHash == good.hash })
            #expect(first.model == "colors" && first.installed == 1 && first.rejected == nil)
            #expect(first.loads == 2 && first.loadTimes?.count == 2 && first.loadFailures == ["mine": 1])
            #expect(first.runs == 4 && first.runTimes?.count == 4 && first.failedRuns == 1)
            let second = try #require(reports.first { $0.modelHash == broken.hash })
            #expect(second.installed == 1 && second.rejected == 1 && second.runs == nil)
            #expect(second.loadFailures == ["notAModel": 1])
        }
    }

    @Test("A use counts for the app whose downloader begins it, also if another app used the same model before")
    func twoApps() async throws {
        let host = ModelHost()
        host.publish(Data("a model".utf8), as: "colors")
        let devices = try (0..<2).map { _ in try TestDevice(host: host) }
        let model = try await devices[0].get("colors")
        for device in devices { Analytics.analytics(app: device.app).setModelReportingEnabled(true) }
        for count in [1, 2, 0] {
            for _ in 0..<count { devices[0].downloader.beginUse(of: model, .running).succeed() }
            for _ in 0..<count * 10 { devices[1].downloader.beginUse(of: model, .running).succeed() }
        }
        for (device, runs) in zip(devices, [Int64(3), 30]) {
            try await Analytics.analytics(app: device.app).sendPendingEvents()
            let sent = host.eventItems.compactMap(\.health).compactMap(\.runs)
            #expect(sent.last == runs, "\(sent)")
        }
    }

    @Test("The end of an earlier process is told at once, since this process may end in the same way")
    func earlierEnd() async throws {
        let device = try TestDevice(name: "ended-before")
        device.host.publish(Sample.v1, as: "digits")
        let model = try await device.get()
        Analytics.analytics(app: device.app).setModelReportingEnabled(true)
        let use = device.downloader.beginUse(of: model, .running)
        let name = try #require(DiskFiles().list(device.path("trials")).first { $0.hasSuffix(".mark") })
        // What a process leaves that ends in a run: the same, but nobody holds its lock.
        let bytes = try DiskFiles().read(device.path("trials/\(name)"), limitBytes: 1 << 16)
        try Data(bytes).write(to: URL(fileURLWithPath: device.path("trials/\(model.hash).0.mark")))
        use.succeed()

        let next = try TestDevice(host: device.host, name: "ended-before", sharingStoreOf: device)
        _ = try await next.get()
        // Without `Analytics.sendPendingEvents`, which would also report what was only counted.
        try await withCheckedThrowingContinuation { continuation in
            EventLog.log(of: next.app).send { continuation.resume(with: $0) }
        }
        let health = next.host.eventItems.compactMap(\.health).filter { $0.crashes != nil }
        #expect(health.map(\.crashes) == [["died": 1]])
    }

    @Test("The confidence is that of the best label, even if its threshold excludes all")
    func confidenceBelowThreshold() async {
        await #expect(processExitsWith: .success) {
            let device = try TestDevice(isDefaultApp: true)
            Analytics.setModelReportingEnabled(true)
            try device.host.publish(contentsOfFile: ReportedModelFile.path, as: "colors")
            _ = try await device.get("colors")
            let labeler = ReportedModelFile.labeler("colors", threshold: 1)
            #expect(try labeler.results(in: ReportedModelFile.pixel).isEmpty)
            try await Analytics.sendPendingEvents()
            let event = device.host.eventItems.compactMap(\.event).first { $0.name == ModelEvents.confidence }
            let value = try #require(event?.value)
            #expect(value > 0 && value < 1)
        }
    }

    @Test("A labeler's look-up is the use of an experiment's model")
    func exposure() async {
        await #expect(processExitsWith: .success) {
            let device = try TestDevice(isDefaultApp: true)
            device.host.on(.info) { _, answer in
                answer.setHeader("X-Hearth-Experiment", "colours/more/2026-01-01T00:00:00Z")
            }
            try device.host.publish(contentsOfFile: ReportedModelFile.path, as: "colors")
            let observer = ManagerObserver("colors", on: device)
            ModelManager.modelManager().download(CustomRemoteModel(name: "colors"))
            _ = await observer.next(2)
            try await Analytics.sendPendingEvents()
            #expect(device.host.eventItems.isEmpty)
            let labeler = ReportedModelFile.labeler("colors")
            for _ in 0..<3 { _ = try labeler.results(in: ReportedModelFile.pixel) }
            try await Analytics.sendPendingEvents()
            #expect(
                device.host.eventItems.compactMap(\.exposure) == [
                    EventBodies.Exposure(experiment: "colours", variant: "more", start: "2026-01-01T00:00:00Z")
                ])
        }
    }

    @Test("Runs of the interpreter are reported, unless its own switch disables that")
    func interpreter() async {
        await #expect(processExitsWith: .success) {
            let device = try TestDevice(isDefaultApp: true)
            Analytics.setModelReportingEnabled(true)
            try device.host.publish(contentsOfFile: ReportedModelFile.adder, as: "adder")
            _ = try await device.get("adder")
            let interpreter = ModelInterpreter.modelInterpreter(remoteModel: CustomRemoteModel(name: "adder"))
            for isAllowed in [false, true] {
                interpreter.isStatsCollectionEnabled = isAllowed
                try await ReportedModelFile.run(interpreter)
                try await Analytics.sendPendingEvents()
                #expect(device.host.eventItems.compactMap(\.event?.name) == (isAllowed ? ["model_inference_ms"] : []))
            }
        }
    }
}

private enum ReportedModelFile {
    static let path = fixture("labelers/uint8.tflite")
    /// Two numbers in, one out.
    static let adder = fixture("model_interpreter/scalar.tflite")
    static var pixel: VisionImage { VisionImage(contentsOfFile: fixture("labelers/pixel.png")) }

    static func labeler(_ name: String, threshold: NSNumber? = nil) -> ImageLabeler {
        let options = CustomImageLabelerOptions(remoteModel: CustomRemoteModel(name: name))
        options.confidenceThreshold = threshold
        return ImageLabeler.imageLabeler(options: options)
    }

    static func run(_ interpreter: ModelInterpreter) async throws {
        let inputs = ModelInputs()
        let options = ModelInputOutputOptions()
        for index: UInt in 0...1 {
            try inputs.addInput([NSNumber(value: 1)])
            try options.setInputFormat(index: index, type: .float32, dimensions: [1])
        }
        try options.setOutputFormat(index: 0, type: .float32, dimensions: [1])
        try await interpreter.run(inputs: inputs, options: options)
    }

    private static func fixture(_ name: String) -> String { TestPaths.fixtures.appendingPathComponent(name).path }
}
