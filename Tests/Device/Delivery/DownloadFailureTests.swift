import HearthApp
import HearthCrypto
import HearthDeliveryTesting
import HearthFiles
import HearthTransport
import Testing

@testable import HearthDelivery

@Suite("What a failure says")
struct DownloadFailureTests {
    @Test(
        "other people's words come on one line, without anything that a terminal would obey",
        arguments: [
            ("a\n b\t\r\nc", "a b c"), ("  ", ""), ("red\u{1B}[31m", "red [31m"), ("x\u{7F}y\u{9B}z", "x y z"),
            ("right\u{202E}to left", "rightto left"), ("one\u{2028}two", "one two"), ("\u{0}", ""),
        ])
    func line(text: String, expected: String) {
        #expect(DownloadFailure.line(text) == expected)
    }

    @Test("and are never long", arguments: [0x301, 0x61, 0x1F600] as [UInt32])
    func length(scalar: UInt32) throws {
        let letter = String(try #require(UnicodeScalar(scalar)))
        let line = DownloadFailure.line("a" + String(repeating: letter, count: 100_000))
        #expect(line.unicodeScalars.count == 300)
    }

    @Test("an unsafe connection may be the fault of the device's clock")
    func clock() {
        let error = TransportError(.tls, "no secure connection to a: it is not yet valid; check the certificate")
        for failure in [DownloadFailure.aboutInfo(error), .aboutFile(error)] {
            #expect(failure.message.hasSuffix("check the certificate, and this device's clock"))
        }
    }

    @Test("a deadline that passes while the file is opened is told as one, and no request is sent")
    func lateFile() async throws {
        let device = try TestDevice()
        device.host.publish(Sample.v2, as: "digits")
        let link = DownloadRules.Link(
            url: device.host.linkURL + "/x", digest: SHA256Hasher.hash(Sample.v2), size: UInt64(Sample.v2.count),
            expires: device.clock.now(), version: nil)
        let settings = DeliverySettings()
        let attempts = FetchAttempts(settings, environment: device.app.environment, cancellation: nil)
        let file = try device.store().begin(Sample.v2)
        device.clock.advance(bySeconds: settings.deadlineSeconds + 1)
        let transfer = FileTransfer(
            link: link, file: file, settings: settings, environment: device.app.environment, attempts: attempts,
            progress: { _, _ in })
        let failure = #expect(throws: DownloadFailure.self) { try transfer.run() }
        #expect(failure?.code == .tooSlow)
        #expect(device.host.requestCount(.file) == 0)
    }

    @Test("who waits for another program until the deadline is told so")
    func waitsForAnother() async throws {
        let device = try TestDevice()
        device.host.publish(Sample.v1, as: "digits")
        let lock = try device.store().lock("digits")
        var settings = DeliverySettings()
        settings.deadlineSeconds = 0
        let failure = await device.failure(settings: settings)
        #expect(failure?.code == .tooSlow)
        #expect(failure?.message.hasPrefix("Another program was fetching the same model") == true)
        withExtendedLifetime(lock) {}
    }
}
