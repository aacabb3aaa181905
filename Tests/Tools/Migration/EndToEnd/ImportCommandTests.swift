import EndToEndDriving
import Foundation
import HearthCalls
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
            #expect(text.output.contains("hearth models publish NAME: for each model that the Firebase console shows"))
            #expect(!text.output.contains("hearth models publish digits"), "Firebase may not have published it")
            #expect(text.output.contains("Tags, and which models were published"))
            #expect(text.output.contains("import them with --service-account"))
            #expect(!text.output.contains("Impossible"))
        }

        @Test("A folder without a model is a mistake, and its folders are named as such")
        func noModels() throws {
            let other = try TemporaryFolder()
            _ = try other.write("x".utf8, to: "hosted_models/readme.txt")
            _ = try other.write("x".utf8, to: "main.swift")
            let ending = try server.hearth("import", "firebase", other.path)
            #expect(ending.exitCode == 1)
            #expect(ending.output.contains("There is no model in this folder"))
            #expect(ending.output.contains("hosted_models: It is a folder"))
            #expect(!ending.output.contains("Next:"))
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

        @Test("A version that is damaged or missing in the folder is a problem, also after its file was deleted")
        func incompleteFolder() throws {
            let kept = try kept([
                "remote-config/firebase/versions.json":
                    #"[{"versionNumber":"2","updateTime":"2026-01-02T00:00:00Z"},{"versionNumber":"1"}]"#,
                "remote-config/firebase/1.json": "{", "remote-config/firebase/2.json": version(2, "blue"),
            ])
            let damaged = try imports(kept)
            #expect(damaged.exitCode == 1)
            #expect(damaged.output.contains("1.json is damaged. Run the import with its source again."))
            #expect(!damaged.output.contains("Delete"))
            try FileManager.default.removeItem(atPath: kept.path + "/remote-config/firebase/1.json")
            let missing = try imports(kept)
            #expect(missing.exitCode == 1)
            #expect(missing.output.contains("version 1: its file is missing from the folder. Run the import with its"))
            #expect(try active().contains("blue"))
            // Without the newest one, nothing older becomes the version that devices get.
            try FileManager.default.moveItem(
                atPath: kept.path + "/remote-config/firebase/2.json",
                toPath: kept.path + "/remote-config/firebase/1.json")
            _ = try kept.write(version(1, "red").utf8, to: "remote-config/firebase/1.json")
            let empty = try ServerProcess()
            let older = try empty.hearth("import", "firebase", kept.path)
            #expect(older.exitCode == 1)
            #expect(older.output.contains("version 2: its file is missing") && older.output.contains("1 older version"))
            #expect(try !empty.hearth("remoteconfig", "get").output.contains("red"))
        }

        @Test("A list of versions that is damaged is named, and the versions still arrive")
        func damagedList() throws {
            let kept = try kept([
                "remote-config/firebase/versions.json": "[", "remote-config/firebase/1.json": version(1, "red"),
            ])
            let ending = try imports(kept)
            #expect(ending.exitCode == 1)
            #expect(ending.output.contains("versions.json is damaged. Run the import with its source again."))
            #expect(try active().contains("red"))
        }

        @Test("The project's own change of the template stays, and what Firebase made meanwhile is named once")
        func ownChange() throws {
            let kept = try kept([
                "remote-config/firebase/1.json": version(1, "red"), "remote-config/firebase/2.json": version(2, "blue"),
            ])
            #expect(try imports(kept).exitCode == 0)
            #expect(try server.hearth("remoteconfig", "set", "colour", "own").exitCode == 0)
            let same = try imports(kept, "--publish")
            #expect(same.exitCode == 0, "Firebase has nothing new")
            #expect(try active().contains("own"))
            for number in 3...5 {
                _ = try kept.write(version(number, "green").utf8, to: "remote-config/firebase/\(number).json")
            }
            for options in [["--dry-run"], [], ["--publish"]] {
                let ending = try server.hearth(["import", "firebase", kept.path] + options)
                #expect(ending.exitCode == 1)
                let lines = ending.output.split(separator: "\n").filter { $0.contains("cannot come under") }
                #expect(lines.count == 1)
                #expect(
                    lines.first?.contains("version 3 here is its own. So Firebase's versions 3 to 5 cannot") == true)
                #expect(lines.first?.contains("firebase/5.json with hearth remoteconfig get") == true)
                #expect(ending.output.contains("--publish does not replace it") == (options == ["--publish"]))
                #expect(!ending.output.contains("newer than"))
                #expect(try active().contains("own"))
            }
        }

        @Test("The project's own change is known even after the server removed all that came from Firebase")
        func ownChangeAfterRemoval() throws {
            // Older than the 90 days for which a server keeps versions.
            let old = { (number: Int) in version(number, "red").replacing("2026-01", with: "2020-01") }
            let kept = try kept([
                "remote-config/firebase/1.json": old(1), "remote-config/firebase/2.json": old(2),
            ])
            #expect(try imports(kept).output.contains("the server removes versions that are older than 90 days"))
            #expect(try server.hearth("remoteconfig", "set", "colour", "own").exitCode == 0)
            #expect(try !server.hearth("remoteconfig", "versions").output.contains("ann@example.com"))
            let same = try imports(kept, "--publish")
            #expect(same.exitCode == 0, "\(same.output)")
            #expect(try active().contains("own"))
            _ = try kept.write(version(4, "green").utf8, to: "remote-config/firebase/4.json")
            let later = try imports(kept, "--publish")
            #expect(later.exitCode == 1)
            #expect(later.output.contains("So Firebase's version 4 cannot come under its number"))
            #expect(try active().contains("own"))
        }

        @Test("A model whose file went out of the folder fails the import")
        func missingModel() throws {
            let kept = try kept([
                "models/digits.json": #"{"displayName":"digits","name":"x","tfliteModel":{"gcsTfliteUri":"gs://b/d"}}"#
            ])
            let ending = try imports(kept)
            #expect(ending.exitCode == 1)
            #expect(
                ending.output.contains(
                    "digits: Its file in the folder is missing. Run the import with its source again."))
            #expect(!ending.output.contains("does not say where"))
        }

        @Test("The key of a Hearth server claims no folder, and one line says what is wrong")
        func wrongKey() throws {
            let kept = folder.path + "/kept"
            let ending = try server.hearth(
                "import", "firebase", "--service-account", server.adminFile, "--keep", kept, "--fetch-only")
            #expect(ending.exitCode == 1)
            #expect(ending.output.isEmpty)
            #expect(ending.errors.split(separator: "\n").count == 1)
            #expect(ending.errors.contains("is the key of a Hearth server, or of another service, not of Google"))
            #expect(!FileManager.default.fileExists(atPath: kept))
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
