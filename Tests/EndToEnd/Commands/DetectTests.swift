import EndToEndDriving
import Foundation
import HearthTestSupport
import HearthWire
import Testing

extension EndToEndSuites {
    /// Real models over real photos.
    @Suite(.enabled(if: TestPaths.hasSharedData, "the shared data is absent"))
    struct DetectTests {
        private struct Line: Decodable {
            struct Object: Decodable {
                struct Box: Decodable {
                    var left: Double
                    var top: Double
                    var right: Double
                    var bottom: Double
                }
                var text: String
                var index: Int
                var confidence: Double
                var box: Box
            }
            var image: String
            var width: Int
            var height: Int
            var objects: [Object]
        }

        private static let model = shared("models/ssd_coco")
        private static let photo = shared("images/pets.jpg")
        private let folder: TemporaryFolder

        init() throws { folder = try TemporaryFolder() }

        private static func shared(_ path: String) -> String { TestPaths.shared.appendingPathComponent(path).path }

        private func detect(_ arguments: String...) throws -> [Line] {
            try detect(arguments)
        }

        private func detect(_ arguments: [String]) throws -> [Line] {
            let ending = try HearthProgram.run(["detect"] + arguments + ["--json"])
            #expect(ending.exitCode == 0, "\(ending.errors)")
            return try ending.output.split(separator: "\n").map { try WireJSON.decode(Line.self, from: $0.utf8) }
        }

        @Test func objectsHaveNamesAndPlacesOnTheImage() throws {
            let line = try #require(try detect(Self.model, Self.photo).first)
            #expect((line.width, line.height) == (512, 430))
            #expect(line.objects.map(\.text) == ["dog", "dog"])
            for object in line.objects {
                #expect(object.confidence > 0.5 && object.confidence <= 1)
                #expect(object.box.left >= 0 && object.box.left < object.box.right && object.box.right <= 512)
                #expect(object.box.top >= 0 && object.box.top < object.box.bottom && object.box.bottom <= 430)
            }
            let text = try HearthProgram.run(["detect", Self.model, Self.photo]).output
            #expect(text.contains("%  dog  at "))
        }

        @Test func optionsChooseAmongTheObjects() throws {
            let all = try #require(try detect(Self.model, Self.photo, "--threshold", "0").first).objects
            let best = try #require(try detect(Self.model, Self.photo, "--threshold", "0", "--max", "1").first).objects
            #expect(all.count > 2 && best.count == 1 && best[0].index == all[0].index)
            #expect(try detect(Self.model, Self.photo, "--threshold", "1").first?.objects.isEmpty == true)
            // The left half shows one of the two, in coordinates of the whole image.
            let half = try #require(try detect(Self.model, Self.photo, "--region", "256,0,256,430").first)
            #expect(half.objects.contains { $0.text == "dog" && $0.box.left >= 256 })
            #expect(half.objects.allSatisfy { $0.box.left >= 256 } && half.width == 512)
        }

        @Test func drawnImagesAreCopiesOfTheSameSize() throws {
            let drawn = folder.path + "/drawn.png"
            let before = try Data(contentsOf: URL(fileURLWithPath: Self.photo))
            #expect(try detect(Self.model, Self.photo, "--draw", drawn).count == 1)
            #expect(try Data(contentsOf: URL(fileURLWithPath: Self.photo)) == before)
            let line = try #require(try detect(Self.model, drawn).first)
            #expect((line.width, line.height) == (512, 430))
        }

        @Test func aFolderOfDrawingsIsNotLookedThrough() throws {
            for name in ["a.jpg", "sub/b.jpg"] {
                _ = try folder.write(SampleModels.bytes(Self.photo), to: "in/" + name)
            }
            let (source, target) = (folder.path + "/in", folder.path + "/in/out")
            for options in [[], ["--overwrite"]] as [[String]] {
                let lines = try detect([Self.model, source, "--draw", target] + options)
                #expect(lines.map(\.image) == [source + "/a.jpg", source + "/sub/b.jpg"])
            }
            #expect(FileManager.default.fileExists(atPath: target + "/sub/b.jpg"))
            let again = try HearthProgram.run(["detect", Self.model, source, "--draw", target])
            #expect(again.exitCode == 1 && again.errors.contains("--overwrite"))
        }

        @Test func aLabelerIsNoDetector() throws {
            let ending = try HearthProgram.run(["detect", SampleModels.bundle, Self.photo])
            #expect(ending.exitCode == 1)
            #expect(ending.errorLines.count == 1 && ending.errors.split(separator: "\n").count == 1)
        }
    }
}
