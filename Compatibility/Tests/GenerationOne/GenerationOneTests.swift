import Driving
import Foundation
import Testing

/// Apps of `ModelManager` and `ModelInterpreter`, run as they are.
@Suite(
    .serialized,
    .enabled(if: TestPlaces.hasHearth, "there is no hearth-full program: build it, or name it in HEARTH_PROGRAM"))
struct GenerationOneTests {
    private let server: HearthServer
    private let digits = TestPlaces.models.appendingPathComponent("digits-labeler-float/model.tflite")
    private let digitLabels = TestPlaces.models.appendingPathComponent("digits-labeler/dict.txt")
    private let detector = TestPlaces.models.appendingPathComponent("digits-detector")

    init() throws { server = try HearthServer() }

    private func digit(_ name: String) -> String {
        TestPlaces.models.appendingPathComponent("digits-labeler/examples/\(name).png").path
    }

    private func digitApp() throws -> InstalledApp {
        try InstalledApp(
            "GenerationOneApp", server: server,
            resources: ["classifier/model.tflite": digits, "dict.txt": digitLabels])
    }

    @Test("the interpreter runs the app's own model, then the downloaded one, and says when it came")
    func interpreter() throws {
        try server.publish("digits", digits)
        let lines = try digitApp().run("classify", "digits", "float32", "32", digit("7-a"), digit("2-a"))
        #expect(
            lines.filter { !$0.contains(": ") } == [
                "local 7", "local 2", "succeeded digits", "fraction 1.0", "remote 7", "remote 2",
            ])
        #expect(lines.contains { $0.hasPrefix("7: 0.") || $0.hasPrefix("7: 1") }, "a number in a text: \(lines)")
    }

    @Test("a model that is not there is an NSError in the other notification, and the app's own model goes on")
    func missingModel() throws {
        let lines = try digitApp().run("classify", "nowhere", "float32", "32", digit("7-a"))
        #expect(lines.contains("local 7"))
        #expect(lines.contains("failed nowhere with an NSError"))
        #expect(!lines.contains { $0.hasPrefix("succeeded") || $0.hasPrefix("remote") })
    }

    @Test("a detector runs the app's own file and the file that the download left")
    func detection() throws {
        try server.publish("pages", detector.appendingPathComponent("model.tflite"))
        let app = try InstalledApp(
            "GenerationOneApp", server: server,
            resources: [
                "model.tflite": detector.appendingPathComponent("model.tflite"),
                "dict.txt": detector.appendingPathComponent("dict.txt"),
            ])
        let lines = try app.run("detect", "pages", detector.appendingPathComponent("examples/three.png").path)
        let found = try #require(lines.first { $0.hasPrefix("shipped ") }?.dropFirst("shipped ".count))
        #expect(found.count == 3)
        #expect(lines.contains("local \(found)") && lines.contains("succeeded pages"))
        #expect(lines.contains("remote \(found)"))
    }

    @Test("tensor names, impossible formats, file paths and deleting")
    func otherCalls() throws {
        try server.publish("digits", digits)
        let lines = try digitApp().run("other", "digits")
        #expect(
            lines == [
                "no path yet: true", "refused with code 3: true", "succeeded digits", "input 0", "output 0",
                "deleted: true",
            ])
    }

    @Test(
        "the hosted flower bundle labels its photos",
        .enabled(if: TestPlaces.hasSharedData, "the shared data is absent"))
    func flowers() throws {
        try server.publish("flowers", Flowers.bundle)
        let app = try InstalledApp(
            "GenerationOneApp", server: server,
            resources: [
                "classifier/model.tflite": Flowers.bundle.appendingPathComponent("model.tflite"),
                "dict.txt": Flowers.bundle.appendingPathComponent("dict.txt"),
            ])
        let photos = try Flowers.photos()
        #expect(photos.count == 5)
        let lines = try app.run(["classify", "flowers", "uint8", "224"] + photos.map(\.path))
        #expect(lines.contains("succeeded flowers"))
        #expect(lines.filter { $0.hasPrefix("remote ") } == photos.map { "remote \($0.label)" })
    }
}
