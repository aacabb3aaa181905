import Foundation
import HearthApp
import HearthDeliveryTesting
import HearthFiles
import HearthModelInterpreter
import HearthModelSource
import HearthTestSupport
import HearthVision
import Testing

@testable import HearthDelivery

/// Remote models from the server to the result. Each test runs in a separate process, because each needs the default
/// app, and each finds the downloader of remote models itself, as a program does that never uses `ModelManager`.
@Suite("Remote models in use", .limitedTime)
struct RemoteModelUseTests {
    @Test("A labeler downloads its model automatically, follows updates, and survives a broken one")
    func labeler() async {
        await #expect(processExitsWith: .success) {
            let device = try TestDevice(isDefaultApp: true)
            let observer = ManagerObserver("colors", on: device)
            try device.host.publish(contentsOfFile: Model.threeLabels, as: "colors")

            let labeler = Model.labeler("colors")
            let error = #expect(throws: NSError.self) { try labeler.results(in: Model.pixel) }
            #expect(error?.localizedDescription.contains("it is being downloaded") == true)
            #expect(await observer.next(2).map(\.error) == [nil, nil])
            #expect(try labeler.results(in: Model.pixel).count == 3)
            #expect(device.host.requestCount(.file) == 1, "asking with each image is one download")

            try device.host.publish(contentsOfFile: Model.twoLabels, as: "colors")
            ModelManager.modelManager().download(CustomRemoteModel(name: "colors"))
            _ = await observer.next(2)
            #expect(try labeler.results(in: Model.pixel).count == 2)

            device.host.publish(Data("no model".utf8), as: "colors")
            ModelManager.modelManager().download(CustomRemoteModel(name: "colors"))
            _ = await observer.next(2)
            #expect(try labeler.results(in: Model.pixel).count == 2)
            #expect(try labeler.results(in: Model.pixel).count == 2)
        }
    }

    @Test("A model that does not load is rejected for all users, and the version before it is used")
    func reject() async {
        await #expect(processExitsWith: .success) {
            let device = try TestDevice(isDefaultApp: true)
            try device.host.publish(contentsOfFile: Model.threeLabels, as: "colors")
            let good = try await device.get("colors")
            device.host.publish(Data("no model".utf8), as: "colors")
            let broken = try await device.get("colors")
            #expect(good != broken)

            #expect(try Model.labeler("colors").results(in: Model.pixel).count == 3)
            #expect(try await device.get("colors", .localModel) == good)
            let interpreter = ModelInterpreter.modelInterpreter(remoteModel: CustomRemoteModel(name: "colors"))
            await #expect(throws: NSError.self) { try await interpreter.inputIndex(opName: "nothing") }
            #expect(ModelManager.modelManager().isModelDownloaded(CustomRemoteModel(name: "colors")))
        }
    }

    @Test("When the only copy does not load, this error and later ones say why")
    func onlyCopyBroken() async {
        await #expect(processExitsWith: .success) {
            let device = try TestDevice(isDefaultApp: true)
            device.host.publish(Data("no model".utf8), as: "colors")
            _ = try await device.get("colors")
            let labeler = Model.labeler("colors")
            for _ in 0..<2 {
                let error = #expect(throws: NSError.self) { try labeler.results(in: Model.pixel) }
                #expect(error?.code == 9)
            }
            withExtendedLifetime(device) {}
        }
    }

    @Test("An interpreter downloads its model, and keeps the file that it has opened")
    func interpreter() async {
        await #expect(processExitsWith: .success) {
            let device = try TestDevice(isDefaultApp: true)
            let observer = ManagerObserver("colors", on: device)
            try device.host.publish(contentsOfFile: Model.threeLabels, as: "colors")
            let model = CustomRemoteModel(name: "colors")

            let first = ModelInterpreter.modelInterpreter(remoteModel: model)
            let error = await Model.error(of: first)
            #expect(
                error?.localizedDescription == """
                    Failed to load the custom model as no models currently exist on the device for the given model \
                    options: remoteModelName: colors, localModelName: (null). However, a request has been made to \
                    download the remote model.
                    """)
            _ = await observer.next(2)
            #expect(await Model.error(of: first)?.localizedDescription.contains("no input called 'nothing'") == true)
            #expect(ModelManager.modelManager().isModelDownloaded(model))
        }
    }

    @Test("After a failed download, images start no request for some time")
    func pause() async {
        await #expect(processExitsWith: .success) {
            let device = try TestDevice(isDefaultApp: true)
            let observer = ManagerObserver("colors", on: device)
            let labeler = Model.labeler("colors")
            #expect(await observer.next(2).allSatisfy { $0.error != nil })
            let count = device.host.requestCount(.info)
            for _ in 0..<10 { _ = try? labeler.results(in: Model.pixel) }
            #expect(device.host.requestCount(.info) == count)

            try device.host.publish(contentsOfFile: Model.threeLabels, as: "colors")
            let error = #expect(throws: NSError.self) { try labeler.results(in: Model.pixel) }
            #expect(error?.localizedDescription.contains("and the last download failed; it is retried later. ") == true)
            #expect(error?.localizedDescription.contains("being downloaded") == false)
            device.clock.advance(bySeconds: 1.1 * AutomaticDownloads.longestDelaySeconds)
            _ = try? labeler.results(in: Model.pixel)
            #expect(await observer.next(2).allSatisfy { $0.error == nil })
            #expect(try labeler.results(in: Model.pixel).count == 3)
        }
    }

    @Test("A mistake of the app does not reject the model")
    func ownMistake() async {
        await #expect(processExitsWith: .success) {
            let device = try TestDevice(isDefaultApp: true)
            try device.host.publish(contentsOfFile: Model.threeLabels, as: "colors")
            let model = try await device.get("colors")
            let options = CustomImageLabelerOptions(remoteModel: CustomRemoteModel(name: "colors"))
            options.allowedLabels = ["rose "]
            let misspelled = ImageLabeler.imageLabeler(options: options)
            #expect(throws: NSError.self) { try misspelled.results(in: Model.pixel) }
            let detector = BoxDetector(remoteModel: CustomRemoteModel(name: "colors"))
            #expect(throws: NSError.self) { try detector.boxes(in: Model.pixel) }

            #expect(try await device.get("colors", .localModel) == model)
            #expect(try Model.labeler("colors").results(in: Model.pixel).count == 3)
        }
    }

    @Test("A missing model is not downloaded over a connection that the app did not allow for it")
    func conditions() async {
        await #expect(processExitsWith: .success) {
            let device = try TestDevice(isDefaultApp: true)
            let observer = ManagerObserver("colors", on: device)
            try device.host.publish(contentsOfFile: Model.threeLabels, as: "colors")
            let model = CustomRemoteModel(name: "colors")
            let careful = ModelDownloadConditions(allowsCellularAccess: false)
            let manager = ModelManager.modelManager()
            manager.download(model, conditions: careful)
            #expect(await observer.next(2).allSatisfy { $0.error == nil })
            try await manager.deleteDownloadedModel(model)

            device.downloader.settings.deviceConditions = MeteredConnection()
            let labeler = Model.labeler("colors")
            #expect(await observer.next(2).allSatisfy { $0.error?.code == 9 })
            #expect(device.host.requestCount(.file) == 1)
            #expect(throws: NSError.self) { try labeler.results(in: Model.pixel) }
        }
    }

    @Test("Without a configured app, the error says that downloads are impossible")
    func noApp() async {
        await #expect(processExitsWith: .success) {
            #expect(ModelLocatorRegistry.locator is DeliveryLocator)
            let error = #expect(throws: NSError.self) { try Model.labeler("colors").results(in: Model.pixel) }
            #expect(
                error?.localizedDescription == """
                    The remote model 'colors' is not on this device, and cannot be downloaded before FirebaseApp is \
                    configured.
                    """)
        }
    }

    @Test("A damaged copy is downloaded again once, not with every image")
    func damaged() async {
        await #expect(processExitsWith: .success) {
            let device = try TestDevice(isDefaultApp: true)
            let observer = ManagerObserver("colors", on: device)
            try device.host.publish(contentsOfFile: Model.threeLabels, as: "colors")
            _ = try await device.get("colors")
            try device.host.publish(contentsOfFile: Model.twoLabels, as: "colors")
            let damaged = try await device.get("colors")
            try Data([1]).write(to: URL(fileURLWithPath: damaged.path))
            device.host.unpublish("colors")
            let count = device.host.requestCount(.info)
            let labeler = Model.labeler("colors")
            #expect(try labeler.results(in: Model.pixel).count == 3)
            #expect(await observer.next(2).allSatisfy { $0.error != nil })
            for _ in 0..<10 { #expect(try labeler.results(in: Model.pixel).count == 3) }
            #expect(device.host.requestCount(.info) == count + 1)
        }
    }

    @Test(
        "A model that does not load, on a disk that cannot be written: reported once, and the version before it is used"
    )
    func putAsideReadOnly() async {
        await #expect(processExitsWith: .success) {
            let files = FailingFiles()
            let device = try TestDevice(name: "__FIRAPP_DEFAULT", files: files)
            let observer = ManagerObserver("colors", on: device)
            try device.host.publish(contentsOfFile: Model.threeLabels, as: "colors")
            _ = try await device.get("colors")
            device.host.publish(Data("no model".utf8), as: "colors")
            _ = try await device.get("colors")
            files.fail { if case .makeFolder = $0 { nil } else { FileError(.notPermitted, "read-only") } }
            for _ in 0..<10 { #expect(try Model.labeler("colors").results(in: Model.pixel).count == 3) }
            #expect(await observer.next(2).allSatisfy { $0.error != nil })
            try device.host.publish(contentsOfFile: Model.twoLabels, as: "colors")
            files.fail { _ in nil }
            ModelManager.modelManager().download(CustomRemoteModel(name: "colors"))
            #expect(await observer.next(2).allSatisfy { $0.error == nil }, "no other failure was reported in between")
        }
    }
}

private struct MeteredConnection: DeviceConditions {
    let isConnectionMetered: Bool? = true
    let isOnExternalPower: Bool? = true
}

private enum Model {
    static let threeLabels = path("uint8.tflite")
    static let twoLabels = path("uint8_offset.tflite")
    static var pixel: VisionImage { VisionImage(contentsOfFile: path("pixel.png")) }

    private static func path(_ name: String) -> String {
        TestPaths.fixtures.appendingPathComponent("labelers/\(name)").path
    }

    static func labeler(_ name: String) -> ImageLabeler {
        ImageLabeler.imageLabeler(options: CustomImageLabelerOptions(remoteModel: CustomRemoteModel(name: name)))
    }

    static func error(of interpreter: ModelInterpreter) async -> NSError? {
        do {
            try await interpreter.inputIndex(opName: "nothing")
            return nil
        } catch let error as NSError {
            return error
        }
    }
}
