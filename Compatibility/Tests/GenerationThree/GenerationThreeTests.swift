import Driving
import Foundation
import Testing

/// An app of ML Kit, run as it is.
@Suite(
    .serialized,
    .enabled(if: TestPlaces.hasHearth, "there is no hearth-full program: build it, or name it in HEARTH_PROGRAM"))
struct GenerationThreeTests {
    private let server: HearthServer
    private let digits = TestPlaces.models.appendingPathComponent("digits-labeler")
    private var seven: String { digits.appendingPathComponent("examples/7-a.png").path }

    init() throws { server = try HearthServer() }

    @Test("the app's own bundle labels, then the downloaded one, in images, frames and objects")
    func labeler() throws {
        try server.publish("digits", TestPlaces.models.appendingPathComponent("digits-labeler-2"))
        let app = try InstalledApp("GenerationThreeApp", server: server, resources: ["labeler": digits])
        let lines = try app.run("digits", seven)
        // Which of an event's observers is first, nobody says.
        #expect(lines.filter { $0 == "library's name: succeeded" }.count == 1)
        #expect(
            lines.filter { $0.first?.isNumber == false && !$0.hasPrefix("in ") && !$0.hasPrefix("library") } == [
                "shipped 7", "local 7", "succeeded digits", "there already: true",
                "fraction 1.0", "remote 7", "frame 7", "image 7", "object 7, tracked no",
            ])
        #expect(lines.contains { $0.hasPrefix("7 7: ") }, "a label's index, text and confidence: \(lines)")
    }

    @Test("a model that is not there is an NSError of ML Kit's domain in the other notification")
    func missingModel() throws {
        let app = try InstalledApp("GenerationThreeApp", server: server, resources: ["labeler": digits])
        let lines = try app.run("nowhere", seven)
        #expect(lines.contains("local 7"))
        #expect(lines.contains("library's name: failed") && lines.contains("failed nowhere with an NSError"))
        #expect(lines.contains { $0.hasPrefix("domain com.google.mlkit code ") })
        #expect(!lines.contains { $0.hasPrefix("succeeded") || $0.hasPrefix("remote") })
    }

    @Test(
        "the hosted flower bundle labels its photos",
        .enabled(if: TestPlaces.hasSharedData, "the shared data is absent"))
    func flowers() throws {
        try server.publish("flowers", Flowers.bundle)
        let app = try InstalledApp("GenerationThreeApp", server: server, resources: ["labeler": Flowers.bundle])
        let photos = try Flowers.photos()
        #expect(photos.count == 5)
        let lines = try app.run(["flowers"] + photos.map(\.path))
        #expect(lines.contains("succeeded flowers") && lines.contains("library's name: succeeded"))
        for origin in ["shipped", "local", "remote"] {
            #expect(lines.filter { $0.hasPrefix("\(origin) ") } == photos.map { "\(origin) \($0.label)" })
        }
    }
}
