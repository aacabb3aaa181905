import Foundation
import HearthFiles
import HearthHTTP
import HearthManagement
import HearthRouting
import HearthStorage
import HearthStorageTestSupport
import HearthTestSupport
import Synchronization
import Testing

@testable import HearthManagementTestSupport

@Suite("Uploads leave a part of the disk free") struct DiskReserveTests {
    private static let mebibyte: UInt64 = 1 << 20
    private static let own = "/hearth/v1/projects/project-a/uploads"
    private static let storage = "/upload/storage/v1/b/project-a.hearth/o"

    private let files = FailingFiles()
    private let folder: TemporaryFolder
    private let service: TestService

    init() throws {
        folder = try TemporaryFolder()
        let blobs = try FileBlobStore(folder: folder.path, files: files)
        service = try TestService {
            $0.blobs = blobs
            $0.limits.diskReserveMebibytes = 256
        }
        files.pretendFreeBytes(300 * Self.mebibyte)
    }

    /// The ways in which a file of a known length comes.
    enum Road: CaseIterable {
        case whole, media, multipart, beginning, googleBeginning, part, googlePart
    }

    /// The answer before any byte has come; nil where bytes are wanted.
    private func announce(_ bytes: UInt64, _ road: Road) throws -> TestResponse? {
        var headers = try service.bearer()
        headers["Host"] = "127.0.0.1:8080"
        var (method, target, length) = (HTTPMethod.post, "", bytes)
        switch road {
        case .whole: target = Self.own
        case .media: target = Self.storage + "?uploadType=media&name=x"
        case .multipart:
            target = Self.storage + "?uploadType=multipart"
            headers["Content-Type"] = "multipart/related; boundary=x"
        case .beginning, .googleBeginning:
            target = road == .beginning ? Self.own + "?resumable=true" : Self.storage + "?uploadType=resumable&name=x"
            headers["X-Upload-Content-Length"] = "\(bytes)"
            return try service.call(.post, target, headers: headers)
        case .part, .googlePart:
            let begun =
                road == .part
                ? try service.call(.post, Self.own + "?resumable=true", headers: headers)
                : try service.beginResumable()
            (method, target, length) = (.put, try TestService.path(begun), 1)
            headers["Content-Range"] = "bytes 0-0/\(bytes)"
        }
        let head = try RequestHead(method: method, target: target, headers: headers, contentLength: length)
        return InProcessCall.run(service.handler, head, body: [], pieceBytes: 1, breaksOff: true)
    }

    @Test(
        "A file that would take from the reserve is refused before any of it comes, n and n + 1",
        arguments: Road.allCases)
    func announced(road: Road) throws {
        let fitting = try announce(44 * Self.mebibyte, road)
        #expect(fitting.map { $0.status < 300 } ?? true, "\(fitting?.text ?? "")")
        let refusal = try #require(try announce(44 * Self.mebibyte + 1, road))
        refusal.expectRefusal(
            507, "RESOURCE_EXHAUSTED",
            """
            The server's disk has 300 MiB free and keeps 256 MiB of it in reserve; this upload needs 45 MiB more. Free \
            some space, for example by cancelling unfinished uploads (hearth models uploads).
            """)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: folder.path).allSatisfy { $0.hasPrefix("growing-") })
    }

    /// From the second mebibyte on, something else fills the disk.
    private func fillTheDiskLater() {
        let written = Mutex(0)
        files.fail { [unowned files] step in
            guard case .write(_, let count) = step else { return nil }
            let all = written.withLock { written in
                written += count
                return written
            }
            if all > 1 << 20 { files.pretendFreeBytes(256 * Self.mebibyte - 1) }
            return nil
        }
    }

    private let large = [UInt8](repeating: 7, count: 4 << 20)

    @Test("A file of unknown length is refused where it reaches the reserve, and nothing of it stays")
    func growing() throws {
        fillTheDiskLater()
        let answer = try service.call(
            .post, Self.own, headers: try service.bearer(), body: large, announces: false, pieceBytes: 65_536)
        answer.expectRefusal(507, "RESOURCE_EXHAUSTED")
        #expect(answer.bodyBytesRead < 3 << 20)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
        #expect(service.log.lines.count == 1 && service.log.lines[0].contains("in reserve; it accepts no more bytes."))
    }

    @Test("An upload in parts that reaches it goes on when there is room again")
    func resumable() throws {
        let address = try service.resumableAddress()
        var headers = try service.bearer()
        headers["Content-Range"] = "bytes 0-\(large.count - 1)/\(large.count)"
        fillTheDiskLater()
        try service.call(.put, address, headers: headers, body: large, pieceBytes: 65_536)
            .expectStorageRefusal(507, "quotaExceeded")
        let held = try #require(try service.receivedBytesWhenIdle(address))
        #expect(held >= 1 << 20 && held < 3 << 20)
        #expect(try service.beginResumable().status == 507)
        files.fail { _ in nil }
        files.pretendFreeBytes(300 * Self.mebibyte)
        headers["Content-Range"] = "bytes \(held)-\(large.count - 1)/\(large.count)"
        let rest = try service.call(.put, address, headers: headers, body: Array(large[held...]), pieceBytes: 65_536)
        #expect(rest.status == 200, "\(rest.text)")
    }

    @Test("An upload of which all bytes are here is finished also where the reserve is no longer whole")
    func allHere() throws {
        let address = try service.resumableAddress()
        var headers = try service.bearer()
        headers["Content-Range"] = "bytes 0-\(large.count - 1)/*"
        try #require(try service.call(.put, address, headers: headers, body: large).status == 308)
        files.pretendFreeBytes(Self.mebibyte)
        headers["Content-Range"] = "bytes */\(large.count)"
        let end = try service.call(.put, address, headers: headers)
        #expect(end.status == 200, "\(end.text)")
    }

    @Test("Copies of what is stored elsewhere give way to uploads, so they are no reason to refuse one")
    func copies() throws {
        let blobs = BlobsWithCopies(
            base: try FileBlobStore(folder: folder.path), free: 10 * Self.mebibyte, copied: 300 * Self.mebibyte)
        let service = try TestService { services in
            services.blobs = blobs
            services.limits.diskReserveMebibytes = 256
        }
        #expect(try service.upload(FakeProbe.ok()).status == 200)
        #expect(try service.call(.get, "/readyz").text == "ok\n")
        let headers = try service.bearer()
        let length = 54 * Self.mebibyte + 1
        let head = try RequestHead(method: .post, target: Self.own, headers: headers, contentLength: length)
        let refusal = try #require(
            InProcessCall.run(service.handler, head, body: [], pieceBytes: 1, breaksOff: true))
        refusal.expectRefusal(507, "RESOURCE_EXHAUSTED")
    }

    @Test("Without a reserve all is taken, even where nothing is free")
    func none() throws {
        let files = files
        files.pretendFreeBytes(0)
        let blobs = try FileBlobStore(folder: folder.path, files: files)
        let service = try TestService { services in
            services.blobs = blobs
            services.limits.diskReserveMebibytes = 0
        }
        #expect(try service.upload(FakeProbe.ok()).status == 200)
    }
}

/// A store of which a part of the disk is copies that give way when somebody wants their space.
private struct BlobsWithCopies: ForwardingBlobStore {
    let base: any BlobStore
    let free: UInt64
    let copied: UInt64

    func freeBytes() throws(StorageError) -> UInt64 { free }
    func freeBytes(wanted: UInt64) throws(StorageError) -> UInt64 { wanted <= free + copied ? max(wanted, free) : free }

    var remoteStoreUse: RemoteStoreUse? {
        RemoteStoreUse(requests: 0, retries: 0, failures: 0, fetches: 0, cacheBytes: copied)
    }
}
