import Foundation
import HearthCatalog
import HearthHTTP
import HearthManagement
import HearthWire
import Testing

@testable import HearthConsole
@testable import HearthManagementTestSupport

@Suite("How images go into a version, on its pages") struct VisionPagesTests {
    private let fixture: ConsoleFixture
    private let id: String

    init() throws {
        fixture = try ConsoleFixture()
        id = try fixture.service.makeModel("flowers", FakeProbe.ok("1"), isPublished: true)
    }

    private func page(_ contents: String, _ path: (Int) -> String) throws -> TestResponse {
        let made = try fixture.service.makeVersion(id, contents)
        let number = try #require(made["version"] as? Int, "\(made.text)")
        return try fixture.browser(.viewer).get("projects/project-a/models/\(id)/\(path(number))")
    }

    @Test("The page of a version says how images go in, what comes out, and that each run is checked")
    func boxes() throws {
        let page = try page(FakeProbe.boxes("2")) { "versions/\($0)" }
        page.expectPage("flowers, version 2")
        for text in [
            "<h2>Images</h2>", "objects, with boxes", "RGB, 4 x 4; (byte - 0) / 255 (usual for such models)",
            "YOLOv8 detector (yolov8), 3 classes", "intersection over union above 0.45", "must confirm it",
        ] {
            #expect(page.text.contains(text), "\(text)")
        }
    }

    @Test("Each output of a labeler is listed")
    func heads() throws {
        let page = try page(FakeProbe.heads("2")) { "versions/\($0)" }
        #expect(page.text.contains("labels of whole images"))
        #expect(page.text.contains("<li>brightness: scores of 2 labels</li><li>corner: scores of 4 labels</li>"))
        #expect(!page.text.contains("must confirm it"))
    }

    @Test("A version without a word about its images says what is missing, and which command states it")
    func unstated() throws {
        let page = try page(FakeProbe.unstated("2")) { "versions/\($0)" }
        #expect(page.text.contains("Images cannot go into this version as it is. The file does not say which values"))
        #expect(page.text.contains("data-copy=\"hearth models push flowers FILE.tflite --normalize 127.5,127.5\""))
        #expect(page.text.contains("data-copy=\"hearth pack FILE.tflite --normalize 127.5,127.5\""))
        #expect(page.text.contains("/models/\(id)/try?version=2"))
        #expect(page.text.contains("\">ok</span>"), "it is no worse for other uses")
        let mask = try self.page(FakeProbe.mask("3")) { "versions/\($0)" }
        #expect(mask.text.contains("It returns a mask") && !mask.text.contains("--normalize"))
    }

    @Test("Reports without this are shown as before")
    func oldReports() throws {
        let page = try fixture.browser(.viewer).get("projects/project-a/models/\(id)/versions/1")
        page.expectPage("flowers, version 1")
        #expect(page.text.contains("<h2>Contract</h2>") && !page.text.contains("<h2>Images</h2>"))
    }

    @Test("A try may state all that its call takes, with what the file says first; it is open where nothing else works")
    func fields() throws {
        let page = try page(FakeProbe.boxes("2")) { "try?version=\($0)" }
        page.expectPage("Try flowers")
        for name in ["normalize", "channels", "resize", "layout", "activation"] {
            #expect(page.text.contains("<label for=\"\(name)\">"), "\(name)")
        }
        #expect(page.text.components(separatedBy: ">as the file says</option>").count == 6)
        for (values, name) in [
            (ImageProcessingBody.knownChannels, "channels"), (ImageProcessingBody.knownResizes, "resize"),
            (ImageProcessingBody.knownLayouts, "layout"), (ImageProcessingBody.knownActivations, "activation"),
        ] {
            let field = try #require(page.text.components(separatedBy: "<select id=\"\(name)\"").last)
            let options = field.components(separatedBy: "</select>")[0]
            for value in values { #expect(options.contains("value=\"\(value)\""), "\(name) \(value)") }
        }
        #expect(page.text.contains("<details id=\"processing\"><summary>"))
        let unstated = try self.page(FakeProbe.unstated("3")) { "try?version=\($0)" }
        #expect(unstated.text.contains("<details id=\"processing\" open"))
        let other = try fixture.browser(.viewer).get("projects/project-a/models/\(id)/try?version=none")
        #expect(other.status == 200)
    }

    @Test("The page of a model names the hash of its newest file")
    func hash() throws {
        let page = try page(FakeProbe.boxes("2")) { _ in "" }
        let shown = try fixture.service.hearthAdmin(.get, "models/\(id)/versions/2")
        let hash = try #require(shown.string("modelHash"))
        #expect(hash.count == 64 && page.text.contains("SHA-256 of version 2: <code>\(hash)</code>"), "\(page.status)")
    }

    @Test("The API shows it with the version's contract, and leaves it out where it is not known")
    func resource() throws {
        _ = try page(FakeProbe.boxes("2")) { "versions/\($0)" }
        let new = try fixture.service.hearthAdmin(.get, "models/\(id)/versions/2")
        #expect(new.string("contract.vision.task") == "boxes", "\(new.text)")
        #expect(new.string("contract.vision.processing.layout") == "yolov8")
        #expect(new.string("verdict") == "ok")
        let old = try fixture.service.hearthAdmin(.get, "models/\(id)/versions/1")
        #expect(old.status == 200 && !old.text.contains("vision"))
    }
}
