import EndToEndDriving
import Foundation
import HearthCalls
import HearthTestSupport
import HearthWire
import Testing

extension EndToEndSuites {
    /// Files that are broken, or made to break. Whoever is given one says so in one line and goes on.
    @Suite struct HostileFileTests {
        /// A failure as it should be: exit code 1 and nothing but one line that names the problem.
        private func expectOneLine(
            _ ending: ProcessResult, _ name: String, sourceLocation: SourceLocation = #_sourceLocation
        ) {
            #expect(ending.exitCode == 1, "\(name)", sourceLocation: sourceLocation)
            #expect(
                ending.errors.split(separator: "\n").count == 1 && ending.errorLines.count == 1,
                "\(name): \(ending.errors)", sourceLocation: sourceLocation)
        }

        /// Some damage goes unnoticed, because a model with other weights is still a model.
        private func expectOneLineOrSuccess(_ ending: ProcessResult, _ name: String) {
            if ending.exitCode == 0 {
                #expect(ending.errorLines.isEmpty, "\(name)")
            } else {
                expectOneLine(ending, name)
            }
        }

        @Test(.enabled(if: TestPaths.hasSharedData, "the shared data is absent"))
        func badImages() throws {
            for file in try Self.files("images/bad") {
                expectOneLine(try HearthProgram.run(["label", SampleModels.bundle, file]), file)
            }
        }

        @Test func aBadImageBetweenGoodOnes() throws {
            let folder = try TemporaryFolder()
            let bad = try folder.write(Array("not an image".utf8), to: "bad.png")
            let ending = try HearthProgram.run(
                ["label", SampleModels.bundle, SampleModels.image, bad, SampleModels.image, "--json"])
            #expect(ending.exitCode == 1)
            let lines = ending.output.split(separator: "\n")
            try #require(lines.count == 3)
            #expect(lines[0].contains("\"labels\"") && lines[2].contains("\"labels\""))
            #expect(lines[1].contains("\"error\"") && lines[1].contains(bad))
        }

        @Test(.enabled(if: TestPaths.hasSharedData, "the shared data is absent"))
        func invalidModels() throws {
            let server = try ServerProcess()
            for file in try Self.files("models/invalid") {
                expectOneLine(try HearthProgram.run(["label", file, SampleModels.image]), file)
                expectOneLine(try HearthProgram.run(["inspect", file]), file)
                expectOneLine(try server.hearth("models", "push", "invalid", file), file)
                try expectNoModel("invalid", on: server)
            }
            #expect(server.isRunning)
            #expect(try server.isHealthy())
        }

        @Test func damagedModels() throws {
            let server = try ServerProcess()
            let folder = try TemporaryFolder()
            for damaged in try SampleModels.damaged() {
                let file = try folder.write(damaged.bytes, to: damaged.name)
                expectOneLineOrSuccess(
                    try HearthProgram.run(["label", file, SampleModels.image, "--labels", SampleModels.labels]), file)
                let push = try server.hearth("models", "push", "damaged", file, "--publish")
                expectOneLineOrSuccess(push, file)
                if push.exitCode == 0 {
                    #expect(try server.hearth("models", "delete", "damaged", "--yes").exitCode == 0)
                } else {
                    try expectNoModel("damaged", on: server)
                }
                #expect(server.isRunning)
                #expect(try server.isHealthy())
            }
        }

        /// What surely is no model is refused, so that the test above cannot pass by accepting everything.
        @Test func truncatedAndRandomFilesAreRefused() throws {
            let folder = try TemporaryFolder()
            for damaged in try SampleModels.damaged() where !damaged.name.hasPrefix("flipped") {
                let file = try folder.write(damaged.bytes, to: damaged.name)
                expectOneLine(try HearthProgram.run(["inspect", file]), file)
            }
        }

        @Test func aMalformedFileCannotBePublishedByREST() throws {
            let server = try ServerProcess()
            let admin = try CurlAdmin(server)
            let file = try server.data.write(Array("nonsense".utf8), to: "bad.tflite")
            let upload: UploadResource = try admin.upload(file).decode()
            #expect(upload.validationError != nil)
            let created = try admin.create("bad", uri: upload.gcsTfliteUri)
            #expect(created.response?.state?.validationError?.message == "Invalid flatbuffer format")
            let published = try admin.publish(#require(created.response?.name))
            #expect(published.done)
            #expect(published.error?.code == 9)
            #expect(published.response == nil)
            #expect(try CurlDevice(server).info("bad").status == 404)
        }

        /// Devices keep the good version when a bad one is pushed onto a published model.
        @Test func aMalformedVersionDoesNotReachDevices() throws {
            let server = try ServerProcess()
            #expect(try server.hearth("models", "push", "digits", SampleModels.file, "--publish").exitCode == 0)
            let bad = try server.data.write(SampleModels.bytes().prefix(1000), to: "bad.tflite")
            expectOneLine(try server.hearth("models", "push", "digits", bad, "--publish"), bad)
            let pull = try server.hearth("pull", "digits", "--output", server.data.path + "/pulled")
            #expect(pull.exitCode == 0)
            #expect(try SampleModels.bytes(server.data.path + "/pulled") == SampleModels.bytes())
        }

        /// Nothing is left behind that could be published, or would have to be deleted.
        private func expectNoModel(_ name: String, on server: ServerProcess) throws {
            let publish = try server.hearth("models", "publish", name)
            #expect(publish.exitCode == 1)
            #expect(publish.errorLines.first?.hasPrefix("error: There is no model '\(name)'") == true)
        }

        private static func files(_ folder: String) throws -> [String] {
            let url = TestPaths.shared.appendingPathComponent(folder)
            let files = try FileManager.default.contentsOfDirectory(atPath: url.path).sorted()
            try #require(!files.isEmpty)
            return files.map { url.appendingPathComponent($0).path }
        }
    }
}

extension EndToEndSuites {
    /// What a model that took the probe over could do: nothing.
    @Suite struct SandboxTests {
        private struct Outcome: Decodable {
            var before: String
            var inside: String
        }

        @Test func everyWayOutIsClosed() throws {
            let server = try ServerProcess()
            #expect(try server.hearth("models", "push", "digits", SampleModels.file).exitCode == 0)
            let blob = try server.data.path + "/blobs/" + #require(server.storedFiles().first)
            let paths = [server.databaseFile, blob, server.adminFile, "/etc/passwd"]
            let ending = try HearthProgram.run(["probe", "--try-escape"] + paths)
            #expect(ending.exitCode == 0, "\(ending.errors)")
            let outcomes = try WireJSON.decode([String: Outcome].self, from: ending.output.utf8)
            let attempts = [
                "create a file", "socket", "socket to a local server", "second descriptor", "start a program",
                "start a thread", "signal another process", "executable memory",
            ]
            #expect(Set(outcomes.keys) == Set(paths.map { "open \($0)" } + attempts))
            for (attempt, outcome) in outcomes {
                // It must have been possible, or the refusal says nothing.
                #expect(outcome.before == "ok", "\(attempt)")
                #expect(["Operation not permitted", "Too many open files"].contains(outcome.inside), "\(attempt)")
            }
        }

        @Test func aProbeWithoutAModelSaysSo() throws {
            let ending = try HearthProgram.run(["probe"])
            #expect(ending.exitCode == 70, "no file's fault, so no verdict on one")
            #expect(ending.output.isEmpty)
            // Standard error is a file here.
            #expect(ending.errors.contains("the probe cannot read the model"))
        }

        @Test func aReportGoesToAFileAsWell() throws {
            let folder = try TemporaryFolder()
            let report = folder.path + "/report"
            let script = #""$0" probe 3<"$1" >"$2""#
            #expect(try HearthProgram.shell(script, SampleModels.file, report).waitForExit(seconds: 60).exitCode == 0)
            let lines = try String(contentsOfFile: report, encoding: .utf8).split(separator: "\n")
            #expect(try WireJSON.decode(ProbeReport.self, from: lines[0].utf8).verdict == .ok)
            #expect(try WireJSON.decode(ModelContract.Vision.self, from: lines[1].utf8).task == "labels")
            #expect(lines.count == 2)
        }
    }
}
