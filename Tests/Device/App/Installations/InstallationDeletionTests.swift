import Foundation
import HearthDeviceTestSupport
import HearthFiles
import HearthTestSupport
import HearthTransport
import Testing

@testable import HearthApp

@Suite("Deleting an installation")
struct InstallationDeletionTests {
    private let device: TestDevice
    private let client: InstallationClient

    init() throws {
        device = try TestDevice()
        client = device.client()
    }

    private var deletions: [TransportRequest] { device.transport.requests.filter { $0.method == "DELETE" } }

    @Test("The server deletes it too, and the next call makes a new identity")
    func registered() throws {
        _ = try client.authToken(forcingRefresh: false)
        let id = try client.installationID()
        try client.delete()
        let request = try #require(deletions.first)
        #expect(request.url == "https://models.example.com/v1/projects/demo/installations/\(id)")
        #expect(request.header("authorization") == "FIS_v2 refresh-1")
        #expect(request.header("x-goog-api-key") == TestDevice.options().apiKey)
        #expect(!FileManager.default.fileExists(atPath: device.recordPath))
        #expect(try client.installationID() != id)
        #expect(try client.authToken(forcingRefresh: false).token == "auth-2")
    }

    @Test("An installation that the server does not know any more is deleted", arguments: [200, 204, 401, 404])
    func known(status: Int) throws {
        _ = try client.authToken(forcingRefresh: false)
        device.transport.answer { _ in .json("{}", status: status) }
        try client.delete()
        #expect(!FileManager.default.fileExists(atPath: device.recordPath))
    }

    @Test("When the server refuses, the identity stays", arguments: [400, 403, 429, 500, 503])
    func refused(status: Int) throws {
        _ = try client.authToken(forcingRefresh: false)
        let id = try client.installationID()
        device.transport.answer { _ in .json("", status: status) }
        let error = installationsError { try client.delete() }
        #expect(error?.localizedDescription == "The server responded with an error: HTTP status \(status)")
        #expect(try client.installationID() == id)
        #expect(try client.authToken(forcingRefresh: false).token == "auth-1")
    }

    @Test("Without a connection, the identity stays")
    func offline() throws {
        _ = try client.authToken(forcingRefresh: false)
        let id = try client.installationID()
        device.transport.answer { _ throws(TransportError) in throw TransportError(.couldNotConnect, "no network") }
        #expect(
            installationsError { try client.delete() }?.code == InstallationsErrorCode.serverUnreachable.rawValue)
        #expect(try client.installationID() == id)
    }

    @Test("An unregistered, damaged or missing identity is deleted without the server")
    func unregistered() throws {
        try client.delete()
        let id = try client.installationID()
        try client.delete()
        try client.delete()
        #expect(try client.installationID() != id)
        try Data("{".utf8).write(to: URL(fileURLWithPath: device.recordPath))
        try client.delete()
        #expect(!FileManager.default.fileExists(atPath: device.recordPath))
        #expect(device.transport.requests.isEmpty)
    }

    @Test("After a power loss the identity is there or not, and a deletion that was reported holds")
    func crashes() throws {
        let recording = RecordingFiles(root: device.folder.path)
        let client = device.client(files: recording)
        _ = try client.authToken(forcingRefresh: false)
        recording.note("registered")
        try client.delete()
        recording.note("deleted")
        let next = try client.installationID()
        recording.note("new")
        let count = try CrashReplay(recording).forEachState { state in
            let found = try InstallationRecord.load(folder: state.folder + "/app", files: DiskFiles())
            if state.notes.contains("new") {
                #expect(found?.fid == next, "\(state)")
            } else if state.notes.contains("deleted") {
                #expect(found == nil || found?.fid == next, "\(state)")
            }
        }
        #expect(count >= 12)
    }

    @Test("After a power loss during a new registration there is the old identity or the new one")
    func crashesWhileRenewing() throws {
        let recording = RecordingFiles(root: device.folder.path)
        let client = device.client(files: recording)
        _ = try client.authToken(forcingRefresh: false)
        let old = try client.installationID()
        recording.note("registered")
        let server = InstallationServer()
        device.transport.answer { $0.url.hasSuffix(":generate") ? .json("{}", status: 404) : server.answer($0) }
        _ = try client.authToken(forcingRefresh: true)
        let new = try client.installationID()
        recording.note("renewed")
        #expect(old != new)
        try CrashReplay(recording).forEachState { state in
            let found = try InstallationRecord.load(folder: state.folder + "/app", files: DiskFiles())
            guard state.notes.contains("registered") else { return }
            #expect(found?.fid == new || (found?.fid == old && !state.notes.contains("renewed")), "\(state)")
        }
    }
}
