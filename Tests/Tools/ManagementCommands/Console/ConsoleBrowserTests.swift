import Foundation
import HearthTestSupport
import Testing

@testable import HearthManagementCommands

@Suite("The browser that `hearth console` opens") struct ConsoleBrowserTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// - Parameter script: what the desktop does with the file, whose path is `$1`.
    private func open(_ script: String, fileSeconds: Int) throws -> Bool {
        let program = folder.path + "/xdg-open"
        try Data("#!/bin/sh\n\(script)\n".utf8).write(to: URL(fileURLWithPath: program))
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: program)
        return Browser.open(
            "http://127.0.0.1/console/sign-in#a&b",
            environment: ["DISPLAY": ":0", "PATH": folder.path, "XDG_RUNTIME_DIR": folder.path],
            fileSeconds: fileSeconds)
    }

    private var pages: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".html") } }
    }

    @Test("The browser gets a page that leads to the link; the page does not stay")
    func opens() throws {
        #expect(try open("/bin/cp \"$1\" \(folder.path)/seen", fileSeconds: 0))
        let seen = try String(contentsOfFile: folder.path + "/seen", encoding: .utf8)
        #expect(seen.contains("url=http://127.0.0.1/console/sign-in#a&amp;b\""))
        #expect(try pages == [])
    }

    @Test("The page stays while the link is valid, readable by this user only")
    func stays() throws {
        #expect(try open("exit 0", fileSeconds: 1))
        let page = try #require(try pages.first)
        let attributes = try FileManager.default.attributesOfItem(atPath: folder.path + "/" + page)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
    }

    @Test("No page stays where the browser does not start")
    func fails() throws {
        #expect(try !open("exit 3", fileSeconds: 60))
        #expect(try pages == [])
    }
}
