import HearthCrypto
import HearthStorage
import HearthTestSupport
import Testing

@testable import HearthStorageS3

@Suite("Requests to a store that fails") struct S3ClientTests {
    private let store = StoreDouble()

    private func failure(_ body: () throws -> Void) -> StorageError? {
        do {
            try body()
            return nil
        } catch {
            return error as? StorageError
        }
    }

    private func read(_ client: S3Client, _ name: String, _ range: Range<UInt64>? = nil) throws -> [UInt8] {
        var found: [UInt8] = []
        try client.get(name, range: range) { found += $0 }
        return found
    }

    @Test("What may pass is tried again, with growing pauses", arguments: [429, 500, 502, 503, 504])
    func passingFailures(status: Int) throws {
        store.fail { _, number in number <= 3 ? .answer(status) : nil }
        try store.client().put("a", .bytes([1, 2]))
        #expect(store.bytes("a") == [1, 2] && store.calls.count == 4)
        let pauses = store.pauses
        for (number, range) in [0.05...0.1, 0.1...0.2, 0.2...0.4].enumerated() {
            #expect(range.contains(pauses[number]))
        }
    }

    @Test("A store that stays broken or away is unavailable, after as many tries as were set")
    func lastingFailures() throws {
        for fault in [StoreDouble.Fault.answer(503, body: StoreDouble.error("SlowDown")), .unreachable] {
            store.fail { _, _ in fault }
            let error = try #require(failure { try store.client(attempts: 3).put("a", .bytes([1])) })
            #expect(error.code == .unavailable && store.calls.count == 3)
            #expect(error.message.contains("bucket 'bucket' at http://store.test"))
        }
    }

    @Test("A store that asks for patience gets it, within limits")
    func retryAfter() throws {
        store.fail { _, number in
            number == 1 ? .answer(503, body: StoreDouble.error("SlowDown"), headers: [("Retry-After", "7")]) : nil
        }
        try store.client().put("a", .bytes([1]))
        #expect(store.pauses == [7])
        store.fail { _, _ in .answer(503, headers: [("Retry-After", "3600")]) }
        #expect(failure { try store.client().put("a", .bytes([1])) }?.code == .unavailable)
        #expect(store.calls.count == 1 && store.pauses == [7], "nobody waits for an hour")
    }

    @Test(
        "A refusal is not tried again, and its error says what to check",
        arguments: [
            (403, "AccessDenied", StorageError.Code.io, "Allow the access key"),
            (403, "SignatureDoesNotMatch", .io, "Check the secret key"),
            (403, "InvalidAccessKeyId", .io, "Check the access key"), (403, "RequestTimeTooSkewed", .io, "clock"),
            (400, "ExpiredToken", .io, "session token"), (404, "NoSuchBucket", .io, "Make the bucket"),
            (301, "PermanentRedirect", .io, "region"), (403, "QuotaExceeded", .noSpace, "quota"),
            (507, "", .noSpace, "Free space"), (400, "XAmzContentSHA256Mismatch", .corrupt, "changed on their way"),
            (400, "Whatever", .io, "400 Whatever"), (403, "", .io, "Check the keys"), (405, "<x>", .io, "status 405"),
        ])
    func refusals(status: Int, code: String, expected: StorageError.Code, advice: String) throws {
        store.fail { _, _ in .answer(status, body: StoreDouble.error(code)) }
        let error = try #require(failure { try store.client().put("a", .bytes([1])) })
        #expect(error.code == expected && error.message.contains(advice), "\(error)")
        #expect(store.calls.count == 1 && store.pauses.isEmpty)
        #expect(!"\(error)".contains("very-secret") && !String(reflecting: error).contains("very-secret"))
    }

    @Test("A successful answer that turns out a failure is one")
    func lateFailure() throws {
        store.set("a", [1])
        store.fail { _, number in number == 1 ? .answer(200, body: StoreDouble.error("InternalError")) : nil }
        try store.client().copy("a", to: "b", size: 1)
        #expect(store.bytes("b") == [1] && store.calls.count == 2)
    }

    @Test("A request whose answer was lost is sent again")
    func lostAnswer() throws {
        store.fail { _, number in number == 1 ? .lostAnswer : nil }
        let client = try store.client()
        try client.put("a", .bytes([1]))
        #expect(store.bytes("a") == [1] && store.calls.count == 2)
        try client.delete("a")
        #expect(store.keys.isEmpty)
    }

    @Test("A download goes on where it was cut, as often as it brings something")
    func cutDownload() throws {
        let bytes = (0..<1000).map { UInt8(truncatingIfNeeded: $0) }
        store.set("a", bytes)
        let client = try store.client(attempts: 2)
        store.fail { _, number in number <= 9 ? .cut(after: 100) : nil }
        #expect(try read(client, "a") == bytes)
        #expect(store.calls.compactMap { $0.headers["range"] } == (1...9).map { "bytes=\($0 * 100)-" })
        #expect(try read(client, "a", 5..<205) == Array(bytes[5..<205]))
        store.fail { _, _ in .cut(after: 0) }
        #expect(failure { _ = try read(client, "a") }?.code == .unavailable)
        #expect(store.calls.count == 2)
    }

    @Test("A store that ignores ranges, or answers with another one, does no harm")
    func ranges() throws {
        store.set("a", [0, 1, 2, 3, 4, 5])
        let client = try store.client()
        store.fail { _, _ in .otherBytes([0, 1, 2, 3, 4, 5]) }
        #expect(try read(client, "a", 2..<4) == [2, 3])
        store.fail { _, _ in .answer(206, body: "xy", headers: [("Content-Range", "bytes 0-1/6")]) }
        #expect(failure { _ = try read(client, "a", 2..<4) }?.code == .corrupt)
        store.fail { _, number in number == 1 ? .cut(after: 6) : nil }
        #expect(failure { _ = try read(client, "a") }?.code == .corrupt, "it announced more than it has")
    }

    @Test("What the receiver throws ends the download, and comes out")
    func receiverFails() throws {
        store.set("a", [1])
        let own = StorageError(.noSpace, "full")
        #expect(failure { try store.client().get("a") { _ in throw own } }?.code == .noSpace)
        #expect(store.calls.count == 1)
    }

    @Test("Lists go over all pages, and end when the store does not")
    func lists() throws {
        let client = try store.client()
        for number in 10..<35 { store.set("x/\(number)", [UInt8](repeating: 0, count: number)) }
        store.set("y", [])
        store.pages(of: 10)
        let found = try client.list("x/")
        #expect(found.map(\.name) == (10..<35).map { "x/\($0)" } && found.map(\.size) == (10..<35).map { UInt64($0) })
        #expect(found.allSatisfy { $0.modifiedSeconds == 1_800_000_000 })
        store.fail { _, _ in
            .answer(
                200,
                body:
                    "<ListBucketResult><IsTruncated>true</IsTruncated><NextContinuationToken>x</NextContinuationToken></ListBucketResult>"
            )
        }
        #expect(failure { _ = try client.list("") }?.code == .io)
        #expect(store.calls.count == 2)
    }

    @Test(
        "Lists that are none are refused",
        arguments: [
            "", "<html></html>", "<ListBucketResult><Contents><Key>a</Key></Contents></ListBucketResult>",
            "<!DOCTYPE x [<!ENTITY y \"z\">]><ListBucketResult>&y;</ListBucketResult>",
        ])
    func wrongLists(body: String) throws {
        store.fail { _, _ in .answer(200, body: body) }
        #expect(failure { _ = try store.client().list("") }?.code == .io)
    }

    @Test("A file in parts, of which some need a second try, or the answer to the last step is lost")
    func parts() throws {
        let folder = try TemporaryFolder()
        let bytes = (0..<2500).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        let path = try folder.write(bytes, to: "file")
        let client = try store.client()
        store.fail { call, number in
            if call.query["partNumber"] == "2" { return number == 2 ? .answer(500) : nil }
            return call.method == "POST" && call.query["uploadId"] != nil && number == 2 ? .lostAnswer : nil
        }
        try client.putInParts("big", path: path, size: 2500, partBytes: 1000)
        #expect(store.bytes("big") == bytes && store.unfinished == 0)
        #expect(store.lines.count { $0 == "PUT big" } == 4 && store.lines.count { $0 == "POST big" } == 3)
    }

    @Test("If a part cannot be stored, none is kept")
    func abortedParts() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write([UInt8](repeating: 1, count: 2500), to: "file")
        store.fail { call, _ in call.query["partNumber"] == "3" ? .answer(403) : nil }
        let client = try store.client()
        #expect(failure { try client.putInParts("big", path: path, size: 2500, partBytes: 1000) }?.code == .io)
        #expect(store.unfinished == 0 && store.keys.isEmpty && store.lines.last == "DELETE big")
    }

    @Test("What a dead server left is aborted after a day, and not before")
    func abandonedParts() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write([UInt8](repeating: 1, count: 2500), to: "file")
        // Neither the parts nor the abortion arrive, as when a server dies.
        store.fail { call, _ in call.method == "POST" ? nil : .unreachable }
        let client = try store.client()
        #expect(failure { try client.putInParts("big", path: path, size: 2500, partBytes: 1000) }?.code == .unavailable)
        #expect(store.unfinished == 1)
        store.fail(nil)
        store.wait(seconds: 86_400)
        #expect(try client.abortAbandonedParts() == 0)
        store.wait(seconds: 1)
        #expect(try client.abortAbandonedParts() == 1)
        #expect(store.unfinished == 0)
    }

    @Test("A bucket may be in the path or in the host's name")
    func addressing() throws {
        func link(_ addressing: String, _ endpoint: String) throws -> String {
            let configuration = try S3Configuration(url: "s3://models/p?addressing=\(addressing)&endpoint=\(endpoint)")
            let keys = try S3Credentials(accessKey: "A", secretKey: "B")
            return try S3Client(configuration, credentials: keys).presignedURL("a", seconds: 1)
        }
        #expect(try link("path", "https://store.test:443/").hasPrefix("https://store.test/models/p/a?"))
        #expect(try link("path", "http://store.test:443").hasPrefix("http://store.test:443/models/p/a?"))
        #expect(try link("host", "https://store.test:9000").hasPrefix("https://models.store.test:9000/p/a?"))
    }

    @Test("A link is valid for a week at most")
    func links() throws {
        let client = try store.client()
        #expect(
            try client.presignedURL("a b", seconds: 60).hasPrefix("http://store.test/bucket/a%20b?X-Amz-Algorithm="))
        for seconds in [0, 604_801] {
            #expect(failure { _ = try client.presignedURL("a", seconds: seconds) }?.code == .io)
        }
    }
}
