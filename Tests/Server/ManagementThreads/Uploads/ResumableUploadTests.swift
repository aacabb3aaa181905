import Dispatch
import Foundation
import HearthCatalog
import HearthCrypto
import HearthFiles
import HearthHTTP
import HearthIdentity
import HearthManagement
import HearthRouting
import HearthStorage
import HearthTestSupport
import Synchronization
import Testing

@testable import HearthManagementTestSupport

@Suite("Resumable uploads") struct ResumableUploadTests {
    private let contents = Array(FakeProbe.ok("a model of some length, in several pieces").utf8)
    private var total: Int { contents.count }

    private func objects(_ service: TestService) throws -> [UploadedObject] {
        try service.services.metadata.read { try $0.objects(project: "project-a") }
    }

    @Test("The beginning answers with an absolute address and nothing else")
    func beginning() throws {
        let service = try TestService()
        let answer = try service.beginResumable(length: 100)
        #expect(answer.status == 200 && answer.body.isEmpty)
        let address = try TestService.path(answer)
        #expect(address.hasPrefix("/upload/storage/v1/b/project-a.hearth/o?uploadType=resumable&upload_id="))
        #expect(try TestService.path(service.beginResumable()) != address)
        #expect(address.split(separator: "=").last?.count == 32, "24 random bytes")
    }

    @Test("Chunks end in an object with its checksum")
    func chunks() throws {
        let service = try TestService()
        let address = try service.resumableAddress(length: total)
        #expect(try service.put(address, contents[..<10], range: "bytes 0-9/\(total)").receivedBytes == 10)
        #expect(try service.put(address, contents[10..<20], range: "bytes 10-19/\(total)").receivedBytes == 20)
        #expect(try objects(service).isEmpty)
        let checksum = CRC32C.checksum(contents).base64
        let last = try service.put(
            address, contents[20...], range: "bytes 20-\(total - 1)/\(total)",
            headers: ["x-goog-hash": "crc32c=\(checksum)"])
        #expect(last.status == 200 && last.string("crc32c") == checksum && last.string("size") == "\(total)")
        #expect(try service.services.blobs.size(of: SHA256Hasher.hash(contents)) == UInt64(total))
        #expect(try service.services.blobs.resumable().isEmpty)
    }

    @Test("A chunk sent again, one that overlaps and one that comes after the end change nothing")
    func repeats() throws {
        let service = try TestService()
        let address = try service.resumableAddress()
        for _ in 0..<2 {
            #expect(try service.put(address, contents[..<10], range: "bytes 0-9/\(total)").receivedBytes == 10)
        }
        #expect(try service.put(address, contents[5..<20], range: "bytes 5-19/\(total)").receivedBytes == 20)
        #expect(try service.put(address, contents[5..<15], range: "bytes 5-14/\(total)").receivedBytes == 20)
        var answers: [TestResponse] = []
        for _ in 0..<3 {
            answers.append(try service.put(address, contents[20...], range: "bytes 20-\(total - 1)/\(total)"))
        }
        answers.append(try service.question(address))
        #expect(answers.allSatisfy { $0.status == 200 && $0.body == answers[0].body })
        #expect(try objects(service).map(\.sha256) == [SHA256Hasher.hash(contents).hex])
    }

    @Test("The question how far it has come is answered at every stage")
    func questions() throws {
        let service = try TestService()
        let address = try service.resumableAddress()
        #expect(try service.question(address).receivedBytes == 0)
        #expect(try service.put(address, []).receivedBytes == 0, "a bare PUT is a question")
        _ = try service.put(address, contents[..<7], range: "bytes 0-6/*")
        #expect(try service.question(address).receivedBytes == 7)
        #expect(try service.question(address, total: "\(total)").receivedBytes == 7)
        #expect(try service.put(address, contents[7...], range: "bytes 7-\(total - 1)/*").receivedBytes == total)
        #expect(try service.question(address, total: "\(total)").status == 200, "now the end is known")
    }

    @Test("A PUT without a range is the whole file, announced or not")
    func wholeFile() throws {
        let service = try TestService()
        for announces in [true, false] {
            let address = try service.resumableAddress()
            _ = try service.put(address, contents[..<7], range: "bytes 0-6/*")
            let answer = try service.put(address, contents, announces: announces)
            #expect(answer.status == 200 && answer.string("crc32c") == CRC32C.checksum(contents).base64)
        }
        let address = try service.resumableAddress()
        _ = try service.put(address, contents[..<7], range: "bytes 0-6/*")
        try service.put(address, contents[..<3], announces: false).expectStorageRefusal(400, "invalid")
    }

    @Test("Gaps, contradictions and what lies beyond the end are refused, and the upload goes on")
    func contradictions() throws {
        let service = try TestService { $0.limits.uploadBytes = 100 }
        let address = try service.resumableAddress(length: total)
        _ = try service.put(address, contents[..<10], range: "bytes 0-9/\(total)")
        for (range, count) in [
            ("bytes 11-19/\(total)", 9), ("bytes 10-19/\(total + 1)", 10), ("bytes 10-\(total)/*", total - 9),
            ("bytes 10-19/\(total)", 9), ("bytes 10-19/\(total)", 11), ("bytes 19-10/\(total)", 10), ("nonsense", 10),
        ] {
            let answer = try service.put(address, [UInt8](repeating: 1, count: count), range: range)
            answer.expectStorageRefusal(400, "invalid")
            #expect(answer.bodyBytesRead == 0)
        }
        let long = try service.put(
            address, [UInt8](repeating: 1, count: 30), range: "bytes 10-19/\(total)", announces: false)
        long.expectStorageRefusal(400, "invalid", "The body is longer than Content-Range says.")
        let open = try service.resumableAddress()
        for range in ["bytes 0-9/101", "bytes 0-100/*", "bytes */101"] {
            let body = [UInt8](repeating: 1, count: range.hasSuffix("*") ? 101 : range.contains("0-9") ? 10 : 0)
            try service.put(open, body, range: range).expectStorageRefusal(413, "uploadTooLarge")
        }
        #expect(try service.receivedBytesWhenIdle(address) ?? 0 >= 10)
    }

    @Test("An announced length beyond the limit is refused at once")
    func announcedTooLong() throws {
        let service = try TestService { $0.limits.uploadBytes = 100 }
        #expect(try service.beginResumable(length: 100).status == 200)
        try service.beginResumable(length: 101).expectStorageRefusal(413, "uploadTooLarge")
        var headers = try service.bearer()
        for text in ["-1", "1e3", "18446744073709551616", " 5", ""] {
            headers["X-Upload-Content-Length"] = text
            try service.call(
                .post, "/upload/storage/v1/b/project-a.hearth/o?uploadType=resumable&name=x", headers: headers,
                body: []
            ).expectStorageRefusal(400, "invalid")
        }
    }

    @Test("A connection that breaks loses nothing of what came")
    func brokenConnection() throws {
        let service = try TestService()
        let address = try service.resumableAddress(length: total)
        var headers = try service.bearer()
        headers["Content-Range"] = "bytes 0-\(total - 1)/\(total)"
        let head = try RequestHead(method: .put, target: address, headers: headers, contentLength: UInt64(total))
        #expect(
            InProcessCall.run(service.handler, head, body: Array(contents[..<12]), pieceBytes: 5, breaksOff: true)
                == nil)
        #expect(try service.receivedBytesWhenIdle(address) == 12)
        let rest = try service.put(address, contents[12...], range: "bytes 12-\(total - 1)/\(total)")
        #expect(rest.string("crc32c") == CRC32C.checksum(contents).base64)
    }

    @Test("Bytes beyond those that were told, as a crash leaves them, are not taken for the upload's")
    func crash() throws {
        let service = try TestService()
        let address = try service.resumableAddress(length: total)
        _ = try service.put(address, contents[..<12], range: "bytes 0-11/\(total)")
        let id = try #require(service.services.blobs.resumable().first)
        let file = try #require(FileHandle(forWritingAtPath: service.blobFolder + "/growing-" + id))
        try file.seekToEnd()
        try file.write(contentsOf: Data(repeating: 0, count: 20))
        #expect(try service.question(address).receivedBytes == 12)
        let rest = try service.put(address, contents[12...], range: "bytes 12-\(total - 1)/\(total)")
        #expect(rest.string("crc32c") == CRC32C.checksum(contents).base64)
    }

    @Test("A crash between the last step of the bytes and their record loses nothing")
    func crashBeforeRecord() throws {
        let service = try TestService()
        let address = try service.resumableAddress(length: total)
        _ = try service.put(address, contents[..<12], range: "bytes 0-11/\(total)")
        let id = try #require(service.services.blobs.resumable().first)
        let blob = try #require(try service.services.blobs.resume(id, from: 12, limitBytes: 1000))
        try contents[12...].withUnsafeBytes { try blob.write($0) }
        let found = try blob.seal()
        try service.services.metadata.write { store in
            var session = try #require(try store.uploadSession(id: id))
            session.receivedBytes = UInt64(total)
            session.sha256 = found.sha256.hex
            session.crc32c = found.crc32c.value
            try store.update(session)
        }
        try blob.commit()
        #expect(try service.services.metadata.read { try $0.referencedHashes() }.contains(found.sha256.hex))
        let answer = try service.put(address, contents[12...], range: "bytes 12-\(total - 1)/\(total)")
        #expect(answer.status == 200 && answer.string("crc32c") == CRC32C.checksum(contents).base64)
        #expect(try objects(service).map(\.sha256) == [found.sha256.hex])
    }

    @Test("A failure right after the bytes moved to their place loses nothing either")
    func failureAfterTheMove() throws {
        let folder = try TemporaryFolder()
        let files = FailingFiles()
        let blobs = try FileBlobStore(folder: folder.path, files: files)
        let service = try TestService { $0.blobs = blobs }
        let address = try service.resumableAddress(length: total)
        _ = try service.put(address, contents[..<12], range: "bytes 0-11/\(total)")
        let hasMoved = Mutex(false)
        files.fail { step in
            if case .rename = step { hasMoved.withLock { $0 = true } }
            guard case .synchronizeFolder = step, hasMoved.withLock({ $0 }) else { return nil }
            return FileError(.io, "the cable is out")
        }
        let failed = try service.put(address, contents[12...], range: "bytes 12-\(total - 1)/\(total)")
        failed.expectStorageRefusal(500, "backendError", "The server failed to do this; its log says why.")
        #expect(try objects(service).isEmpty)
        files.fail { _ in nil }
        let again = try service.put(address, contents[12...], range: "bytes 12-\(total - 1)/\(total)")
        #expect(again.status == 200 && again.string("crc32c") == CRC32C.checksum(contents).base64)
        #expect(try objects(service).map(\.sha256) == [SHA256Hasher.hash(contents).hex])
    }

    @Test("A full disk is told, and the upload goes on when there is room again")
    func fullDisk() throws {
        let folder = try TemporaryFolder()
        let files = FailingFiles()
        let blobs = try FileBlobStore(folder: folder.path, files: files)
        let service = try TestService { $0.blobs = blobs }
        let address = try service.resumableAddress(length: total)
        _ = try service.put(address, contents[..<12], range: "bytes 0-11/\(total)")
        files.limitSpace(3)
        let full = try service.put(address, contents[12...], range: "bytes 12-\(total - 1)/\(total)")
        #expect(full.status == 507)
        files.fail { _ in nil }
        #expect(try service.receivedBytesWhenIdle(address) == 12)
        let answer = try service.answerWhenIdle {
            try service.put(address, contents[12...], range: "bytes 12-\(total - 1)/\(total)")
        }
        #expect(answer.string("crc32c") == CRC32C.checksum(contents).base64)
    }

    @Test("An upload whose bytes are gone says so, once, and is forgotten")
    func lostBytes() throws {
        let service = try TestService()
        let address = try service.resumableAddress(length: total)
        _ = try service.put(address, contents[..<12], range: "bytes 0-11/\(total)")
        try service.services.blobs.removeResumable(try #require(service.services.blobs.resumable().first))
        try service.put(address, contents[12...], range: "bytes 12-\(total - 1)/\(total)")
            .expectStorageRefusal(404, "notFound")
        try service.question(address).expectStorageRefusal(404, "notFound")
    }

    @Test("A wrong checksum ends the upload without an object")
    func wrongChecksum() throws {
        let service = try TestService()
        let address = try service.resumableAddress(length: total)
        try service.put(address, contents, headers: ["x-goog-hash": "crc32c=AAAAAA=="])
            .expectStorageRefusal(400, "invalid")
        let announced = try TestService.path(
            service.beginResumable(#"{"name": "x", "crc32c": "AAAAAA=="}"#, length: total))
        try service.put(announced, contents).expectStorageRefusal(400, "invalid")
        #expect(try objects(service).isEmpty)
        #expect(try service.services.blobs.resumable().isEmpty)
        try service.question(address).expectStorageRefusal(404, "notFound")
    }

    @Test("An upload belongs to who began it; an id cannot be guessed or bent")
    func ownership() throws {
        let service = try TestService()
        let address = try service.resumableAddress(length: total)
        _ = try service.put(address, contents[..<12], range: "bytes 0-11/\(total)")
        try service.put(address, [1], range: "bytes 12-12/\(total)", as: service.b)
            .expectStorageRefusal(404, "notFound")
        let stem = String(address.prefix { $0 != "=" }) + "=resumable&upload_id="
        for id in ["", "x", "..%2F..%2Fx", "%2e%2e", "growing-", String(repeating: "A", count: 32), "'%20OR%201=1--"] {
            try service.put(stem + id, [1], range: "bytes 0-0/1").expectStorageRefusal(404, "notFound")
            try service.call(.delete, stem + id, headers: try service.bearer()).expectStorageRefusal(404, "notFound")
        }
        try service.call(.delete, address, headers: try service.bearer(service.b)).expectStorageRefusal(404, "notFound")
        #expect(try service.question(address).receivedBytes == 12)
    }

    @Test("Another account of the same project can neither go on with an upload nor cancel it")
    func colleague() throws {
        let service = try TestService()
        let address = try service.resumableAddress(length: total)
        _ = try service.put(address, contents[..<12], range: "bytes 0-11/\(total)")
        let colleague: HTTPHeaders = [
            "Authorization": "Bearer \(try service.accessToken(service.addAccount("colleague", .publisher)))"
        ]
        try service.put(address, [1], range: "bytes 12-12/\(total)", headers: colleague)
            .expectStorageRefusal(404, "notFound")
        try service.put(address, [], headers: colleague).expectStorageRefusal(404, "notFound")
        try service.call(.delete, address, headers: colleague).expectStorageRefusal(404, "notFound")
        #expect(try service.question(address).receivedBytes == 12)
    }

    @Test("What is cancelled is gone")
    func cancellation() throws {
        let service = try TestService()
        let address = try service.resumableAddress(length: total)
        _ = try service.put(address, contents[..<12], range: "bytes 0-11/\(total)")
        #expect(try service.call(.delete, address, headers: try service.bearer()).status == 499)
        try service.question(address).expectStorageRefusal(404, "notFound")
        #expect(try service.services.blobs.resumable().isEmpty)
    }

    @Test("An upload that nothing comes for expires")
    func expiry() throws {
        let service = try TestService()
        let address = try service.resumableAddress(length: total)
        _ = try service.put(address, contents[..<12], range: "bytes 0-11/\(total)")
        service.time.advance(seconds: Int64(service.services.limits.uploadSessionDays) * 86_400)
        #expect(try service.question(address).receivedBytes == 12)
        service.time.advance(seconds: 1)
        try service.question(address).expectStorageRefusal(404, "notFound")
        try service.call(.delete, address, headers: try service.bearer()).expectStorageRefusal(404, "notFound")
    }

    @Test("A project has as many uploads under way as it may have, and no more")
    func count() throws {
        let service = try TestService { $0.limits.uploadSessionsPerProject = 2 }
        let first = try service.resumableAddress(length: total)
        _ = try service.resumableAddress()
        try service.beginResumable().expectStorageRefusal(429, "rateLimitExceeded")
        #expect(try service.beginResumable(as: service.b).status == 200, "another project has its own")
        #expect(try service.put(first, contents).status == 200)
        #expect(try service.beginResumable().status == 200, "one that is finished does not count")
    }

    @Test("Of finished uploads the newest are remembered, and no more than may be under way")
    func finishedOnes() throws {
        let service = try TestService { $0.limits.uploadSessionsPerProject = 2 }
        let addresses = try (0..<4).map { _ in
            let address = try service.resumableAddress()
            #expect(try service.put(address, contents).status == 200)
            service.time.advance(seconds: 1)
            return address
        }
        _ = try service.resumableAddress()
        #expect(try addresses.map { try service.question($0).status } == [404, 404, 200, 200])
    }

    @Test("Of requests at once one writes and the others are sent away; the file is right")
    func concurrent() throws {
        let service = try TestService()
        let address = try service.resumableAddress(length: total)
        DispatchQueue.concurrentPerform(iterations: 8) { _ in
            #expect(throws: Never.self) {
                for cut in [5, 17, total] {
                    let answer = try service.put(address, contents[..<cut], range: "bytes 0-\(cut - 1)/\(total)")
                    #expect([200, 308, 503].contains(answer.status))
                }
            }
        }
        let answer = try service.put(address, contents, range: "bytes 0-\(total - 1)/\(total)")
        #expect(answer.status == 200 && answer.string("crc32c") == CRC32C.checksum(contents).base64)
        #expect(try objects(service).map(\.sha256) == [SHA256Hasher.hash(contents).hex])
    }

    @Test("While one request writes, another is sent away and nothing is mixed")
    func held() throws {
        let service = try TestService()
        let address = try service.resumableAddress(length: total)
        var headers = try service.bearer()
        headers["Content-Range"] = "bytes 0-\(total - 1)/\(total)"
        let head = try RequestHead(method: .put, target: address, headers: headers, contentLength: UInt64(total))
        guard case .streaming(let receiver) = service.handler.plan(for: head) else {
            Issue.record("no body is wanted")
            return
        }
        try contents[..<10].withUnsafeBytes { try receiver.receive($0) }
        let other = try service.put(address, contents, range: "bytes 0-\(total - 1)/\(total)")
        other.expectStorageRefusal(503, "backendError")
        #expect(other.bodyBytesRead == 0)
        try service.question(address).expectStorageRefusal(503, "backendError")
        receiver.abandon()
        let answer = try service.answerWhenIdle { try service.put(address, contents) }
        #expect(answer.string("crc32c") == CRC32C.checksum(contents).base64)
    }
}
