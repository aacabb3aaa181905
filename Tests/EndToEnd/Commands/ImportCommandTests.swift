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
            #expect(text.errors.contains("1 part is not imported"))
            #expect(text.output.contains("damaged.tflite: This file is not a valid model"))
            #expect(text.output.contains("expired.tflite: It contains an error message"))
            #expect(text.output.contains("hearth models publish digits"))
            #expect(text.output.contains("Tags, and which models were published"))
        }

        // MARK: A folder that came from Google

        private func version(_ number: Int, _ value: String, _ more: String = "") -> String {
            """
            {"parameters":{"colour":{"defaultValue":{"value":"\(value)"}}\(more)},
             "version":{"versionNumber":"\(number)","updateTime":"2026-01-0\(number)T00:00:00Z","updateUser":{"email":"ann@example.com"}}}
            """
        }

        private func kept(_ files: [String: String]) throws -> TemporaryFolder {
            let kept = try TemporaryFolder()
            _ = try kept.write(#"{"projectID":"project-a","format":1}"#.utf8, to: "firebase.json")
            for (name, text) in files { _ = try kept.write(text.utf8, to: name) }
            return kept
        }

        private func imports(_ kept: TemporaryFolder, _ options: String...) throws -> ProcessResult {
            try server.hearth(["import", "firebase", kept.path] + options)
        }

        private func active() throws -> String { try server.hearth("remoteconfig", "get").output }

        @Test("A template's history arrives, devices get the newest version, and a dry run only says so")
        func template() throws {
            let kept = try kept([
                "remote-config/firebase/1.json": version(1, "red"), "remote-config/firebase/2.json": version(2, "blue"),
            ])
            let dry = try imports(kept, "--dry-run")
            #expect(dry.output.contains("2 would be imported"))
            #expect(dry.output.contains("version 2 would be the active one"))
            #expect(try !active().contains("blue"))
            #expect(try imports(kept).exitCode == 0)
            #expect(try active().contains("blue"))
            #expect(try imports(kept).output.contains("0 imported, 2 were there already."))
            // A newer one waits for --publish, and that is no failure.
            _ = try kept.write(version(3, "green").utf8, to: "remote-config/firebase/3.json")
            let later = try imports(kept)
            #expect(later.exitCode == 0)
            #expect(later.output.contains("1 version up to 3: newer than version 2 on the server."))
            #expect(try active().contains("blue"))
            #expect(try imports(kept, "--publish").exitCode == 0)
            #expect(try active().contains("green"))
        }

        @Test("If the server refuses the newest version, no older one takes its place, and a dry run says so")
        func refusedTemplate() throws {
            let kept = try kept([
                "remote-config/firebase/1.json": version(1, "red"),
                "remote-config/firebase/2.json": version(2, "blue", #","1 wrong key":{}"#),
            ])
            for options in [["--dry-run"], []] {
                let ending = try server.hearth(["import", "firebase", kept.path] + options)
                #expect(ending.exitCode == 1)
                #expect(ending.output.contains("version 2: "), "\(ending.output)")
                #expect(ending.output.contains("1 older version: not imported"))
                #expect(try !active().contains("red"))
            }
        }

        @Test("Bytes that changed in the folder are not imported")
        func changedBytes() throws {
            let kept = try kept([
                "models/digits.json":
                    #"{"displayName":"digits","name":"x","modelHash":"\#(String(repeating: "0", count: 64))"}"#
            ])
            _ = try kept.write(SampleModels.bytes(SampleModels.file), to: "models/digits.tflite")
            let ending = try imports(kept)
            #expect(ending.exitCode == 1)
            #expect(ending.output.contains("is not the one that came from Firebase"))
            #expect(try server.hearth("models", "show", "digits").exitCode == 1)
        }
    }
}
