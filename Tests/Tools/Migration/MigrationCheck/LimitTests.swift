import Foundation
import Testing

@testable import HearthMigrationCheck

/// Any folder ends, and what was not read is said.
@Suite struct LimitTests {
    private let app: AppFolder

    init() throws { app = try AppFolder() }

    @Test("Libraries, builds, links and hidden folders are not the app")
    func skipped() throws {
        let text = "import FirebaseMLModelDownloader\n"
        for path in ["Pods/a.swift", "app/build/a.swift", ".git/a.swift", "DerivedData/a.swift"] {
            try app.write(text, path)
        }
        let files = FileManager.default
        try files.createSymbolicLink(atPath: app.path + "/loop", withDestinationPath: app.path)
        try files.createSymbolicLink(atPath: app.path + "/link.swift", withDestinationPath: app.path + "/App/a.swift")
        #expect(try app.check(text, "App/a.swift").count == 1)
    }

    @Test("Files that name libraries in a form which the check does not know are listed as not read")
    func unknownManifests() throws {
        try app.write("dependencies:\n  firebase_ml_model_downloader: any\n", "pubspec.yaml")
        try app.write("import TensorFlowLite\n", "a.swift")
        #expect(try app.report().unread.keys.sorted() == ["pubspec.yaml"])
    }

    @Test("A pipe is not opened, and a folder may be named like a file")
    func pipes() throws {
        #expect(mkfifo(app.path + "/pipe.swift", 0o600) == 0)
        try app.write("import TensorFlowLite\n", "folder.swift/a.swift")
        #expect(try app.findings() == ["1 import TensorFlowLite stays"])
    }

    @Test("A large file, a file of bytes and a name that is no text are not read, and the report says so")
    func unread() throws {
        try app.write(String(repeating: "x", count: 5 << 20), "a.swift")
        try app.write(Data([0x4D, 0x00, 0x01]), "b.m")
        let name = Array((app.path + "/").utf8) + [0xFF] + Array(".swift".utf8) + [0]
        let descriptor = name.withUnsafeBufferPointer { bytes in
            bytes.withMemoryRebound(to: CChar.self) { open($0.baseAddress!, O_CREAT | O_WRONLY, 0o600) }
        }
        close(descriptor)
        let unread = try app.report().unread
        #expect(unread.keys.sorted() == ["a.swift", "b.m", "\u{FFFD}.swift"])
        #expect(unread["b.m"] == "It is not a text.")
    }

    @Test("A folder that is not there, or is a file, is an error")
    func noFolder() throws {
        try app.write("", "a.swift")
        for path in ["/nothing", "/a.swift"] {
            #expect(throws: (any Error).self) { try MigrationCheck(folder: app.path + path).run() }
        }
    }

    @Test("The report lists a limited number of places, and counts the others")
    func mostFindings() throws {
        let text = "import TensorFlowLite\n" + String(repeating: "Interpreter()\n", count: 50)
        try app.write(text, "a.swift")
        try app.write(text, "b.swift")
        let report = try MigrationCheck(folder: app.path, mostFindings: 60).run()
        #expect(report.findings.count == 60)
        #expect(report.findingsLeftOut == 42)
        #expect(report.filesRead == 2)
    }

    @Test(
        "Files made to be slow are read like others",
        arguments: ["#", "\"\\(", "/*", "\"", "a.", "libs.", "import ", "'"])
    func slow(_ piece: String) throws {
        let text = String(repeating: piece, count: (1 << 16) / piece.utf8.count)
        for name in ["a.swift", "a.kt", "a.gradle"] { try app.write(text, name) }
        #expect(try app.report().filesRead == 3)
    }
}
