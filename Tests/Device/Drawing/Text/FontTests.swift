import Foundation
import HearthTestSupport
import Testing

@testable import HearthDrawing

/// The font that tests write with.
enum TestFont {
    static let isInstalled = (try? FontFile.find(stylePath: nil)).flatMap { $0 } != nil

    static func file() throws -> FontFile {
        try #require(try FontFile.find(stylePath: nil))
    }
}

@Suite("Finding and opening fonts")
struct FontTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test("the style's font comes before the environment's, and that before well-known ones")
    func order() throws {
        let paths = try ["style", "environment", "known"].map { try folder.write([1], to: $0) }
        let environment = ["HEARTH_FONT": paths[1]]
        func find(_ style: String?, _ environment: [String: String], _ known: [String]) throws -> String? {
            try FontFile.find(stylePath: style, environment: environment, wellKnown: known)?.path
        }
        #expect(try find(paths[0], environment, [paths[2]]) == paths[0])
        #expect(try find(nil, environment, [paths[2]]) == paths[1])
        #expect(try find(nil, ["HEARTH_FONT": ""], ["none", paths[2]]) == paths[2])
        #expect(try find(nil, [:], ["none"]) == nil)
    }

    @Test("a named font that is not there is an error that says who named it")
    func missing() throws {
        let path = folder.path + "/none.ttf"
        let style = #expect(throws: DrawingError.self) { try FontFile.find(stylePath: path) }
        #expect(style?.code == .fontNotFound)
        #expect(style?.message.contains("fontPath") == true)
        let environment = #expect(throws: DrawingError.self) {
            try FontFile.find(stylePath: nil, environment: ["HEARTH_FONT": path])
        }
        #expect(environment?.message.contains("HEARTH_FONT") == true)
        #expect(throws: DrawingError.self) { try FontFile.find(stylePath: folder.path) }
    }

    @Test("a pipe is no font, and nobody waits for it")
    func pipe() throws {
        let path = folder.path + "/pipe"
        #expect(mkfifo(path, 0o600) == 0)
        #expect(throws: DrawingError.self) { try FontFile.find(stylePath: path) }
    }

    @Test(
        "files that are no fonts are errors", arguments: [[], Array("text".utf8), [UInt8](repeating: 0, count: 5_000)])
    func unusable(bytes: [UInt8]) throws {
        let style = AnnotationStyle(fontPath: try folder.write(bytes, to: "font.ttf"))
        let error = #expect(throws: DrawingError.self) {
            try AnnotationRenderer(style: style).draw(
                [BoxAnnotation(10, 10, 50, 50, "cat")], on: TestImage.plain(100, 80))
        }
        #expect(error?.code == .fontUnusable)
        #expect(error?.message.contains("font.ttf") == true)
    }

    @Test("damaged fonts never crash", .enabled(if: TestFont.isInstalled, "no font is installed"))
    func damaged() throws {
        let font = try Data(contentsOf: URL(fileURLWithPath: TestFont.file().path))
        var random = SeededGenerator(seed: 11)
        for round in 0..<40 {
            var bytes = round % 4 == 0 ? font.prefix(.random(in: 0..<font.count, using: &random)) : font
            for _ in 0..<200 where !bytes.isEmpty {
                bytes[.random(in: 0..<min(bytes.count, 20_000), using: &random)] = .random(
                    in: 0 ... .max, using: &random)
            }
            let style = AnnotationStyle(fontPath: try folder.write(bytes, to: "font\(round)"))
            _ = try? AnnotationRenderer(style: style).draw(
                [BoxAnnotation(10, 30, 50, 50, "AVAWA cat \u{E9}", confidence: 0.5)], on: TestImage.plain(100, 80))
        }
    }

    @Test("without a font, boxes and plates are drawn, and the result says that text is missing")
    func none() throws {
        let image = try TestImage.plain(400, 300)
        let result = try AnnotationRenderer().draw(
            [BoxAnnotation(100, 80, 200, 120, "cat")], caption: [LabelAnnotation(text: "daisy")], on: image, font: nil
        )
        #expect(result.isFontMissing)
        #expect(result.pixels.color(100, 140) == .orange)
        #expect(result.pixels.color(108, 70) == .orange)
        #expect(
            try !AnnotationRenderer().draw([BoxAnnotation(1, 1, 9, 9)], caption: [], on: image, font: nil)
                .isFontMissing)
    }
}
