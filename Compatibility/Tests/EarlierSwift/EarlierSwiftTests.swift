import Driving
import Foundation
import Testing

/// An app that stayed in the language mode of Swift 4.2.
@Suite(.enabled(if: TestPlaces.hasHearth, "there is no hearth-full program: build it, or name it in HEARTH_PROGRAM"))
struct EarlierSwiftTests {
    @Test("an output read through two optionals")
    func output() throws {
        let model = TestPlaces.models.appendingPathComponent("digits-labeler-float/model.tflite")
        let app = try InstalledApp("EarlierSwiftApp", server: HearthServer(), resources: ["model.tflite": model])
        #expect(try app.run() == ["numbers 10"])
    }
}
