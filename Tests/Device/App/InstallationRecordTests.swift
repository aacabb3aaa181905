import Foundation
import HearthFiles
import HearthTestSupport
import Testing

@testable import HearthApp

@Suite("The identity on disk")
struct InstallationRecordTests {
    private let device: TestDevice

    init() throws { device = try TestDevice() }

    @Test("only its owner may read it")
    func mode() throws {
        _ = try device.client().authToken(forcingRefresh: false)
        let attributes = try FileManager.default.attributesOfItem(atPath: device.recordPath)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        let folder = try FileManager.default.attributesOfItem(atPath: device.folder.path + "/app")
        #expect(folder[.posixPermissions] as? Int == 0o700)
    }

    @Test(
        "a damaged record is replaced by a new identity",
        arguments: [
            "", "{", "null", "[]", "{}", #"{"fid":"short"}"#, #"{"fid":5}"#, "\u{0}\u{0}\u{0}", #"{"fid":""}"#,
            String(repeating: " ", count: 100_000), String(repeating: "[", count: 60_000),
        ])
    func damaged(contents: String) throws {
        let client = device.client()
        let id = try client.installationID()
        try Data(contents.utf8).write(to: URL(fileURLWithPath: device.recordPath))
        let healed = try client.installationID()
        #expect(healed != id)
        #expect(try client.installationID() == healed)
        #expect(try client.authToken(forcingRefresh: false).token == "auth-1")
    }

    @Test("an absurd expiry is no reason to stop, only to renew", arguments: [Int64.min, -1, 0, .max])
    func absurdExpiry(expires: Int64) throws {
        let client = device.client()
        _ = try client.authToken(forcingRefresh: false)
        var record = try #require(try InstallationRecord.load(folder: client.folder, files: DiskFiles()))
        record.authTokenExpires = expires
        try record.save(folder: client.folder, files: DiskFiles())
        #expect(try client.authToken(forcingRefresh: false).token == "auth-2")
    }

    @Test("after a power loss there is an identity, and a registration that was reported is still known")
    func crashes() throws {
        let recording = RecordingFiles(root: device.folder.path)
        let client = device.client(files: recording)
        let id = try client.installationID()
        recording.note("id")
        _ = try client.authToken(forcingRefresh: false)
        recording.note("registered")
        let count = try CrashReplay(recording).forEachState { state in
            let found = try InstallationRecord.load(folder: state.folder + "/app", files: DiskFiles())
            if state.notes.contains("id") { #expect(found?.fid == id, "\(state)") }
            if state.notes.contains("registered") { #expect(found?.refreshToken == "refresh-1", "\(state)") }
            #expect(found == nil || found?.fid == id, "\(state)")
        }
        #expect(count >= 12)
    }
}
