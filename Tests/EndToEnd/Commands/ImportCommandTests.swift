import EndToEndDriving
import Foundation
import HearthTestSupport
import HearthWire
import Testing

extension EndToEndSuites {
    /// `hearth import firebase` with a folder of models, against a running server.
    @Suite struct ImportCommandTests {
        private struct Report: Decodable {
            struct Model: Decodable {
                var name: String
                var result: String
                var version: Int?
                var isPublished: Bool
                var problem: String?
            }
            struct Ignored: Decodable { var file: String }
            var models: [Model]
            var ignored: [Ignored]
        }

        private let server: ServerProcess
        private let folder: TemporaryFolder

        init() throws {
            server = try ServerProcess()
            folder = try TemporaryFolder()
            try put(SampleModels.file, "digits")
            try put(SampleModels.secondFile, "other")
        }

        private func put(_ file: String, _ name: String) throws {
            _ = try folder.write(SampleModels.bytes(file), to: name + ".tflite")
        }

        private func imports(_ options: String..., exitCode: Int32 = 0) throws -> [String] {
            let ending = try server.hearth(["import", "firebase", folder.path, "--json"] + options)
            #expect(ending.exitCode == exitCode, "\(ending.errors)")
            let report = try WireJSON.decode(Report.self, from: ending.output.utf8)
            return report.models.map {
                "\($0.name) \($0.result) \($0.version ?? 0)\($0.isPublished ? " published" : "")"
            }
        }

        private func model(_ name: String) throws -> ModelResource {
            try WireJSON.decode(
                ModelResource.self, from: server.hearth("models", "show", name, "--json").output.utf8)
        }

        @Test("Models arrive unpublished, and a second run changes nothing")
        func firstAndSecondRun() throws {
            #expect(try imports("--dry-run") == ["digits new 0", "other new 0"])
            #expect(try server.hearth("models", "show", "digits").exitCode == 1, "a dry run makes no model")
            #expect(try imports() == ["digits new 1", "other new 1"])
            #expect(try server.hearth("pull", "digits").exitCode == 1)
            let before = try model("digits")
            #expect(try imports() == ["digits unchanged 1", "other unchanged 1"])
            #expect(try model("digits") == before)

            #expect(try imports("--publish") == ["digits published 1 published", "other published 1 published"])
            #expect(try server.hearth("pull", "digits").exitCode == 0)
            let published = try model("digits")
            #expect(try imports("--publish") == ["digits unchanged 1 published", "other unchanged 1 published"])
            #expect(try model("digits") == published)
        }

        @Test("Other bytes are a new version, which only --publish gives to devices; an older file takes nothing back")
        func newBytes() throws {
            #expect(try imports("--publish") == ["digits new 1 published", "other new 1 published"])
            try put(SampleModels.secondFile, "digits")
            #expect(try imports() == ["digits newVersion 2", "other unchanged 1 published"])
            #expect(try model("digits").hearth?.releasedVersion == 1)
            #expect(try server.hearth("models", "publish", "digits").exitCode == 0)

            try put(SampleModels.file, "digits")
            #expect(try imports("--publish") == ["digits unchanged 1", "other unchanged 1 published"])
            #expect(try model("digits").hearth?.releasedVersion == 2)
        }

        @Test("A file that is no model fails alone, and the report names everything that was left out")
        func damaged() throws {
            let damaged = try SampleModels.damaged()[2]
            _ = try folder.write(damaged.bytes, to: "damaged.tflite")
            _ = try folder.write("<Error>".utf8, to: "expired.tflite")
            #expect(try imports(exitCode: 1) == ["damaged failed 0", "digits new 1", "other new 1"])
            #expect(try server.hearth("models", "show", "damaged").exitCode == 1, "whole or not at all")

            let text = try server.hearth("import", "firebase", folder.path)
            #expect(text.exitCode == 1)
            #expect(text.errors.contains("1 parts are not imported"))
            #expect(text.output.contains("damaged.tflite: This file is not a valid model"))
            #expect(text.output.contains("expired.tflite: It contains an error message"))
            #expect(text.output.contains("hearth models publish digits"))
            #expect(text.output.contains("Tags, and which models were published"))
        }
    }
}
