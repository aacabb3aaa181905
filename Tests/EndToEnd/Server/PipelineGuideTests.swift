import EndToEndDriving
import Foundation
import HearthTestSupport
import Testing

extension EndToEndSuites {
    /// The shell lines of the guide for pipelines, without those that install the package.
    @Suite struct PipelineGuideTests {
        @Test(
            "The lines of both pipelines publish to a tenth, a second run sends nothing, and another kind of model is refused",
            arguments: ["GitHub", "GitLab"])
        func publish(title: String) throws {
            let pipeline = try Pipeline()
            try pipeline.use(SampleModels.file)
            let once = try Pipeline.lines(below: "Once")
            #expect(once.count == 2)
            // Who makes the token and the first version is an owner, not the pipeline.
            for line in once {
                #expect(try pipeline.runAsOwner(line).exitCode == 0, "\(line)")
            }

            let lines = try Pipeline.lines(below: title)
            #expect(lines.count == 3)
            try pipeline.use(SampleModels.secondFile)
            let first = try pipeline.run(lines)
            #expect(first.exitCode == 0, "\(first.errors)")
            #expect(first.output.contains("Pushed 'flowers' version 2"), "\(first.output)")
            #expect(first.output.contains("10%"), "\(first.output)")
            let second = try pipeline.run(lines)
            #expect(second.exitCode == 0, "\(second.errors)")
            #expect(second.output.contains("Nothing new: 'flowers' version 2"), "\(second.output)")

            try pipeline.use(TestPaths.package.appendingPathComponent("Models/digits-detector/model.tflite").path)
            let refused = try pipeline.run(lines)
            #expect(refused.exitCode == 1)
            #expect(refused.errors.contains("does not fit apps written for version 1"), "\(refused.errors)")
            for ending in [first, second, refused] {
                #expect(!(ending.output + ending.errors).contains(pipeline.token))
            }
        }

        @Test("The lines for afterwards give the version to all devices, and take it back")
        func afterwards() throws {
            let pipeline = try Pipeline()
            try pipeline.use(SampleModels.file)
            for line in try Pipeline.lines(below: "Once") { _ = try pipeline.runAsOwner(line) }
            try pipeline.use(SampleModels.secondFile)
            _ = try pipeline.run(try Pipeline.lines(below: "GitHub"))
            let endings = try Pipeline.lines(below: "From a tenth to all").map { try pipeline.run([$0]) }
            #expect(endings.map(\.exitCode) == [0, 0, 0], "\(endings.map(\.errors))")
            #expect(endings[1].output.contains("version 2 to 100%"), "\(endings[1].output)")
            #expect(endings[2].output.contains("version 1 to 100%"), "\(endings[2].output)")
        }
    }
}

/// A server, and a folder in which a pipeline with a publisher's token runs lines of the guide.
private struct Pipeline {
    let server: ServerProcess
    let token: String
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        server = try ServerProcess()
        let made = try server.hearth("keys", "token", "create", "of-the-test", "--role", "publisher", "--json")
        token = String(try #require(made.output.firstMatch(of: #/"token":"([^"]+)"/#)?.1))
    }

    static func lines(below title: String) throws -> [String] {
        let guide = try String(
            contentsOf: TestPaths.package.appendingPathComponent("docs/guides/pipelines.md"), encoding: .utf8)
        let section = try #require(guide.components(separatedBy: "## \(title)\n").dropFirst().first)
        return section.components(separatedBy: "\n## ")[0].split(separator: "\n").map { line in
            let text = line.trimmingCharacters(in: .whitespaces)
            return text.hasPrefix("- ") ? String(text.dropFirst(2)) : text
        }.filter { $0.hasPrefix("hearth ") }
    }

    /// Makes it the file that the pipeline has trained.
    func use(_ model: String) throws { _ = try folder.write(SampleModels.bytes(model), to: "model.tflite") }

    func run(_ lines: [String]) throws -> ProcessResult { try run(lines, ["HEARTH_TOKEN=\(token)"]) }

    func runAsOwner(_ line: String) throws -> ProcessResult {
        try run([line], ["HEARTH_CREDENTIALS=\(server.data.path)/credentials/admin-service-account.json"])
    }

    private func run(_ lines: [String], _ credentials: [String]) throws -> ProcessResult {
        let script = try folder.write(Array((["set -e"] + lines).joined(separator: "\n").utf8), to: "pipeline.sh")
        let programs = (try HearthProgram.path() as NSString).deletingLastPathComponent
        return try RunningProgram(
            "/usr/bin/env",
            [
                "-i", "-C", folder.path, "PATH=\(programs):/usr/bin:/bin", "HEARTH_URL=\(server.url)",
                "HOME=\(folder.path)",
            ]
                + credentials + ["sh", script]
        ).waitForExit(seconds: 60)
    }
}
