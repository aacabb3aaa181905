import Foundation
import HearthTestSupport
import Testing

@testable import HearthCommandLine

/// The guide to operating a server says what the program does.
struct GuideTests {
    private static let path = TestPaths.package.appendingPathComponent("docs/guides/server.md").path

    private func guide() throws -> String { try String(contentsOfFile: Self.path, encoding: .utf8) }

    @Test func theTableOfSettingsIsTheProgramsOwn() throws {
        let parts = try guide().components(separatedBy: "<!-- settings: begin -->\n")
        let table = try #require(parts.last?.components(separatedBy: "<!-- settings: end -->").first)
        #expect(
            table.trimmingCharacters(in: .newlines) == ConfigurationTable.text,
            "put this between the two marks:\n\(ConfigurationTable.text)\n")
    }

    /// The settings in the examples exist and take these values.
    @Test func theExamplesAreAccepted() throws {
        let lines = try guide().components(separatedBy: "```ini\n").dropFirst()
            .flatMap { $0.components(separatedBy: "```")[0].split(separator: "\n") }
            .filter { line in line.contains(" = ") }
        #expect(lines.count == 4)
        let reader = try ConfigurationReader(
            flags: [:], environment: [:], file: (path: "guide", text: lines.joined(separator: "\n")))
        #expect(reader.configuration.accelRedirectPrefix == "/hearth-blobs/")
    }
}
