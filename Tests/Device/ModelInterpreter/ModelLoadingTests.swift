import Foundation
import HearthModelInterpreter
import HearthTestSupport
import Synchronization
import Testing

@Suite("Loading of models")
struct ModelLoadingTests {
    private func error(_ path: String) async -> NSError? {
        await Sample.batch.error([[1, 2]], on: interpreter(path))
    }

    private func interpreter(_ path: String) -> ModelInterpreter {
        ModelInterpreter.modelInterpreter(localModel: CustomLocalModel(modelPath: path))
    }

    private func model() throws -> Data {
        try Data(contentsOf: URL(fileURLWithPath: Sample.batch.path))
    }

    @Test("no file at the path", arguments: ["", "/nowhere/model.tflite", "relative.tflite"])
    func missing(path: String) async {
        let error = await error(path)
        #expect(error?.machineLearningCode == .notFound, "\(error as Any)")
        #expect(
            error?.localizedDescription.hasPrefix("Failed to create a TFLite interpreter for the given model") == true)
        #expect(error?.localizedDescription.contains("'\(path)'") == true)
    }

    @Test("a path that is no model file", arguments: ["/", "/dev/null"])
    func noFile(path: String) async {
        #expect(await error(path)?.machineLearningCode == .failedPrecondition)
    }

    @Test(
        "bytes that are no model",
        arguments: [[], Array("no model".utf8), Array(repeating: 0, count: 100)] as [[UInt8]])
    func noModel(bytes: [UInt8]) async throws {
        let path = try TemporaryFile(bytes)
        #expect(await error(path.path)?.machineLearningCode == .failedPrecondition)
    }

    @Test("an operator that the engine lacks")
    func unsupported() async {
        let error = await error(Sample.path("models/unknown_custom"))
        #expect(error?.machineLearningCode == .failedPrecondition)
        #expect(error?.localizedDescription.contains("HearthUnknown") == true)
    }

    @Test("a model cut short anywhere is an error, never a crash")
    func truncated() async throws {
        let whole = try model()
        for count in stride(from: 1, to: whole.count - 1, by: 16) {
            let file = try TemporaryFile(whole.prefix(count))
            if let error = await error(file.path) { #expect(error.domain == MachineLearningErrorDomain) }
        }
    }

    @Test("a file that comes later is found by the same interpreter, and kept when it goes")
    func later() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/model.tflite"
        let interpreter = interpreter(path)
        #expect(await Sample.batch.error([[1, 2]], on: interpreter)?.machineLearningCode == .notFound)
        await #expect(throws: NSError.self) { try await interpreter.inputIndex(opName: "input") }
        _ = try folder.write(model(), to: "model.tflite")
        #expect(try await interpreter.inputIndex(opName: "input") == 0)
        try FileManager.default.removeItem(atPath: path)
        #expect(try await Sample.batch.run([[1, 2]], on: interpreter) as? [[Int]] == [[3, 6]])
    }

    @Test("faults of the request are told before the model is looked for")
    func order() async {
        let interpreter = interpreter("/nowhere/model.tflite")
        #expect(await Sample.batch.error([[1]], on: interpreter)?.machineLearningCode == .invalidArgument)
    }

    /// In a process of its own, whose locator nobody else changes.
    @Test("a remote model is run from where the locator says, once it is there")
    func remote() async {
        await #expect(processExitsWith: .success) {
            let name = UUID().uuidString
            let interpreter = ModelInterpreter.modelInterpreter(remoteModel: CustomRemoteModel(name: name))
            let expected =
                "Failed to load the custom model as no models currently exist on the device for the given model options: "
                + "remoteModelName: \(name), localModelName: (null). "

            ModelLocatorRegistry.register(nil)
            var error = await Sample.batch.error([[1, 2]], on: interpreter)
            #expect(error?.machineLearningCode == .notFound)
            #expect(
                error?.localizedDescription == expected + "This app has nothing that downloads models; import Hearth.")

            let locator = TestLocator()
            ModelLocatorRegistry.register(locator)
            error = await Sample.batch.error([[1, 2]], on: interpreter)
            #expect(
                error?.localizedDescription == expected
                    + "However, a request has been made to download the remote model.")
            #expect(locator.asked.withLock { $0 } == [name])

            locator.failure.withLock { $0 = "The server has no time." }
            error = await Sample.batch.error([[1, 2]], on: interpreter)
            #expect(
                error?.localizedDescription == expected
                    + "The last download failed; it is retried later. The server has no time.")
            #expect(locator.asked.withLock { $0.removeLast() } == name)

            locator.paths.withLock { $0[name] = Sample.batch.path }
            let first = try await Sample.batch.run([[1, 2]], on: interpreter) as? [[Int]]
            #expect(first == [[3, 6]])
            // Kept from then on.
            locator.paths.withLock { $0[name] = "/nowhere" }
            let second = try await Sample.batch.run([[2, 4]], on: interpreter) as? [[Int]]
            #expect(second == [[6, 12]])
            #expect(locator.asked.withLock { $0 } == [name, name])
        }
    }
}

private final class TestLocator: ModelLocator {
    let paths = Mutex<[String: String]>([:])
    let asked = Mutex<[String]>([])
    let failure = Mutex<String?>(nil)

    func absence(ofRemoteModel name: String) -> ModelAbsence {
        failure.withLock { $0.map { .backingOff(reason: $0) } ?? .downloading }
    }

    func localPath(ofRemoteModel name: String) -> String? {
        asked.withLock { $0.append(name) }
        return paths.withLock { $0[name] }
    }
}

/// A model file that goes with its last reference.
private struct TemporaryFile {
    private let folder: TemporaryFolder
    let path: String

    init(_ bytes: some Sequence<UInt8>) throws {
        folder = try TemporaryFolder()
        path = try folder.write(bytes, to: "model.tflite")
    }
}
