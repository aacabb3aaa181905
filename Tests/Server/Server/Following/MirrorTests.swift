import Foundation
import HearthCalls
import HearthCatalog
import HearthConcurrency
import HearthCrypto
import HearthIdentity
import HearthManagement
import HearthStorage
import HearthStorageSQLite
import HearthTestSupport
import HearthTransport
import HearthWire
import Testing

@testable import HearthServer

/// A follower, and a main server that may lie.
@Suite(.serialized) struct MirrorTests {
    private let folder: TemporaryFolder
    private let main: LyingMainServer
    private let metadata: SQLiteMetadataStore
    private let blobs: FileBlobStore
    private let status: MirrorStatus

    init() throws {
        folder = try TemporaryFolder()
        main = try LyingMainServer(folder.path + "/main")
        for name in ["site/blobs", "site/keys"] {
            try FileManager.default.createDirectory(atPath: folder.path + "/" + name, withIntermediateDirectories: true)
        }
        metadata = try SQLiteMetadataStore(path: folder.path + "/site/hearth.sqlite")
        blobs = try FileBlobStore(folder: folder.path + "/site/blobs")
        status = MirrorStatus(main: main.url, staleServingHours: 24, contactMicroseconds: 0)
    }

    private var layout: DataLayout { DataLayout(folder.path + "/site") }

    private func mirror(acceptsRestored: Bool = false, token: String = LyingMainServer.token) throws -> Mirror {
        var options = FollowOptions(mainURL: main.url, token: token, transport: CurlTransport())
        options.acceptsRestored = acceptsRestored
        let server = MainServer(
            url: main.url, token: token, transport: options.transport, cancellation: Cancellation())
        let state = try FollowState(layout) ?? FollowState(main: main.url)
        return try Mirror(server, (metadata, blobs), layout, state, options, status, log: { _ in })
    }

    private func exchange(diskReserveBytes: UInt64 = 0) -> InstallationExchange {
        InstallationExchange(
            MainServer(
                url: main.url, token: LyingMainServer.token, transport: CurlTransport(), cancellation: Cancellation()),
            (metadata, blobs), diskReserveBytes: diskReserveBytes)
    }

    /// Why the work was refused; nil if it was not.
    private func problem(_ body: () throws -> Void) -> MirrorProblem? {
        do {
            try body()
            return nil
        } catch {
            return error as? MirrorProblem
        }
    }

    private func served() throws -> [String] { try metadata.read { try $0.servedReleases().map(\.sha256) } }

    /// The state with changes.
    private func changeState(_ change: @escaping @Sendable (inout MirrorBodies.State) -> Void) {
        main.tell { path, answer in
            guard path.hasSuffix("/mirror"), answer.status == 200,
                var state = try? WireJSON.decode(MirrorBodies.State.self, from: answer.body)
            else { return answer }
            change(&state)
            let body = (try? WireJSON.encode(state)) ?? []
            return TransportResponse(status: 200, headers: answer.headers, body: body)
        }
    }

    @Test func theReleaseComesWithItsFile() throws {
        let mirror = try mirror()
        try mirror.poll()
        // The records are here, and the file is not.
        #expect(try metadata.read { try $0.model(displayName: "flowers", project: "hearth-default") } != nil)
        #expect(try served() == [])
        let next = try #require(mirror.nextMissing(except: []))
        try mirror.fetch(next.digest, size: next.size)
        #expect(try served() == [main.hash])
        #expect(mirror.nextMissing(except: []) == nil)
        // Asked again, nothing is different.
        let revision = metadata.servingRevision
        try mirror.poll()
        #expect(metadata.servingRevision == revision)
    }

    @Test(arguments: ["flipped", "shorter", "longer", "none"])
    func wrongBytesAreRefused(kind: String) throws {
        let mirror = try mirror()
        try mirror.poll()
        let next = try #require(mirror.nextMissing(except: []))
        main.tell { path, answer in
            guard path.contains("/files/") else { return answer }
            var answer = answer
            switch kind {
            case "flipped": answer.body[1000] ^= 1
            case "shorter": answer.body.removeLast()
            case "longer": answer.body.append(0)
            default: answer.body = []
            }
            return answer
        }
        #expect(problem { try mirror.fetch(next.digest, size: next.size) } != nil)
        #expect(try served() == [])
        #expect(try blobs.digests() == [])
        // As soon as it tells the truth, the file comes, whatever was left of it.
        main.tell { _, answer in answer }
        try mirror.fetch(next.digest, size: next.size)
        #expect(try served() == [main.hash])
        #expect(try blobs.digests().map(\.hex) == [main.hash])
    }

    /// The line breaks in the middle; the next try asks for the rest only.
    @Test func aTransferContinues() throws {
        let first = try mirror()
        try first.poll()
        let next = try #require(first.nextMissing(except: []))
        let ranges = Lock<[String]>([])
        main.tell { path, answer in
            guard path.contains("/files/") else { return answer }
            ranges.withLock { $0.append(answer.headers["Content-Range"] ?? "all") }
            var answer = answer
            // Its length says that more was to come.
            if answer.status == 200 { answer.body.removeLast(100_000) }
            return answer
        }
        #expect(problem { try first.fetch(next.digest, size: next.size) } != nil)
        // Also after a restart.
        let second = try mirror()
        try second.poll()
        try second.fetch(next.digest, size: next.size)
        #expect(try served() == [main.hash])
        #expect(ranges.withLock { $0 } == ["all", "bytes 200000-299999/300000"])
    }

    /// What is left of a transfer of a file that nobody needs any more, and of one that a killed process began.
    @Test func whatIsLeftOfATransferDisappears() throws {
        let mirror = try mirror()
        try mirror.poll()
        let next = try #require(mirror.nextMissing(except: []))
        main.tell { path, answer in
            guard path.contains("/files/") else { return answer }
            var answer = answer
            answer.body.removeLast(100_000)
            return answer
        }
        #expect(problem { try mirror.fetch(next.digest, size: next.size) } != nil)
        #expect(try blobs.resumable().count == 1)
        // It is kept as long as it is needed.
        try self.mirror().poll()
        #expect(try blobs.resumable().count == 1)
        let lost = "mirror-" + SHA256Hasher.hash([1, 2, 3][...]).hex
        _ = try blobs.resume(lost, from: 0, limitBytes: 10)
        #expect(try blobs.resumable().count == 2)
        changeState { $0.records[.release] = [] }
        let again = try self.mirror()
        try again.poll()
        #expect(try blobs.resumable() == [])
        #expect(try FollowState(layout)?.partial == [:])
        // As soon as it is needed again, it comes from its beginning.
        main.tell { _, answer in answer }
        let last = try self.mirror()
        try last.poll()
        try last.fetch(next.digest, size: next.size)
        #expect(try served() == [main.hash])
    }

    @Test func aStateThatCannotBeServedIsRefusedAndTheCopyStays() throws {
        let mirror = try mirror()
        try mirror.poll()
        let next = try #require(mirror.nextMissing(except: []))
        try mirror.fetch(next.digest, size: next.size)
        let lies: [@Sendable (inout MirrorBodies.State) -> Void] = [
            { $0.records[.version] = [] },
            { $0.records[.project] = [] },
            { $0.records.tables["pin"] = nil },
            { $0.records[.release][0][MirrorTable.release.index("audience")] = .text("{") },
            { $0.format = 99 },
            { $0.keys.deviceTokens = [[1]] },
            // A hash becomes the name of a file, and a length says how many bytes are taken.
            { $0.records[.version][0][MirrorTable.version.index("sha256")] = .text("../../../etc/passwd") },
            { state in
                let column = MirrorTable.version.index("sha256")
                let hash = state.records[.version][0][column].text ?? ""
                state.records[.version][0][column] = .text(hash.uppercased())
            },
            { $0.records[.version][0][MirrorTable.version.index("size_bytes")] = .integer(-5) },
            { $0.records[.version][0][MirrorTable.version.index("size_bytes")] = .integer(1 << 60) },
            { state in
                var second = state.records[.version][0]
                second[MirrorTable.version.index("number")] = .integer(2)
                second[MirrorTable.version.index("size_bytes")] = .integer(7)
                state.records[.version].append(second)
            },
            { $0.experimentFiles = [.init(project: "hearth-default", experiment: "a", sha256: "../x")] },
            { $0.revision = .max },
            { $0.revision = -1 },
        ]
        for lie in lies {
            changeState(lie)
            // It asks for the whole state.
            let again = try self.mirror()
            #expect(problem { try again.poll() }?.kind == .malformed)
            #expect(try served() == [main.hash])
        }
        main.tell { path, answer in
            path.hasSuffix("/mirror")
                ? TransportResponse(status: 200, headers: answer.headers, body: Array("nonsense".utf8)) : answer
        }
        #expect(problem { try self.mirror().poll() }?.kind == .malformed)
        #expect(try served() == [main.hash])
    }

    @Test func anOlderStateAndThatOfAnotherServerNeedAConsent() throws {
        try mirror().poll()
        let revision = try #require(try FollowState(layout)?.revision)
        changeState { $0.revision -= 1 }
        let age = status.ageSeconds
        #expect(problem { try mirror().poll() }?.kind == .backwards)
        #expect(status.ageSeconds >= age, "an answer that cannot be used does not make the copy younger")
        #expect(try FollowState(layout)?.revision == revision)
        changeState { $0.server = "another" }
        #expect(problem { try mirror().poll() }?.kind == .backwards)
        try mirror(acceptsRestored: true).poll()
        #expect(try FollowState(layout)?.server == "another")
    }

    /// Otherwise one wrong revision would make all true ones after it look older.
    @Test func aRevisionThatNoServerReachesIsRefusedAndTheTrueOneIsUsed() throws {
        try mirror().poll()
        let revision = try #require(try FollowState(layout)?.revision)
        for wrong in [revision + 2_000_000, 1 << 40, .max] {
            changeState { $0.revision = wrong }
            #expect(problem { try mirror().poll() }?.kind == .malformed)
            #expect(try FollowState(layout)?.revision == revision)
        }
        changeState { $0.revision += 1000 }
        try mirror().poll()
        #expect(try FollowState(layout)?.revision == revision + 1000)
        // One that was taken before.
        var follow = try #require(try FollowState(layout))
        follow.revision = .max
        try follow.write(layout)
        try mirror().poll()
        #expect(try FollowState(layout)?.revision == revision + 1000)
    }

    @Test func aWrongTokenIsNamed() throws {
        let refused = problem { try mirror(token: "hearth_wrong_token").poll() }
        #expect(refused?.kind == .refused)
        #expect(refused?.description.contains("--role mirror") == true)
    }

    private func installation(_ letter: String) -> Installation {
        Installation(
            projectID: "hearth-default", fid: "c" + String(repeating: letter, count: 21), appID: "1:1:ios:aa",
            createdMicroseconds: Timestamp.now.microseconds)
    }

    private func known(_ store: SQLiteMetadataStore) throws -> [String] {
        try store.read { try $0.installations(after: .start, limit: 100).map(\.fid).sorted() }
    }

    /// A device that was deleted at the main server stays so, also when others register at the follower.
    @Test func onlyWhatRegisteredHereGoesToTheMainServer() throws {
        let mainStore = try SQLiteMetadataStore(path: folder.path + "/main/hearth.sqlite")
        let (deleted, here) = (installation("a"), installation("b"))
        try mainStore.write { try $0.insert(deleted) }
        try mirror().poll()
        let first = exchange()
        try first.run { 1 }
        #expect(try known(metadata) == [deleted.fid])
        try mainStore.write { try $0.delete(deleted) }
        try metadata.write { store in
            try store.insert(here)
            try store.noteUnsent(here)
        }
        try first.run { 0 }
        #expect(try known(mainStore) == [here.fid])
        // Also after a restart.
        try exchange().run { 1 }
        #expect(try known(mainStore) == [here.fid])
    }

    /// Pages without an end, in the right order.
    private func tellOfManyInstallations() {
        let page = Lock(0)
        main.tell { path, answer in
            guard path.contains("/installations") else { return answer }
            let first = page.withLock { page in
                page += 1
                return page * MirrorBodies.Installations.pageLimit
            }
            let many = (first..<first + MirrorBodies.Installations.pageLimit).map { number in
                let digits = "\(number)"
                return MirrorBodies.Installation(
                    project: "hearth-default",
                    fid: "c" + String(repeating: "0", count: 21 - digits.count) + digits, appId: "app",
                    created: Int64(number + 1))
            }
            let body = (try? WireJSON.encode(MirrorBodies.Installations(installations: many))) ?? []
            return TransportResponse(status: 200, headers: answer.headers, body: body)
        }
    }

    private func count() throws -> Int { try metadata.read { try $0.installationCount(project: "hearth-default") } }

    @Test func moreInstallationsThanTheMainServerHasAreRefused() throws {
        try mirror().poll()
        tellOfManyInstallations()
        let refused = problem { try exchange().run { 3 } }
        #expect(refused?.kind == .malformed)
        #expect(refused?.description.contains("than it says it has (3)") == true)
        #expect(try count() == 2 * MirrorBodies.Installations.pageLimit)
    }

    @Test func installationsLeaveTheDiskReserve() throws {
        try mirror().poll()
        tellOfManyInstallations()
        #expect(problem { try exchange(diskReserveBytes: 1 << 60).run { 99_999_999 } }?.kind == .storage)
        #expect(try count() == 0)
    }

    @Test func theNoteNamesAProblemOfEachPartUntilItIsOver() {
        #expect(status.failed(MirrorProblem(.malformed, "no order"), .installations))
        #expect(!status.failed(MirrorProblem(.malformed, "no order"), .installations))
        #expect(status.failed(MirrorProblem(.storage, "no space"), .files))
        status.succeeded(revision: 7)
        #expect(status.note.hasSuffix("revision 7, no order, no space"))
        status.succeeded(.installations)
        #expect(status.note.hasSuffix("revision 7, no space"))
    }

    @Test func aListOfInstallationsThatIsTooLongIsRefused() throws {
        let many = (0...MirrorBodies.Installations.pageLimit).map { number in
            MirrorBodies.Installation(
                project: "hearth-default",
                fid: "c" + String(1_000_000_000_000_000_000_000 as Int128 + Int128(number)).dropFirst(),
                appId: "app", created: Int64(number + 1))
        }
        let body = try WireJSON.encode(MirrorBodies.Installations(installations: many))
        main.tell { path, answer in
            path.contains("/installations")
                ? TransportResponse(status: 200, headers: answer.headers, body: body) : answer
        }
        #expect(problem { try exchange().run { many.count } }?.kind == .malformed)
        #expect(try known(metadata) == [])
    }
}
