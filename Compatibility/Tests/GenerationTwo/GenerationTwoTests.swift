import Driving
import Foundation
import Testing

/// An app of `ModelDownloader` and TensorFlow Lite, run as it is.
@Suite(
    .serialized,
    .enabled(if: TestPlaces.hasHearth, "there is no hearth-full program: build it, or name it in HEARTH_PROGRAM"))
struct GenerationTwoTests {
    private let server: HearthServer
    private let app: InstalledApp
    private let digits = TestPlaces.models.appendingPathComponent("digits-labeler-float/model.tflite")
    private let seven = TestPlaces.models.appendingPathComponent("digits-labeler/examples/7-a.png").path

    init() throws {
        server = try HearthServer()
        app = try InstalledApp(
            "GenerationTwoApp", server: server,
            resources: ["dict.txt": TestPlaces.models.appendingPathComponent("digits-labeler/dict.txt")])
    }

    @Test("the model is fetched, run, listed and deleted")
    func wholeLife() throws {
        try server.publish("digits", digits)
        let size = try Data(contentsOf: digits).count
        let lines = try app.run("digits", seven)
        #expect(lines.first?.hasPrefix("size \(size) hash ") == true)
        #expect(
            lines.dropFirst().filter { !$0.contains(": ") } == [
                "found 7", "latest digits", "refused true", "there is digits", "deleted", "gone",
            ])
    }

    @Test("a model that is not there is this generation's own error")
    func missingModel() throws {
        #expect(try app.run("nowhere", seven) == ["notFound"])
    }
}
