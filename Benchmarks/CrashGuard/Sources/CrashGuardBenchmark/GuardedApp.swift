import BenchmarkParts
import CMarkLoop
import Dispatch
import Foundation
import Hearth
import HearthDeliveryTesting
import HearthModelInterpreter
import TensorFlowLite

/// An app that has downloaded a model, and runs it in all the ways that are compared.
struct GuardedApp {
    private static let modelName = "model"
    /// So many results end the trial of a version.
    private static let trialRuns = 100

    private let device: TestDevice
    private let model: CustomModel
    private let reportingDevice: TestDevice
    private let reportedModel: CustomModel
    private let interpreter: Interpreter
    private let local: ModelRuns
    private let remote: ModelRuns

    init(modelPath: String) throws {
        let bytes = try Data(contentsOf: URL(fileURLWithPath: modelPath))
        device = try TestDevice(isDefaultApp: true)
        model = try Self.install(bytes, device)
        reportingDevice = try TestDevice()
        Analytics.analytics(app: reportingDevice.app).setModelReportingEnabled(true)
        reportedModel = try Self.install(bytes, reportingDevice)
        interpreter = try Interpreter(modelPath: modelPath)
        try interpreter.allocateTensors()
        local = try ModelRuns(
            .modelInterpreter(localModel: CustomLocalModel(modelPath: modelPath)), like: interpreter)
        remote = try ModelRuns(
            .modelInterpreter(remoteModel: CustomRemoteModel(name: Self.modelName)), like: interpreter)
        // The first version that this process guards is that of the marks.
        try self.do(.use, threads: 1, Self.trialRuns)
        try self.do(.reportedUse, threads: 1, Self.trialRuns)
    }

    private static func install(_ bytes: Data, _ device: TestDevice) throws -> CustomModel {
        device.host.publish(bytes, as: modelName)
        let isAnswered = DispatchSemaphore(value: 0)
        device.downloader.getModel(
            name: modelName, downloadType: .latestModel, conditions: ModelDownloadConditions()
        ) { _ in isAnswered.signal() }
        isAnswered.wait()
        guard let model = try device.downloader.installedModel(name: modelName) else {
            throw BenchmarkError("the model cannot be installed")
        }
        return model
    }

    /// Does the work `count` times on each of so many threads.
    func `do`(_ work: Work, threads: Int, _ count: Int) throws {
        guard threads > 1 else { return try self.do(work, count) }
        guard work == .mark || work == .use else { throw BenchmarkError("\(work) runs on one thread") }
        let (downloader, model) = (device.downloader, model)
        DispatchQueue.concurrentPerform(iterations: threads) { _ in
            if work == .mark { mark_loop_run(count) } else { Self.use(model, downloader, count) }
        }
    }

    private func `do`(_ work: Work, _ count: Int) throws {
        let downloader = device.downloader
        switch work {
        case .mark: mark_loop_run(count)
        case .use: Self.use(model, downloader, count)
        case .failedUse: for _ in 0..<count { downloader.beginUse(of: model, .running).fail() }
        case .reportedUse: Self.use(reportedModel, reportingDevice.downloader, count)
        case .run: for _ in 0..<count { try interpreter.invoke() }
        case .runInUse:
            for _ in 0..<count {
                let use = downloader.beginUse(of: model, .running)
                try interpreter.invoke()
                use.succeed()
            }
        case .localModel: try local.do(count)
        case .remoteModel: try remote.do(count)
        }
    }

    private static func use(_ model: CustomModel, _ downloader: ModelDownloader, _ count: Int) {
        for _ in 0..<count { downloader.beginUse(of: model, .running).succeed() }
    }
}
