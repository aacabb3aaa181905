import Foundation
import HearthFiles
import HearthIdentity
import HearthStorage
import HearthTestSupport
import HearthWire
import Testing

@testable import HearthServer

/// The files of a first start, and what a new address changes in them.
struct CredentialsTests {
    private let temporary: TemporaryFolder
    private let folder: DataFolder
    private let pending: PendingCredentials
    private let projects: Set = ["demo-project"]

    init() throws {
        temporary = try TemporaryFolder()
        folder = try DataFolder(path: temporary.path)
        for name in folder.layout.folders { try DiskFiles().makeFolder(name, mode: 0o700) }
        pending = PendingCredentials(layout: folder.layout, folderID: "abc")
    }

    private func make() throws {
        let first = try NewProject(projectID: "demo-project", nowMicroseconds: 5)
        try CredentialsFileSet(folder: folder).write(first, admin: "http://old:1", device: "http://old:1", as: pending)
        #expect(try pending.activate() == [])
    }

    private func text(_ path: String) throws -> String { try String(contentsOfFile: path, encoding: .utf8) }

    private func update(_ url: String) throws {
        _ = try CredentialsFileSet(folder: folder).updateURL(admin: url, device: url, projects: projects)
    }

    @Test func filesGetTheirNamesOnlyWhenTheyAreSettled() throws {
        let first = try NewProject(projectID: "demo-project", nowMicroseconds: 5)
        try CredentialsFileSet(folder: folder).write(first, admin: "http://old:1", device: "http://old:1", as: pending)
        let names = try DiskFiles().list(folder.layout.credentialsFolder)
        #expect(names.count == 2 && names.allSatisfy { PendingCredentials.isPending($0, folderID: "abc") })
        #expect(!names.contains { PendingCredentials.isPending($0, folderID: "ab") })
        #expect(try pending.activate() == [])
        #expect(
            try DiskFiles().list(folder.layout.credentialsFolder)
                == ["GoogleService-Info.plist", "admin-service-account.json"])
        #expect(try pending.activate() == [], "a second time there is nothing to do")
    }

    @Test func settlingReplacesNothing() throws {
        _ = try temporary.write([UInt8]("mine".utf8), to: "credentials/admin-service-account.json")
        let first = try NewProject(projectID: "demo-project", nowMicroseconds: 5)
        try CredentialsFileSet(folder: folder).write(first, admin: "http://old:1", device: "http://old:1", as: pending)
        #expect(try pending.activate() == [pending.path(for: folder.adminCredentials)])
        #expect(try text(folder.adminCredentials) == "mine")
        #expect(PathKind(folder.deviceCredentials) == .file)
    }

    @Test func aNewAddressChangesOnlyTheAddress() throws {
        try make()
        // Written by hand: another order, entries of its own, nested members of the same name, blanks at the end.
        let key = try WireJSON.decode(
            ServiceAccountKey.self, from: DiskFiles().read(folder.adminCredentials, limitBytes: 1 << 20))
        let admin = try #require(String(data: JSONEncoder().encode(key.privateKey), encoding: .utf8))
        let before = """
            { "mine":{"hearth_url":"http://old:1"},"x":"\\"token_uri\\":","hearth_url" :  "http://old:1",
               "private_key":\(admin), "type":"service_account", "project_id":"demo-project","list":["hearth_url"],
             "private_key_id":"\(key.privateKeyID)", "client_email":"\(key.clientEmail)",\t"client_id":"\(key.clientID)",
             "token_uri":"http://old:1/token", "client_secret":"\(key.clientSecret)"  }

            """
        _ = try temporary.write(Array(before.utf8), to: "credentials/admin-service-account.json")
        let plist = try text(folder.deviceCredentials)
            .replacingOccurrences(of: "<dict>", with: "<dict><!-- ours -->\n<key>ADS</key><false/>")
        _ = try temporary.write(Array(plist.utf8), to: "credentials/GoogleService-Info.plist")
        try update("https://new.example/a&b")
        #expect(
            try text(folder.adminCredentials)
                == before.replacingOccurrences(
                    of: #""hearth_url" :  "http://old:1""#, with: #""hearth_url" :  "https://new.example/a&b""#
                ).replacingOccurrences(of: "http://old:1/token", with: "https://new.example/a&b/token"))
        #expect(
            try text(folder.deviceCredentials)
                == plist.replacingOccurrences(of: "http://old:1", with: "https://new.example/a&amp;b"))
    }

    @Test func aBinaryListKeepsItsEntries() throws {
        try make()
        let bytes = try DiskFiles().read(folder.deviceCredentials, limitBytes: 1 << 20)
        var list = try #require(
            try PropertyListSerialization.propertyList(from: Data(bytes), format: nil) as? [String: Any])
        list["MINE"] = [1, 2]
        let data = try PropertyListSerialization.data(fromPropertyList: list, format: .binary, options: 0)
        _ = try temporary.write(Array(data), to: "credentials/GoogleService-Info.plist")
        try update("http://new:2")
        let after = try PropertyListSerialization.propertyList(
            from: Data(DiskFiles().read(folder.deviceCredentials, limitBytes: 1 << 20)), format: nil)
        list["HEARTH_SERVER_URL"] = "http://new:2"
        #expect(NSDictionary(dictionary: try #require(after as? [String: Any])) == NSDictionary(dictionary: list))
    }

    @Test func anAddressThatIsNotFoundIsLeftToItsOwner() throws {
        try make()
        let before = try text(folder.adminCredentials).replacingOccurrences(
            of: "\"hearth_url\"", with: "\"hearth\\u005furl\"")
        _ = try temporary.write(Array(before.utf8), to: "credentials/admin-service-account.json")
        let error = #expect(throws: ServerStartError.self) { try update("http://new:2") }
        #expect(error?.description.contains("hearth_url") == true)
        #expect(try text(folder.adminCredentials) == before)
    }

    @Test func whatALinkLeadsToIsNotTouched() throws {
        try make()
        let elsewhere = temporary.path + "/elsewhere.json"
        try FileManager.default.moveItem(atPath: folder.adminCredentials, toPath: elsewhere)
        try FileManager.default.createSymbolicLink(atPath: folder.adminCredentials, withDestinationPath: elsewhere)
        let before = try text(elsewhere)
        try update("http://new:2")
        #expect(try text(elsewhere) == before)
        #expect(PathKind(folder.adminCredentials) == .link)
    }
}
