import HearthApp
import HearthCrypto
import HearthDeliveryTesting
import HearthFiles
import HearthTransport
import Synchronization
import Testing

@testable import HearthDelivery

@Suite("Downloads that resume where they stopped")
struct DownloadResumeTests {
    private let device: TestDevice
    private var host: ModelHost { device.host }

    init() throws {
        device = try TestDevice()
        device.host.publish(Sample.v2, as: "digits")
    }

    /// Downloads until 150,000 of 200,000 bytes have arrived, then fails permanently: the state that a killed process
    /// would leave.
    private func fetchMost() async {
        host.fail(.file, with: .disconnect(afterBytes: 150_000))
        host.fail(.file, with: .status(404))
        #expect(await device.failure()?.code == .fileMissing)
        host.endFaults()
    }

    private func ranges() -> [String?] { host.requests(.file).map { $0.header("range") } }

    @Test("After a broken connection, only the missing part is requested and sent")
    func withinOneFetch() async throws {
        host.fail(.file, with: .disconnect(afterBytes: 150_000))
        #expect(try await device.fetch().get().contents == Sample.v2)
        #expect(ranges() == [nil, "bytes=150000-"])
        #expect(host.requests(.file).last?.header("if-range") == "\"\(Sample.hash(Sample.v2))\"")
        #expect(host.bytesSent == Sample.v2.count)
        #expect(host.requestCount(.info) == 1, "the link is still valid")
    }

    @Test("After a restart of the app, the missing part is requested")
    func acrossRestarts() async throws {
        await fetchMost()
        let restarted = try TestDevice(host: host, sharingStoreOf: device)
        #expect(try await restarted.fetch().get().contents == Sample.v2)
        #expect(ranges().last == "bytes=150000-")
    }

    @Test("Another version meanwhile: the old version's bytes are not used")
    func newerVersion() async throws {
        await fetchMost()
        let other = Sample.v2.reversed() as [UInt8]
        host.publish(other, as: "digits")
        #expect(try await device.fetch().get().contents == other)
        #expect(ranges().last == .some(nil))
    }

    @Test("A server without support for ranges sends the whole file again")
    func noRanges() async throws {
        await fetchMost()
        host.on(.file) { _, answer in answer = .init(body: Sample.v2) }
        #expect(try await device.fetch().get().contents == Sample.v2)
    }

    @Test(
        "Without a strong validator the file is downloaded whole, because it may have changed",
        arguments: [nil, "W/\"x\""])
    func noValidator(etag: String?) async throws {
        host.on(.file) { _, answer in answer.setHeader("ETag", etag) }
        host.fail(.file, with: .disconnect(afterBytes: 150_000))
        #expect(try await device.fetch().get().contents == Sample.v2)
        #expect(ranges() == [nil, nil])
    }

    @Test(
        "A part that does not fit is refused, and the whole file is requested",
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
        #expect(device.clock.waits.count == 1, "only the broken connection led to a backoff")
    }

    @Test(
        "A login page instead of the file costs no bytes, announced length or not",
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

    @Test("With a server that sends every file as a web page, the bytes decide")
    func wrongType() async throws {
        host.on(.file) { _, answer in answer.setHeader("Content-Type", "text/html; charset=utf-8") }
        #expect(try await device.fetch().get().contents == Sample.v2)
    }

    @Test("416 makes the download start over")
    func notSatisfiable() async throws {
        await fetchMost()
        host.on(.file) { request, answer in
            if request.header("range") != nil { answer = .init(status: 416) }
        }
        #expect(try await device.fetch().get().contents == Sample.v2)
    }

    @Test("416 and 206 without a range in the request end the download", arguments: [416, 206])
    func unaskedFor(status: Int) async {
        host.on(.file) { _, answer in answer.status = status }
        #expect(await device.failure()?.code == .serverFailed)
        #expect(host.requestCount(.file) == 1)
    }

    @Test("Parts that end early are put together")
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

    @Test("Wrong bytes before the break: one start from zero repairs the file")
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

    @Test("Wrong bytes after the break too: an error after one start from zero")
    func damagedForGood() async {
        await fetchMost()
        host.fail(.file, with: .alterByte(at: 160_000), times: nil)
        let before = host.requestCount(.file)
        #expect(await device.failure()?.code == .wrongHash)
        #expect(host.requestCount(.file) == before + 2)
    }

    @Test("Wrong bytes of a whole file are an error immediately")
    func cleanButWrong() async {
        host.fail(.file, with: .alterByte(at: 160_000), times: nil)
        #expect(await device.failure()?.code == .wrongHash)
        #expect(host.requestCount(.file) == 1)
    }

    @Test("After wrong or too many bytes, the next download begins at zero", arguments: [true, false])
    func nothingKept(isEndless: Bool) async throws {
        host.fail(.file, with: isEndless ? .endless : .wrongHash)
        #expect(await device.failure() != nil)
        #expect(try await device.fetch().get().contents == Sample.v2)
        #expect(ranges() == [nil, nil])
    }

    @Test("A file that was whole when the process died needs no request")
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

    @Test("Progress continues where it stopped")
    func progress() async throws {
        await fetchMost()
        let seen = Mutex<[UInt64]>([])
        _ = try await device.fetch { completed, _ in seen.withLock { $0.append(completed) } }.get()
        #expect(seen.withLock { $0.first } == 150_000)
        #expect(seen.withLock { $0.last } == UInt64(Sample.v2.count))
        #expect(seen.withLock { $0 == $0.sorted() })
    }
}

@Suite("How a download resumes where it stopped")
struct DownloadResumeRulesTests {
    private let range = [("Range", "bytes=400-"), ("If-Range", #""v1""#)]

    private func step(
        _ status: Int, _ headers: [(String, String)] = [], requested: [(String, String)]? = nil, size: UInt64 = 400
    ) -> ResumeRules.Step {
        ResumeRules.afterHead(
            status: status, headers: TransportHeaders(headers), requested: requested ?? range, size: size, total: 1000)
    }

    @Test(
        "The missing part is requested only if a strong validator can tell that the file is the same",
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
        "206 continues only bytes that it fits",
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

    @Test("206 without a range, of another file, or without a request for a range is not used")
    func strangePart() {
        #expect(step(206) == .requestWholeFile)
        let fitting = ("Content-Range", "bytes 400-999/1000")
        #expect(step(206, [fitting, ("ETag", #""v1""#)]) == .append)
        #expect(step(206, [fitting, ("ETag", #""v2""#)]) == .requestWholeFile)
        #expect(step(206, [("Content-Range", "bytes 0-999/1000")], requested: [], size: 0) == .requestWholeFile)
    }

    @Test("416 means that the bytes must be deleted")
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
