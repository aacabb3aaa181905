import Foundation
import HearthConcurrency
import HearthDelivery
import HearthDeliveryTesting
import HearthTestSupport
import HearthTransport
import HearthWire
import Synchronization
import Testing

@Suite("Faults, as an app meets them", .limitedTime)
struct HostFaultTests {
    private let device: TestDevice
    private var host: ModelHost { device.host }

    init() throws {
        device = try TestDevice()
        host.publish(Sample.old, as: "digits")
    }

    /// The update fails during the fault, the old version stays, and the next attempt works.
    private func checkFails(_ kind: ModelHost.RequestKind, _ fault: HostFault) async throws {
        let old = try await device.get()
        host.publish(Sample.new, as: "digits")
        host.fail(kind, with: fault, times: nil)
        #expect(await device.fails())
        #expect(try await device.get("digits", .localModel) == old)
        #expect(old.contents == Sample.old)
        host.endFaults()
        #expect(try await device.get().contents == Sample.new)
    }

    static let everywhere: [HostFault] = [
        .offline, .nameNotFound, .notSecure, .timeout, .disconnect(afterBytes: 10), .stall(afterBytes: 0), .status(404),
        .status(503, retryAfterSeconds: 1), .redirect(to: "https://elsewhere.example/"), .captivePortal, .endless,
        .expiredLink, .wrongHash, .wrongLength,
    ]

    @Test("A file that does not arrive, or not as it was published", arguments: everywhere)
    func file(fault: HostFault) async throws { try await checkFails(.file, fault) }

    @Test("A changed file", arguments: [HostFault.alterByte(at: 19_999), .truncate(to: 19_999)])
    func otherFile(fault: HostFault) async throws { try await checkFails(.file, fault) }

    @Test("A missing or wrong answer about the model", arguments: everywhere)
    func info(fault: HostFault) async throws { try await checkFails(.info, fault) }

    @Test(
        "A missing installation",
        arguments: [HostFault.offline, .status(500), .captivePortal, .disconnect(afterBytes: 5)])
    func installation(fault: HostFault) async throws {
        host.fail(.installation, with: fault, times: nil)
        #expect(await device.fails())
        #expect(host.requestCount(.info) == 0)
        host.endFaults()
        // A device waits after a refusal.
        host.clock.advance(bySeconds: 3600)
        #expect(try await device.get().contents == Sample.old)
    }

    @Test("A slow answer arrives later")
    func slow() async throws {
        let start = host.clock.secondsSince1970
        host.publish(Sample.new, as: "digits")
        host.fail(.file, with: .slow(bytesPerSecond: 1000))
        #expect(try await device.get().contents == Sample.new)
        #expect(abs(host.clock.secondsSince1970 - start - 20) < 0.01)
    }

    @Test("Without a connection with a model, and connected again")
    func offline() async throws {
        let old = try await device.get()
        host.publish(Sample.new, as: "digits")
        host.goOffline()
        #expect(try await device.get("digits", .localModelUpdateInBackground) == old)
        #expect(await device.fails())
        host.endFaults()
        #expect(try await device.get().contents == Sample.new)
    }

    @Test("A server that lost its data: the device registers again automatically")
    func forgottenInstallations() async throws {
        _ = try await device.get()
        host.forgetInstallations()
        host.publish(Sample.new, as: "digits")
        #expect(try await device.get().contents == Sample.new)
    }

    @Test("A device whose clock is a year ahead or behind still gets its model", arguments: [-1.0, 1.0])
    func wrongClock(years: Double) async throws {
        let clock = FakeClock(secondsSince1970: host.clock.secondsSince1970 + years * 31_557_600)
        let device = try TestDevice(host: host, clock: clock)
        #expect(try await device.get().contents == Sample.old)
    }
}

@Suite("Faults, as a transport reports them")
struct HostFaultWireTests {
    private let client = HostClient()
    private let link: String
    private var host: ModelHost { client.host }

    init() throws {
        client.host.publish(Sample.new, as: "digits")
        link = try client.link("digits").downloadUri
    }

    /// How the request fails, and how many bytes arrived before.
    private func outcome(
        _ change: (inout TransportRequest) -> Void = { _ in }
    ) -> (code: TransportError.Code?, bytes: Int) {
        var request = TransportRequest(url: link, maxResponseBytes: 1 << 20)
        change(&request)
        var bytes = 0
        do {
            _ = try host.transport.send(request, onHead: nil) { bytes += $0.count }
            return (nil, bytes)
        } catch {
            return (error.code, bytes)
        }
    }

    @Test(
        "Each fault is the error that a transport would report",
        arguments: [
            (.offline, .couldNotConnect, 0), (.nameNotFound, .couldNotResolve, 0), (.notSecure, .tls, 0),
            (.timeout, .timedOut, 0), (.disconnect(afterBytes: 12_345), .interrupted, 12_345),
            (.disconnect(afterBytes: -1), .interrupted, 0), (.disconnect(afterBytes: 20_000), .interrupted, 20_000),
            (.stall(afterBytes: 7), .stalled, 7), (.endless, .tooLarge, 1 << 20),
            (.redirect(to: "https://elsewhere.example/"), .redirectRefused, 0),
            (.slow(bytesPerSecond: 10), nil, 20_000),
            (.truncate(to: 99), nil, 99), (.truncate(to: -1), nil, 0), (.truncate(to: .max), nil, 20_000),
            (.disconnect(afterBytes: .max), nil, 20_000), (.wrongLength, nil, 20_001),
        ] as [(HostFault, TransportError.Code?, Int)])
    func reported(fault: HostFault, code: TransportError.Code?, bytes: Int) {
        host.fail(.file, with: fault)
        let (seenCode, seenBytes) = outcome()
        #expect(seenCode == code)
        if fault.description == "endless" {
            #expect(seenBytes <= bytes && seenBytes > bytes - 8192)
        } else {
            #expect(seenBytes == bytes)
        }
        #expect(outcome() == (nil, 20_000), "once means once")
    }

    @Test("Faults happen in the order in which they were added, and as often as requested")
    func order() {
        host.fail(.file, with: .offline, times: 2)
        host.fail(.info, with: .status(500))
        host.fail(.file, with: .timeout, times: 0)
        host.fail(.file, with: .nameNotFound)
        let codes = (0..<4).map { _ in outcome().code }
        #expect(codes == [.couldNotConnect, .couldNotConnect, .couldNotResolve, nil])
        host.fail(.file, with: .offline, times: nil)
        #expect((0..<5).allSatisfy { _ in outcome().code == .couldNotConnect })
        host.endFaults()
        #expect(outcome().code == nil)
    }

    @Test("One byte of the file is changed, in any requested part", arguments: [0, 11_000, 19_999])
    func alteredByte(position: Int) throws {
        for start in [0, 10_000] {
            host.fail(.file, with: .alterByte(at: position))
            let body = try client.file(link, [("Range", "bytes=\(start)-")]).body
            let different = body.indices.filter { body[$0] != Sample.new[start + $0] }
            #expect(different == (position >= start ? [position - start] : []))
        }
        for position in [20_000, Int.max] {
            host.fail(.file, with: .alterByte(at: position))
            #expect(try client.file(link).body == Array(Sample.new))
        }
    }

    @Test("A part of a truncated file ends where the file does", arguments: [(10_000, 0), (15_000, 5000), (3, 0)])
    func truncatedPart(end: Int, expected: Int) throws {
        host.fail(.file, with: .truncate(to: end))
        #expect(try client.file(link, [("Range", "bytes=10000-")]).body.count == expected)
    }

    @Test("A status has an error text and, if requested, a time to come back")
    func status() throws {
        host.fail(.file, with: .status(503, retryAfterSeconds: 5))
        let answer = try client.file(link)
        #expect(answer.status == 503)
        #expect(answer.problem == "UNAVAILABLE")
        #expect(answer.headers["retry-after"] == "5")
        host.fail(.file, with: .status(418))
        #expect(try client.file(link).problem == "UNKNOWN")
    }

    @Test("The announced hash, length or expiry is wrong")
    func announced() throws {
        host.fail(.info, with: .wrongHash)
        #expect(try client.info("digits").headers.all("etag") != [Sample.hash(Sample.new)])
        host.fail(.info, with: .wrongLength)
        #expect(try client.link("digits").sizeBytes == "20001")
        host.fail(.info, with: .expiredLink)
        #expect(try client.file(client.link("digits").downloadUri).problem == "INVALID_ARGUMENT")
    }

    @Test("A timeout takes its time on the clock: as much as the request allows")
    func time() {
        let clock = host.clock
        func elapsed(_ fault: HostFault, _ change: (inout TransportRequest) -> Void) -> Double {
            let start = clock.secondsSince1970
            host.fail(.file, with: fault)
            _ = outcome(change)
            return (clock.secondsSince1970 - start).rounded()
        }
        #expect(elapsed(.timeout) { $0.connectTimeoutSeconds = 7 } == 7)
        #expect(elapsed(.timeout) { ($0.connectTimeoutSeconds, $0.totalTimeoutSeconds) = (7, 3) } == 3)
        #expect(elapsed(.stall(afterBytes: 5)) { $0.stallTimeoutSeconds = 30 } == 30)
        #expect(elapsed(.stall(afterBytes: 5)) { $0.totalTimeoutSeconds = 12 } == 12)
        #expect(elapsed(.slow(bytesPerSecond: 1000)) { $0.totalTimeoutSeconds = 5 } == 5)
        #expect(elapsed(.offline) { _ in } == 0)
        #expect(elapsed(.slow(bytesPerSecond: .max)) { $0.maxBytesPerSecond = 2000 } == 10)
    }

    @Test("Redirects are followed as far as the request allows, and never to plain http")
    func redirects() {
        host.fail(.file, with: .redirect(to: link), times: 2)
        #expect(outcome { $0.redirects = .follow(max: 2) } == (nil, 20_000))
        host.fail(.file, with: .redirect(to: link), times: nil)
        #expect(outcome { $0.redirects = .follow(max: 3) }.code == .redirectRefused)
        host.endFaults()
        host.fail(.file, with: .redirect(to: "http://files.example.net/x"))
        #expect(outcome { $0.redirects = .follow(max: 1) }.code == .insecureRedirect)
        for target in ["file:///x", "http://["] {
            host.fail(.file, with: .redirect(to: target))
            #expect(outcome { $0.redirects = .follow(max: 1) }.code == .redirectRefused)
        }
        #expect(host.requestCount(.file) == 10)
    }

    @Test(
        "An address that real transports do not take is refused",
        arguments: [
            "", "x", "https://", "https:///f", "https://user:pw@files.example.net/f",
            "https://user@files.example.net/f",
            "https://files.example.net:99999/f", "ftp://files.example.net/f", "files.example.net/f", "https://[",
        ])
    func badAddress(url: String) {
        #expect(outcome { $0.url = url } == (.badURL, 0))
    }

    @Test("A cancelled or stopped receiver gets no further bytes")
    func limits() {
        let cancellation = Cancellation()
        cancellation.cancel()
        #expect(outcome { $0.cancellation = cancellation } == (.cancelled, 0))
        #expect(host.requestCount(.file) == 0)
        #expect(outcome { $0.maxResponseBytes = 19_999 } == (.tooLarge, 0))
        #expect(outcome { $0.maxResponseBytes = 20_000 } == (nil, 20_000))
    }
}
