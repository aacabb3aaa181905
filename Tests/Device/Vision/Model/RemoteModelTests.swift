import Dispatch
import Foundation
import HearthModelSource
import HearthTestSupport
import Synchronization
import Testing

@testable import HearthVision

@Suite("Labelers with remote models")
struct RemoteModelTests {
    private let locator = TestLocator.shared

    private func labeler(_ name: String) -> ImageLabeler {
        let model: RemoteModel = CustomRemoteModel(remoteModelSource: FirebaseModelSource(name: name))
        return ImageLabeler.imageLabeler(options: CustomImageLabelerOptions(remoteModel: model as! CustomRemoteModel))
    }

    @Test("until it is there each call says so and asks for it; then it is used")
    func arrives() throws {
        let labeler = labeler("arrives")
        #expect(locator.timesAsked(for: "arrives") == 1, "making the labeler asks for the model at once")
        let error = Labeler.error(labeler)
        #expect(error?.code == 5)
        #expect(
            error?.localizedDescription
                == "The remote model 'arrives' is not on this device yet; it is being downloaded. Try again later.")
        locator.install("arrives", Labeler.path("uint8.tflite"))
        #expect(try labeler.results(in: Labeler.pixel).count == 3)
    }

    @Test("a newer copy is used from the next image on, and is loaded once")
    func swapped() throws {
        locator.install("swapped", Labeler.path("uint8.tflite"))
        let labeler = labeler("swapped")
        #expect(try labeler.results(in: Labeler.pixel).count == 3)
        locator.install("swapped", Labeler.path("uint8_offset.tflite"))
        #expect(try labeler.results(in: Labeler.pixel).count == 2)
        locator.install("swapped", Labeler.path("uint8.tflite"))
        #expect(try labeler.results(in: Labeler.pixel).count == 3)
    }

    @Test("a copy that cannot be loaded is an error until there is a better one")
    func damaged() throws {
        let folder = try TemporaryFolder()
        locator.install("damaged", try folder.write(Array("no model".utf8), to: "bad.tflite"))
        let labeler = labeler("damaged")
        #expect(Labeler.error(labeler)?.code == 9)
        locator.install("damaged", Labeler.path("uint8.tflite"))
        #expect(try labeler.results(in: Labeler.pixel).count == 3)
    }

    @Test("a broken copy is put aside, one that an app uses wrongly is not")
    func blame() throws {
        let folder = try TemporaryFolder()
        locator.install("broken", try folder.write(Array("no model".utf8), to: "bad.tflite"))
        _ = labeler("broken")
        #expect(locator.reasonsAside(of: "broken").count == 1)

        locator.install("misspelled", Labeler.bundle("digits-labeler"))
        let options = CustomImageLabelerOptions(remoteModel: CustomRemoteModel(name: "misspelled"))
        options.allowedLabels = ["rose "]
        let misspelled = ImageLabeler.imageLabeler(options: options)
        #expect(Labeler.error(misspelled)?.localizedDescription.contains("check their spelling") == true)
        #expect(locator.reasonsAside(of: "misspelled") == [])
        try labeler("misspelled").checkModel()

        locator.install("detector", Detector.path("ssd.tflite"))
        #expect(Labeler.error(labeler("detector"))?.code == 9)
        let detector = BoxDetector(remoteModel: CustomRemoteModel(name: "labeler"))
        locator.install("labeler", Labeler.path("uint8.tflite"))
        #expect(throws: NSError.self) { try detector.checkModel() }
        #expect(locator.reasonsAside(of: "detector") == [] && locator.reasonsAside(of: "labeler") == [])
    }

    @Test("a copy that is a model for something else is looked at once, until there is another")
    func unsuitable() throws {
        locator.install("other", "/a")
        let loads = Mutex(0)
        let current = CurrentModel(.remote(name: "other")) { path, _ in
            loads.withLock { $0 += 1 }
            if path == "/b" { throw VisionError.make(.failedPrecondition, "no labeler") }
            return path
        }
        locator.install("other", "/b")
        for _ in 0..<3 { #expect(try current.model() == "/a") }
        #expect(loads.withLock { $0 } == 2)
        locator.install("other", "/c")
        #expect(try current.model() == "/c")
    }

    @Test("whoever has the old model goes on with it, and it goes with its last user")
    func oldModel() throws {
        final class Loaded: Sendable {
            let path: String
            init(_ path: String) { self.path = path }
        }
        locator.install("old", "/a")
        let loads = Mutex(0)
        let current = CurrentModel(.remote(name: "old")) { path, _ in
            loads.withLock { $0 += 1 }
            return Loaded(path)
        }
        var old: Loaded? = try current.model()
        #expect(try current.model() === old)
        #expect(loads.withLock { $0 } == 1)
        locator.install("old", "/b")
        #expect(try current.model().path == "/b")
        #expect(old?.path == "/a")
        weak let reference = old
        old = nil
        #expect(reference == nil)
    }

    @Test("swapping under many threads: each image is labelled by one of the two")
    func threads() {
        locator.install("threads", Labeler.path("uint8.tflite"))
        let labeler = labeler("threads")
        DispatchQueue.concurrentPerform(iterations: 32) { index in
            if index.isMultiple(of: 4) {
                locator.install("threads", Labeler.path(index.isMultiple(of: 8) ? "int8.tflite" : "uint8.tflite"))
            }
            let count = try? labeler.results(in: Labeler.pixel).count
            #expect(count == 3)
        }
    }

    @Test("after a download that failed, the error says why instead of promising one")
    func resting() {
        #expect(
            Labeler.error(labeler("resting"))?.localizedDescription == """
                The remote model 'resting' is not on this device, and the last download failed; it is retried later. The server has no \
                time.
                """)
    }

    @Test("without anyone who fetches models, that is what the error says")
    func noLocator() {
        let error = ModelPlace.remote(name: "any").missing(locator: nil)
        #expect(
            error.localizedDescription
                == "The remote model 'any' is not on this device, and this app has no model downloader.")
        #expect(error.code == 5)
    }
}

/// The test process's locator: knows the models that tests tell it. Tests choose names of their own.
final class TestLocator: ModelLocator {
    static let shared = {
        let locator = TestLocator()
        ModelLocatorRegistry.register(locator)
        return locator
    }()

    private let paths = Mutex<[String: String]>([:])
    private let asked = Mutex<[String: Int]>([:])
    private let reasons = Mutex<[String: [String]]>([:])

    func install(_ name: String, _ path: String?) {
        paths.withLock { $0[name] = path }
    }

    func timesAsked(for name: String) -> Int { asked.withLock { $0[name, default: 0] } }

    /// Why copies were put aside.
    func reasonsAside(of name: String) -> [String] { reasons.withLock { $0[name, default: []] } }

    func reject(path: String, ofRemoteModel name: String, reason: String) {
        reasons.withLock { $0[name, default: []].append(reason) }
    }

    func absence(ofRemoteModel name: String) -> ModelAbsence {
        name == "resting" ? .backingOff(reason: "The server has no time.") : .downloading
    }

    func localPath(ofRemoteModel name: String) -> String? {
        asked.withLock { $0[name, default: 0] += 1 }
        return paths.withLock { $0[name] }
    }
}
