import Foundation
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

    @Test("advice that ends in an address keeps its end, also where no token could be had")
    func advice() {
        let advice =
            "no secure connection to a: it does not speak TLS; check the port, and where it serves plain HTTP, use http://"
        for error in [TransportError(.tls, advice), TransportError(.couldNotConnect, advice)] {
            let installation = NSError(
                domain: "installations", code: 2,
                userInfo: [NSLocalizedDescriptionKey: advice, NSUnderlyingErrorKey: error])
            for failure in [
                DownloadFailure.aboutToken(installation, without: ["a-secret-key"]), .aboutInfo(error),
                .aboutFile(error),
            ] {
                #expect(failure.message.contains("plain HTTP, use http://"), "\(failure.message)")
                #expect(failure.localizedDescription == failure.message)
            }
        }
    }

    @Test(
        "of an address nothing is left out but user, query, fragment, and what looks like a token in its path",
        arguments: [
            ("use http://", "use http://"), ("(https://a.example/b?c=d)", "(https://a.example/b)"),
            (
                "https://host:8080/v1beta2/projects/demo/models/flowers:download.",
                "https://host:8080/v1beta2/projects/demo/models/flowers:download."
            ),
            ("https://user:pass@host/x", "https://host/x"), ("see 'https://host/help#top'", "see 'https://host/help'"),
            ("https://host/files/eyJhbGciOiJIUzI1NiJ9.abc", "https://host/files/..."),
            ("https://host/f/9f86d081884c7d659a2feaa0c55ad015/model.tflite", "https://host/f/.../model.tflite"),
            ("https://host/a/user:secret@b/c", "https://host/a/.../c"), ("https://[::1]:80/x,", "https://[::1]:80/x,"),
            ("https://host/?next=https://user:pw@b/", "https://host/"), ("http://, https://", "http://, https://"),
            ("https://u:p/a@host/x", "https://u:p/.../x"), ("no address here", "no address here"),
        ])
    func addresses(text: String, expected: String) {
        #expect(DownloadFailure.line(text, without: []) == expected)
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
