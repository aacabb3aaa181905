import HearthApp
import HearthCrypto
import HearthDeliveryTesting
import HearthFiles
import HearthTransport
import Synchronization
import Testing

@testable import HearthDelivery

@Suite("Downloads that go on where they stopped")
struct DownloadResumeTests {
    private let device: TestDevice
    private var host: ModelHost { device.host }

    init() throws {
        device = try TestDevice()
        device.host.publish(Sample.v2, as: "digits")
    }

    /// Fetches until 150,000 of 200,000 bytes are there, then fails for good: as far as a killed process would have come.
    private func fetchMost() async {
        host.fail(.file, with: .disconnect(afterBytes: 150_000))
        host.fail(.file, with: .status(404))
        #expect(await device.failure()?.code == .notFound)
        host.endFaults()
    }

    private func ranges() -> [String?] { host.requests(.file).map { $0.header("range") } }

    @Test("after a break, the rest is asked for, and only that is sent")
    func withinOneFetch() async throws {
        host.fail(.file, with: .disconnect(afterBytes: 150_000))
        #expect(try await device.fetch().get().contents == Sample.v2)
        #expect(ranges() == [nil, "bytes=150000-"])
        #expect(host.requests(.file).last?.header("if-range") == "\"\(Sample.hash(Sample.v2))\"")
        #expect(host.bytesSent == Sample.v2.count)
        #expect(host.requestCount(.info) == 1, "the link is still good")
    }

    @Test("after a restart of the app, the rest is asked for")
    func acrossRestarts() async throws {
        await fetchMost()
        let restarted = try TestDevice(host: host, sharingStoreOf: device)
        #expect(try await restarted.fetch().get().contents == Sample.v2)
        #expect(ranges().last == "bytes=150000-")
    }

    @Test("another version meanwhile: nothing of the old one is used")
    func newerVersion() async throws {
        await fetchMost()
        let other = Sample.v2.reversed() as [UInt8]
        host.publish(other, as: "digits")
        #expect(try await device.fetch().get().contents == other)
        #expect(ranges().last == .some(nil))
    }

    @Test("a server that knows no ranges sends the whole file again")
    func noRanges() async throws {
        await fetchMost()
        host.on(.file) { _, answer in answer = .init(body: Sample.v2) }
        #expect(try await device.fetch().get().contents == Sample.v2)
    }

    @Test(
        "without a strong validator nobody can tell that it is the same file: it is fetched whole",
        arguments: [nil, "W/\"x\""])
    func noValidator(etag: String?) async throws {
        host.on(.file) { _, answer in answer.setHeader("ETag", etag) }
        host.fail(.file, with: .disconnect(afterBytes: 150_000))
        #expect(try await device.fetch().get().contents == Sample.v2)
        #expect(ranges() == [nil, nil])
    }

    @Test(
        "a part that does not fit is refused, and the whole file asked for",
        arguments: [
            "bytes 0-199999/200000", "bytes 150001-199999/200000", "bytes 150000-199999/200001",
            "bytes 150000-199999999999999999999/*", "", "nonsense",
        ])
    func strangeParts(contentRange: String) async throws {
        await fetchMost()
        host.on(.file) { request, answer in
            if request.header("range") != nil { answer.setHeader("Content-Range", contentRange) }
        }
        #expect(try await device.fetch().get().contents == Sample.v2)
        #expect(ranges().suffix(2) == ["bytes=150000-", nil])
        #expect(device.clock.waits.count == 1, "only the break before was worth a pause")
    }

    @Test(
        "a login page in the place of the file costs nothing of what is there, announced length or not",
        arguments: [true, false])
    func loginPage(isAnnounced: Bool) async throws {
        await fetchMost()
        host.fail(.file, with: .captivePortal)
        host.on(.file) { _, answer in answer.isEndless = !isAnnounced }
        let failure = await device.failure()
        #expect(failure?.code == .malformedResponse && failure?.isTemporary == true)
        #expect(failure?.message.contains("log in") == true)
        host.endFaults()
        #expect(try await device.fetch().get().contents == Sample.v2)
        #expect(ranges().last == "bytes=150000-")
    }

    @Test("a server that takes every file for a web page is believed by the bytes")
    func wrongType() async throws {
        host.on(.file) { _, answer in answer.setHeader("Content-Type", "text/html; charset=utf-8") }
        #expect(try await device.fetch().get().contents == Sample.v2)
    }

    @Test("416 is an order to begin anew")
    func notSatisfiable() async throws {
        await fetchMost()
        host.on(.file) { request, answer in
            if request.header("range") != nil { answer = .init(status: 416) }
        }
        #expect(try await device.fetch().get().contents == Sample.v2)
    }

    @Test("416 and 206 that nobody asked for end it", arguments: [416, 206])
    func unaskedFor(status: Int) async {
        host.on(.file) { _, answer in answer.status = status }
        #expect(await device.failure()?.code == .serverFailed)
        #expect(host.requestCount(.file) == 1)
    }

    @Test("parts that end early are put together")
    func smallParts() async throws {
        host.on(.file) { request, answer in
            guard let range = request.header("range"), let start = Int(range.dropFirst(6).dropLast()) else {
                answer.breaksAfter = 60_000
                return
            }
            let end = min(start + 60_000, Sample.v2.count)
            answer.setHeader("Content-Range", "bytes \(start)-\(end - 1)/\(Sample.v2.count)")
            answer.body = Array(Sample.v2[start..<end])
        }
        #expect(try await device.fetch().get().contents == Sample.v2)
        #expect(host.requestCount(.file) == 4)
    }

    @Test("wrong bytes before the break: one clean start from zero mends it")
    func damagedPrefix() async throws {
        host.fail(.file, with: .alterByte(at: 10))
        let isFirst = Mutex(true)
        host.on(.file) { _, answer in
            let first = isFirst.withLock { first in
                defer { first = false }
                return first
            }
            if first { answer.breaksAfter = 150_000 }
        }
        #expect(try await device.fetch().get().contents == Sample.v2)
        #expect(ranges() == [nil, "bytes=150000-", nil])
    }

    @Test("wrong bytes in the rest, too: after one clean start it is an error")
    func damagedForGood() async {
        await fetchMost()
        host.fail(.file, with: .alterByte(at: 160_000), times: nil)
        let before = host.requestCount(.file)
        #expect(await device.failure()?.code == .wrongHash)
        #expect(host.requestCount(.file) == before + 2)
    }

    @Test("wrong bytes of a whole file are an error at once")
    func cleanButWrong() async {
        host.fail(.file, with: .alterByte(at: 160_000), times: nil)
        #expect(await device.failure()?.code == .wrongHash)
        #expect(host.requestCount(.file) == 1)
    }

    @Test("after wrong or too many bytes, the next fetch begins at zero", arguments: [true, false])
    func nothingKept(isEndless: Bool) async throws {
        host.fail(.file, with: isEndless ? .endless : .wrongHash)
        #expect(await device.failure() != nil)
        #expect(try await device.fetch().get().contents == Sample.v2)
        #expect(ranges() == [nil, nil])
    }

    @Test("a file that was whole when the process died needs no request")
    func complete() async throws {
        try leaveWholeFile()
        #expect(try await device.fetch().get().contents == Sample.v2)
        #expect(host.requestCount(.file) == 0)
    }

    private func leaveWholeFile() throws {
        let partial = try device.store().begin(
            name: "digits", digest: try #require(SHA256Digest(hex: Sample.hash(Sample.v2))),
            size: UInt64(Sample.v2.count))
        try partial.restart(validator: "\"x\"")
        try Sample.v2.withUnsafeBytes { try partial.write($0) }
    }

    @Test("progress goes on where it stopped")
    func progress() async throws {
        await fetchMost()
        let seen = Mutex<[UInt64]>([])
        _ = try await device.fetch { completed, _ in seen.withLock { $0.append(completed) } }.get()
        #expect(seen.withLock { $0.first } == 150_000)
        #expect(seen.withLock { $0.last } == UInt64(Sample.v2.count))
        #expect(seen.withLock { $0 == $0.sorted() })
    }
}

@Suite("How a download goes on where it stopped")
struct DownloadResumeRulesTests {
    private let range = [("Range", "bytes=400-"), ("If-Range", #""v1""#)]

    private func step(
        _ status: Int, _ headers: [(String, String)] = [], requested: [(String, String)]? = nil, size: UInt64 = 400
    ) -> ResumeRules.Step {
        ResumeRules.afterHead(
            status: status, headers: TransportHeaders(headers), requested: requested ?? range, size: size, total: 1000)
    }

    @Test(
        "the rest is asked for only where a strong validator can tell that the file is the same",
        arguments: [
            (400, #""v1""#, true), (0, #""v1""#, false), (400, nil, false), (400, #"W/"v1""#, false),
            (400, "v1", false),
            (400, #""""#, false), (400, #"""#, false), (400, "", false), (UInt64.max, #""v1""#, true),
        ] as [(UInt64, String?, Bool)])
    func requests(size: UInt64, validator: String?, asksForRest: Bool) {
        let headers = ResumeRules.headers(size: size, validator: validator)
        #expect(headers.map(\.0) == (asksForRest ? ["Range", "If-Range"] : []))
        #expect(headers.map(\.1) == (asksForRest ? ["bytes=\(size)-", validator ?? ""] : []))
    }

    @Test(
        "206 continues only what it fits",
        arguments: [
            ("bytes 400-999/1000", true), ("bytes 400-999/*", true), ("bytes 400-500/1000", true),
            ("BYTES 400-999/1000", true), ("bytes 399-999/1000", false), ("bytes 401-999/1000", false),
            ("bytes 0-999/1000", false), ("bytes 400-999/1001", false), ("bytes 400-1000/1000", false),
            ("bytes 400-399/1000", false), ("bytes */1000", false), ("bytes 400-/1000", false), ("400-999/1000", false),
            ("bytes -400-999/1000", false), ("", false),
            ("bytes 400-99999999999999999999999999/1000", false),
            ("bytes 99999999999999999999999999-999/1000", false), ("bytes=400-999/1000", false),
            ("items 400-999/1000", false),
        ])
    func contentRanges(text: String, isContinued: Bool) {
        #expect(step(206, [("Content-Range", text)]) == (isContinued ? .append : .requestWholeFile))
    }

    @Test("206 without a range, of another file, or unasked for, is of no use")
    func strangePart() {
        #expect(step(206) == .requestWholeFile)
        let fitting = ("Content-Range", "bytes 400-999/1000")
        #expect(step(206, [fitting, ("ETag", #""v1""#)]) == .append)
        #expect(step(206, [fitting, ("ETag", #""v2""#)]) == .requestWholeFile)
        #expect(step(206, [("Content-Range", "bytes 0-999/1000")], requested: [], size: 0) == .requestWholeFile)
    }

    @Test("416 means to forget what is there")
    func notSatisfiable() {
        #expect(step(416, [("Content-Range", "bytes */1000")]) == .requestWholeFile)
        #expect(step(416) == .requestWholeFile)
    }

    @Test(
        "200 brings the whole file, and its validator if that is a strong one",
        arguments: [
            (#""v2""#, #""v2""#), (#"W/"v2""#, nil), ("v2", nil), (nil, nil),
        ] as [(String?, String?)])
    func wholeFile(etag: String?, kept: String?) {
        for status in [200, 203, 299] {
            #expect(step(status, etag.map { [("ETag", $0)] } ?? []) == .startOver(validator: kept))
        }
    }
}
