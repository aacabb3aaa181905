import Foundation
import HearthConcurrency
import HearthCrypto
import HearthFiles
import HearthTestSupport
import HearthTransport
import Testing

@testable import HearthFirebaseImport

/// Sends a file as a server would: with ranges, and with the faults that a test asks for.
private final class FileServer: Transport {
    /// What the next answers do; the last one stays.
    enum Behaviour: Sendable {
        case whole
        /// The connection breaks after so many bytes.
        case breaks(after: Int)
        case status(Int, headers: [(String, String)] = [])
        case wrongBytes
        case tooManyBytes
        /// Sends everything, whatever range was asked for.
        case ignoresRange
    }

    private struct State {
        var script: [Behaviour]
        var ranges: [String] = []
    }

    private let bytes: [UInt8]
    private let headers: [(String, String)]
    private let state: Lock<State>

    init(_ bytes: [UInt8], _ script: [Behaviour], headers: [(String, String)] = []) {
        self.bytes = bytes
        self.headers = headers
        state = Lock(State(script: script))
    }

    /// The ranges of the requests so far; "-" where there was none.
    var ranges: [String] { state.withLock { $0.ranges } }

    func send(
        _ request: TransportRequest, onHead: HeadHandler?, onBody: BodyHandler?
    ) throws(TransportError) -> TransportResponse {
        let behaviour = state.withLock { state in
            state.ranges.append(request.header("Range") ?? "-")
            return state.script.count > 1 ? state.script.removeFirst() : state.script[0]
        }
        let asked = request.header("Range").flatMap { Int($0.dropFirst(6).dropLast()) } ?? 0
        switch behaviour {
        case .status(let status, let headers):
            return try answer(status, headers, [], onHead, onBody)
        case .whole where asked == bytes.count, .breaks where asked == bytes.count:
            return try answer(416, [], [], onHead, onBody)
        case .whole: return try answer(from: asked, bytes, onHead, onBody)
        case .ignoresRange: return try answer(200, headers, bytes, onHead, onBody)
        case .wrongBytes: return try answer(from: asked, bytes.map { ~$0 }, onHead, onBody)
        case .tooManyBytes: return try answer(from: asked, bytes + [0], onHead, onBody)
        case .breaks(let count):
            _ = try answer(from: asked, Array(bytes.prefix(asked + count)), onHead, onBody)
            throw .interrupted("storage")
        }
    }

    private func answer(
        from start: Int, _ bytes: [UInt8], _ onHead: HeadHandler?, _ onBody: BodyHandler?
    ) throws(TransportError) -> TransportResponse {
        guard start > 0 else { return try answer(200, headers, bytes, onHead, onBody) }
        let range = ("Content-Range", "bytes \(start)-\(bytes.count - 1)/\(bytes.count)")
        return try answer(206, headers + [range], Array(bytes[start...]), onHead, onBody)
    }

    private func answer(
        _ status: Int, _ headers: [(String, String)], _ bytes: [UInt8], _ onHead: HeadHandler?, _ onBody: BodyHandler?
    ) throws(TransportError) -> TransportResponse {
        do {
            try onHead?(TransportResponseHead(status: status, headers: TransportHeaders(headers)))
            try bytes.withUnsafeBytes { try onBody?($0) }
        } catch {
            throw .aborted("storage", cause: error)
        }
        return TransportResponse(status: status, headers: TransportHeaders(headers))
    }
}

@Suite struct ModelFileDownloadTests {
    private let bytes = (0..<5000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private var path: String { folder.path + "/flowers.tflite" }
    private var hash: String { SHA256Hasher.hash(bytes).hex }

    private func download(
        _ server: FileServer, hash: String?, sizeBytes: UInt64? = 5000,
        renew: @escaping (FirebaseError) -> Bool = { _ in false }
    ) throws -> ModelFileDownload.Result {
        var options = FirebaseConnection.Options()
        options.sleep = { _ in }
        let download = ModelFileDownload(
            connection: FirebaseConnection(transport: server, options: options), path: path, name: "flowers",
            expected: .init(hash: hash, sizeBytes: sizeBytes, identity: "1"), progress: { _, _ in })
        return try download.run(renew: renew) { FirebaseConnection.Call(url: "https://s.example/a", subject: "it") }
    }

    private func expectWhole() throws {
        #expect(try Array(Data(contentsOf: URL(fileURLWithPath: path))) == bytes)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["flowers.tflite"])
    }

    @Test("The bytes arrive, and a hash of the source confirms them")
    func whole() throws {
        let result = try download(FileServer(bytes, [.whole]), hash: hash.uppercased())
        #expect(result.sha256 == hash)
        #expect(result.isConfirmed)
        try expectWhole()
    }

    @Test("A broken transfer goes on where it stopped")
    func broken() throws {
        let server = FileServer(bytes, [.breaks(after: 1000), .breaks(after: 2000), .status(503), .whole])
        _ = try download(server, hash: hash)
        #expect(server.ranges == ["-", "bytes=1000-", "bytes=3000-", "bytes=3000-"])
        try expectWhole()
    }

    @Test("A later run goes on with the bytes of an interrupted one, if a hash can confirm them")
    func laterRun() throws {
        let stopped = FileServer(bytes, [.breaks(after: 1000), .status(403)])
        #expect(throws: FirebaseError.self) { try download(stopped, hash: hash) }
        let server = FileServer(bytes, [.whole])
        _ = try download(server, hash: hash)
        #expect(server.ranges == ["bytes=1000-"])
        try expectWhole()
    }

    @Test("Without a hash, a later run begins again")
    func laterRunWithoutHash() throws {
        #expect(throws: FirebaseError.self) {
            try download(FileServer(bytes, [.breaks(after: 1000), .status(403)]), hash: nil)
        }
        let server = FileServer(bytes, [.whole])
        let result = try download(server, hash: nil)
        #expect(server.ranges == ["-"])
        #expect(!result.isConfirmed)
        try expectWhole()
    }

    @Test("A server that ignores the range sends everything again")
    func ignoredRange() throws {
        _ = try download(FileServer(bytes, [.breaks(after: 1000), .ignoresRange]), hash: hash)
        try expectWhole()
    }

    @Test("Wrong bytes are downloaded again, and never take the place of the file")
    func wrongBytes() throws {
        _ = try download(FileServer(bytes, [.wrongBytes, .tooManyBytes, .whole]), hash: hash)
        try expectWhole()
        try FileManager.default.removeItem(atPath: path)
        let error = #expect(throws: FirebaseError.self) { try download(FileServer(bytes, [.wrongBytes]), hash: hash) }
        #expect(error?.code == .damaged)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    }

    @Test("The storage's checksum confirms bytes without a hash, and finds damage")
    func checksum() throws {
        let header = [("x-goog-hash", "md5=AAAA,crc32c=" + CRC32C.checksum(bytes).base64)]
        let result = try download(FileServer(bytes, [.wrongBytes, .whole], headers: header), hash: nil)
        #expect(result.isConfirmed)
        try expectWhole()
    }

    @Test("An expired address is asked for again, and another refusal is final")
    func refusals() throws {
        _ = try download(FileServer(bytes, [.status(400), .whole]), hash: hash, renew: { $0.status == 400 })
        try expectWhole()
        let error = #expect(throws: FirebaseError.self) { try download(FileServer(bytes, [.status(404)]), hash: hash) }
        #expect(error?.status == 404)
    }

    @Test("A flaky connection is no reason to give up as long as bytes come")
    func flaky() throws {
        let long = [UInt8](repeating: 7, count: 2_000_000)
        let server = FileServer(long, Array(repeating: .breaks(after: 100_000), count: 19) + [.whole])
        _ = try download(server, hash: SHA256Hasher.hash(long).hex, sizeBytes: 2_000_000)
        #expect(server.ranges.count == 20)
    }

    @Test("An end of the file that the server does not confirm is no end, where nothing else tells")
    func falseEnd() throws {
        let server = FileServer(
            bytes, [.breaks(after: 1000), .status(416, headers: [("Content-Range", "bytes */5000")]), .whole])
        _ = try download(server, hash: nil, sizeBytes: nil)
        #expect(server.ranges == ["-", "bytes=1000-", "-"])
        try expectWhole()
    }

    @Test("A pause of a day is left to people")
    func longPause() throws {
        let busy = FileServer(bytes, [.status(429, headers: [("Retry-After", "3600")])])
        let error = #expect(throws: FirebaseError.self) { try download(busy, hash: hash) }
        #expect(error?.code == .busy)
        #expect(error?.endsImport == true)
    }
}
