import Foundation
import HearthBackup
import HearthCatalog
import HearthStorage
import HearthStorageSQLite
import HearthTestSupport
import Testing

@testable import HearthServer

/// A data folder that Hearth at 859c831 made: two versions of a model, two releases, a template, two API keys and a token.
@Suite("A data folder of an earlier Hearth")
struct EarlierFormatTests {
    private let folder: TemporaryFolder
    private let data: String

    init() throws {
        folder = try TemporaryFolder()
        data = folder.path + "/data"
        try FileManager.default.copyItem(
            atPath: TestPaths.fixtures.appendingPathComponent("formats/859c831/data").path, toPath: data)
        // As that server left them; a checkout does not keep who may read a file.
        let paths = try FileManager.default.subpathsOfDirectory(atPath: data).map { data + "/" + $0 }
        for path in [data] + paths {
            let isFolder =
                try FileManager.default.attributesOfItem(atPath: path)[.type] as? FileAttributeType == .typeDirectory
            try FileManager.default.setAttributes([.posixPermissions: isFolder ? 0o700 : 0o600], ofItemAtPath: path)
        }
    }

    /// Starts and stops a server, which brings the database up to date.
    private func serve() throws {
        var configuration = try SettingsReader(
            flags: ["data": data, "port": "0", "log-level": "error"], environment: [:], file: nil
        ).configuration
        configuration.probeProgram = "/bin/false"
        let server = try Server(configuration)
        let start = try server.start()
        #expect(start.newProjectID == nil, "the project is known")
        server.stop()
    }

    @Test("The server opens it, and every record is there")
    func opens() throws {
        try serve()
        let store = try SQLiteMetadataStore(path: data + "/hearth.sqlite")
        let project = "hearth-default"
        let model = try #require(try store.read { try $0.models(project: project, after: 0, limit: 10) }.first)
        #expect(model.displayName == "adder")
        #expect(try store.read { try $0.versions(model: model.id) }.map(\.number) == [1, 2])
        #expect(try store.read { try $0.releases(model: model.id) }.count == 2)
        #expect(try store.read { try $0.apiKeys() }.count == 2)
        #expect(try store.read { try $0.adminTokens() }.map(\.name) == ["ci"])
        #expect(try store.read { try $0.template(project: project, namespace: "firebase", number: nil) }?.number == 1)
    }

    @Test("hearth admin verify finds nothing wrong in it")
    func verifies() throws {
        try serve()
        let report = try DataVerifier(data: data).run()
        #expect(report.problems.map(\.text) == [])
        #expect(report.blobs == 2)
    }
}
