import Foundation
import HearthFiles
import HearthTestSupport
import Testing

@testable import HearthApp

@Suite("The identity on disk")
struct InstallationRecordTests {
    private let device: TestDevice

    init() throws { device = try TestDevice() }

    @Test("Only its owner may read it")
    func mode() throws {
        _ = try device.client().authToken(forcingRefresh: false)
        let attributes = try FileManager.default.attributesOfItem(atPath: device.recordPath)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        let folder = try FileManager.default.attributesOfItem(atPath: device.folder.path + "/app")
        #expect(folder[.posixPermissions] as? Int == 0o700)
    }

    @Test(
        "A damaged record is replaced by a new identity",
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

    @Test("An absurd expiry only leads to a renewal", arguments: [Int64.min, -1, 0, .max])
    func absurdExpiry(expires: Int64) throws {
        let client = device.client()
        _ = try client.authToken(forcingRefresh: false)
        var record = try #require(try InstallationRecord.load(folder: client.folder, files: DiskFiles()))
        record.authTokenExpires = expires
        try record.save(folder: client.folder, files: DiskFiles())
        #expect(try client.authToken(forcingRefresh: false).token == "auth-2")
    }

    @Test("After a power loss there is an identity, and a registration that was reported is still known")
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

@Suite("The action for a caller that requests a token")
struct InstallationStepTests {
    private static let now: Int64 = 1_800_000_000
    private static let refresh = TokenAction.refresh(refreshToken: "r")

    private static func use(_ token: String, _ expires: Int64) -> TokenAction {
        .use(InstallationToken(token: token, expires: expires))
    }

    @Test(
        "The whole table",
        arguments: [
            (nil, nil, nil, false, .register), (nil, nil, nil, true, .register),
            (nil, "a", now + 9999, false, .register),
            ("r", nil, nil, false, refresh), ("r", "a", nil, false, refresh), ("r", nil, now + 9999, false, refresh),
            ("r", "a", now + 3601, false, use("a", now + 3601)), ("r", "a", now + 3601, true, refresh),
            ("r", "a", now + 3600, false, refresh), ("r", "a", now - 1, false, refresh),
            ("r", "a", now + 31_536_000, false, use("a", now + 31_536_000)),
            ("r", "a", now + 31_536_001, false, refresh),
            ("r", "a", .min, false, refresh), ("r", "a", .max, false, refresh),
        ] as [(String?, String?, Int64?, Bool, TokenAction)])
    func table(refresh: String?, token: String?, expires: Int64?, forcing: Bool, expected: TokenAction) {
        let record = InstallationRecord(
            fid: "f", refreshToken: refresh, authToken: token, authTokenExpires: expires, authTokenObtained: Self.now)
        #expect(TokenAction.next(record, forcingRefresh: forcing, nowSeconds: Self.now) == expected)
    }

    @Test(
        "A token that arrived while the clock was ahead is not used",
        arguments: [
            (now - 600_000, true), (now, true), (now + 300, true), (now + 301, false), (now + 31_000_000, false),
            (.max, false), (.min, true), (nil, false),
        ] as [(Int64?, Bool)])
    func clockAhead(obtained: Int64?, isBelieved: Bool) {
        let record = InstallationRecord(
            fid: "f", refreshToken: "r", authToken: "a", authTokenExpires: Self.now + 604_800,
            authTokenObtained: obtained)
        let step = TokenAction.next(record, forcingRefresh: false, nowSeconds: Self.now)
        #expect(step == (isBelieved ? Self.use("a", Self.now + 604_800) : Self.refresh))
    }

    @Test("New ids: 22 characters of base64url, 0111 in front, never twice")
    func identifiers() {
        let ids = (0..<500).map { _ in InstallationRecord.new().fid }
        #expect(Set(ids).count == 500)
        #expect(ids.allSatisfy { $0.count == 22 && "cdef".contains($0.prefix(1)) })
        #expect(ids.joined().allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_") })
    }

    @Test("The record of an earlier Hearth is read")
    func earlierFormat() throws {
        let folder = TestPaths.fixtures.appendingPathComponent("formats/859c831/device").path
        let record = try #require(try InstallationRecord.load(folder: folder, files: DiskFiles()))
        #expect(record.fid == "eW38hNqr9KVomvMk_BTeaD")
        #expect(record.refreshToken?.hasPrefix("3_5bDE9Coq") == true)
        #expect(record.authTokenExpires == 1_796_022_269)
    }
}
