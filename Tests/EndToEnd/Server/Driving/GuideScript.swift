import EndToEndDriving
import Foundation
import HearthTestSupport

/// A guide's commands, in its order, as one script for `sh`.
struct GuideScript {
    let guide: String
    private let jsonFile: String

    /// - Parameters:
    ///   - name: of the guide in `docs/guides`.
    ///   - jsonFile: what its commands call the file that the guide shows as JSON.
    init(_ name: String, jsonFile: String) throws {
        guide = try String(
            contentsOf: TestPaths.package.appendingPathComponent("docs/guides/\(name)"), encoding: .utf8)
        self.jsonFile = jsonFile
    }

    var text: String {
        let blocks = guide.components(separatedBy: "\n```").dropFirst()
        return blocks.map { block -> String in
            if block.hasPrefix("sh\n") { return String(block.dropFirst(3)) + "\n" }
            if block.hasPrefix("json\n") { return "cat > \(jsonFile) <<'END'\n\(block.dropFirst(5))\nEND\n" }
            return ""
        }.joined()
    }

    /// Runs it in the folder, with `hearth` in the path and the server's credentials.
    func run(in folder: TemporaryFolder, against server: ServerProcess) throws -> Ending {
        try RunningProgram(
            "/usr/bin/env",
            [
                "-C", folder.path,
                "PATH=\((try HearthProgram.path() as NSString).deletingLastPathComponent):/usr/bin:/bin",
                "HEARTH_CREDENTIALS=\(server.adminFile)", "sh", "-ec", text,
            ]
        ).end(seconds: 60)
    }
}
