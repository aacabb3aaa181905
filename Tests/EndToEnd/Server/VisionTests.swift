import EndToEndDriving
import Foundation
import HearthCalls
import HearthTestSupport
import HearthWire
import Testing

extension EndToEndSuites {
    /// Models whose images go in in their own way, from upload to rehearsal on a real server.
    @Suite struct VisionTests {
        private struct Rehearsal: Decodable {
            var summary: RehearsalBodies.Summary
        }

        private struct Results: Decodable {
            var results: [TryBodies.Answers]
        }

        private static func fixture(_ name: String) -> String {
            TestPaths.fixtures.appendingPathComponent("vision/\(name)").path
        }

        /// 20 copies of the image in a folder with the name of the expected answer: the fewest that a rehearsal takes.
        private func folder(of image: String, _ label: String) throws -> TemporaryFolder {
            let folder = try TemporaryFolder()
            try FileManager.default.createDirectory(
                atPath: folder.path + "/\(label)", withIntermediateDirectories: true)
            for number in 0..<20 {
                try FileManager.default.copyItem(
                    atPath: Self.fixture(image), toPath: folder.path + "/\(label)/\(number).png")
            }
            return folder
        }

        @Test(arguments: [
            ("yolov8", "green_spot.png", "green", "boxes"), ("gray", "bright_corner.png", "bright", "labels"),
        ])
        func fromUploadToRehearsalWithWhatTheFileSays(
            model: String, image: String, label: String, task: String
        ) throws {
            let server = try ServerProcess()
            let file = Self.fixture("\(model).tflite")
            #expect(try server.hearth("models", "push", model, file).exitCode == 0)
            let listed = try server.hearth("models", "versions", model, "--json")
            let versions = try WireJSON.decode(ReleaseBodies.VersionList.self, from: listed.output.utf8).versions
            let version = try #require(versions?.first, "\(listed.output)")
            #expect(version.verdict == "ok" && version.contract?.vision?.task == task)
            let kept = try #require(version.contract?.vision?.processing)

            let tried = try server.hearth("models", "try", model, Self.fixture(image), "--json")
            #expect(tried.exitCode == 0, "\(tried.errors)")
            let answers = try #require(try WireJSON.decode(Results.self, from: tried.output.utf8).results.first)
            #expect(answers.answers.first?.label == label)
            #expect(answers.vision?.processing == kept, "as the version says")
            #expect(answers.outputs?.map(\.name) == (model == "gray" ? ["brightness", "corner"] : nil))

            let images = try folder(of: image, label)
            #expect(try server.hearth("models", "images", "add", model, images.path).exitCode == 0)
            let rehearsed = try server.hearth("models", "rehearse", model, "--json")
            #expect(rehearsed.exitCode == 0, "\(rehearsed.errors)")
            let summary = try WireJSON.decode(Rehearsal.self, from: rehearsed.output.utf8).summary
            #expect(summary.images == 20 && summary.candidate.answered == 20 && summary.candidate.correct == 20)
        }

        @Test func aVersionWithoutAWordAboutItsImagesIsSoundAndRunsOnceTheCallerStatesIt() throws {
            let server = try ServerProcess()
            #expect(
                try server.hearth("models", "push", "plain", Self.fixture("gray_plain.tflite"), "--publish").exitCode
                    == 0)
            let admin = try CurlAdmin(server)
            let models: ModelList = try admin.call(admin.modelsURL).decode()
            let name = try #require(models.models?.first?.name)
            let url = "\(server.url)/hearth/v1/\(name)/versions/1"
            let version: ReleaseBodies.Version = try admin.call(url).decode()
            #expect(version.verdict == "ok" && version.contract?.vision?.missing == ["normalization"])
            let image = ["--data-binary", "@\(Self.fixture("bright_corner.png"))"]
            let refused = try admin.call(url + ":try", image)
            #expect(refused.status == 400 && String(decoding: refused.body, as: UTF8.self).contains("--normalize"))
            let json = "%7B%22mean%22%3A%5B127.5%5D%2C%22standardDeviation%22%3A%5B127.5%5D%7D"
            let stated: TryBodies.Answers = try admin.call(url + ":try?processing=\(json)", image).decode()
            #expect(stated.answers.first?.index == 1 && stated.vision?.images?.contains("as stated") == true)
            let again: ReleaseBodies.Version = try admin.call(url).decode()
            #expect(again.contract == version.contract, "for that try only")
        }
    }
}
