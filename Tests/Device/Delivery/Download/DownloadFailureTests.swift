import Foundation
import HearthApp
import HearthCrypto
import HearthDeliveryTesting
import HearthFiles
import HearthTransport
import HearthWire
import Synchronization
import Testing

@testable import HearthDelivery

@Suite("The message of a failure")
struct DownloadFailureTests {
    @Test(
        "Keeps the file error below it",
        arguments: [FileError.Code.noSpace, .mismatch, .tooLarge, .notPermitted, .incompatible, .notFound, .io])
    func fileErrors(code: FileError.Code) {
        let error = FileError(code, "No.")
        #expect((DownloadFailure(error).cause as? FileError)?.code == code)
        #expect((DownloadFailure.aboutStore(error).cause as? FileError)?.code == code)
    }

    @Test("Keeps the network's error below it", arguments: [TransportError.Code.tooLarge, .interrupted, .badURL])
    func transportErrors(code: TransportError.Code) {
        let error = TransportError(code, "No.")
        #expect((DownloadFailure.aboutFile(error).cause as? TransportError)?.code == code)
        #expect((DownloadFailure.aboutInfo(error).cause as? TransportError)?.code == code)
    }

    @Test(
        "Foreign texts are on one line, without characters that a terminal would obey",
        arguments: [
            ("a\n b\t\r\nc", "a b c"), ("  ", ""), ("red\u{1B}[31m", "red [31m"), ("x\u{7F}y\u{9B}z", "x y z"),
            ("right\u{202E}to left", "rightto left"), ("one\u{2028}two", "one two"), ("\u{0}", ""),
        ])
    func line(text: String, expected: String) {
        #expect(DownloadFailure.singleLine(text) == expected)
    }

    @Test("Advice that ends in an address keeps its end, even without a token")
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
        "Addresses lose only user, query, fragment, and path parts that look like tokens",
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
        #expect(DownloadFailure.singleLine(text, without: []) == expected)
    }

    @Test("Foreign texts are never long", arguments: [0x301, 0x61, 0x1F600] as [UInt32])
    func length(scalar: UInt32) throws {
        let letter = String(try #require(UnicodeScalar(scalar)))
        let line = DownloadFailure.singleLine("a" + String(repeating: letter, count: 100_000))
        #expect(line.unicodeScalars.count == 300)
    }

    @Test("An unsafe connection may be the fault of the device's clock")
    func clock() {
        let error = TransportError(.tls, "no secure connection to a: it is not yet valid; check the certificate")
        for failure in [DownloadFailure.aboutInfo(error), .aboutFile(error)] {
            #expect(failure.message.hasSuffix("check the certificate, and this device's clock"))
        }
    }

    @Test("A deadline that passes while the file is opened is reported, and no request is sent")
    func lateFile() async throws {
        let device = try TestDevice()
        device.host.publish(Sample.v2, as: "digits")
        let link = DownloadRules.Link(
            url: device.host.linkURL + "/x", digest: SHA256Hasher.hash(Sample.v2), size: UInt64(Sample.v2.count),
            expires: device.clock.now(), version: nil)
        let settings = DeliverySettings()
        let attempts = DownloadAttempts(settings, environment: device.app.environment, cancellation: nil)
        let file = try device.store().begin(Sample.v2)
        device.clock.advance(bySeconds: settings.deadlineSeconds + 1)
        let transfer = FileDownload(
            link: link, file: file, settings: settings, environment: device.app.environment, attempts: attempts,
            progress: { _, _ in })
        let failure = #expect(throws: DownloadFailure.self) { try transfer.run() }
        #expect(failure?.code == .tooSlow)
        #expect(device.host.requestCount(.file) == 0)
    }

    @Test("A wait for another program until the deadline is reported")
    func waitsForAnother() async throws {
        let device = try TestDevice()
        device.host.publish(Sample.v1, as: "digits")
        let lock = try device.store().lock("digits")
        var settings = DeliverySettings()
        settings.deadlineSeconds = 0
        let failure = await device.failure(settings: settings)
        #expect(failure?.code == .tooSlow)
        #expect(failure?.message.hasPrefix("This download waited until its deadline for another program") == true)
        withExtendedLifetime(lock) {}
    }
}

@Suite("The failures of the server's answers")
struct ServerErrorTests {
    private let device: TestDevice

    init() throws {
        device = try TestDevice()
        device.host.publish(Sample.v1, as: "digits")
    }

    @Test(
        "Answers about the model",
        arguments: [
            (400, .invalidArgument), (401, .permissionDenied), (403, .permissionDenied), (404, .notFound),
            (429, .resourceExhausted), (500, .internalError(description: "not today")),
            (503, .internalError(description: "not today")), (201, .internalError(description: "not today")),
            (418, .internalError(description: "not today")),
        ] as [(Int, DownloadError)])
    func info(status: Int, expected: DownloadError) async {
        device.host.on(.info) { _, answer in
            answer = .error(.internal, "not today")
            answer.status = status
        }
        #expect(await device.error() == expected)
    }

    @Test("The message has the server's text, but neither the key nor the token in it, nor the query of an address")
    func secrets() async throws {
        let key = try #require(device.app.options.apiKey)
        device.host.on(.info) { request, answer in
            let token = request.header("x-goog-firebase-installations-auth") ?? ""
            answer = .error(.internal, "key=\(key) and \(token) are\nnot known, see (https://a.example/b?c=d) there")
        }
        #expect(
            await device.error()
                == .internalError(description: "and are not known, see (https://a.example/b) there"))
    }

    @Test("A token that the server refuses is replaced once, and the call succeeds")
    func forgottenInstallation() async throws {
        _ = try await device.get()
        let isFirst = Mutex(true)
        device.host.on(.info) { _, answer in
            guard
                isFirst.withLock({ first in
                    defer { first = false }; return first
                })
            else { return }
            answer = .error(.unauthenticated, "The request is missing a valid installation token.")
        }
        let before = device.host.requests(.installation).count
        #expect(try await device.get().contents == Sample.v1)
        #expect(device.host.requests(.installation).count == before + 1, "one renewal")
        #expect(device.host.requests(.info).count == 3)
    }

    @Test("An error without a readable text names the status")
    func infoWithoutText() async {
        device.host.on(.info) { _, answer in answer = .init(status: 502, body: Array("<html>".utf8)) }
        #expect(
            await device.error()
                == .internalError(description: "Model info retrieval failed with HTTP error code: 502"))
    }

    @Test("A refused link does not count as a refused key")
    func refusedLink() async {
        device.host.on(.file) { _, answer in answer.status = 403 }
        let failure = await device.failure()
        #expect(failure?.code == .permissionDenied && failure?.message.contains("link to the file") == true)
    }

    @Test(
        "Answers instead of the file",
        arguments: [
            (400, .invalidArgument), (401, .permissionDenied), (403, .permissionDenied), (404, .notFound),
            (429, .internalError(description: "Model download failed with HTTP error code: 429")),
            (500, .internalError(description: "Model download failed with HTTP error code: 500")),
            (304, .internalError(description: "Model download failed with HTTP error code: 304")),
        ] as [(Int, DownloadError)])
    func file(status: Int, expected: DownloadError) async throws {
        device.host.on(.file) { _, answer in
            answer.status = status
            answer.body = [UInt8](repeating: 65, count: 5000)
        }
        #expect(await device.error() == expected)
        #expect(try device.storedFiles() == [])
    }

    @Test("A file that the server has lost is not taken for a model that is not published")
    func lostFile() async {
        device.host.on(.file) { _, answer in answer.status = 404 }
        let failure = await device.failure()
        #expect(failure?.code == .fileMissing && failure?.message.contains("does not have the model's file") == true)
        // The original's error for this answer, which apps compare. Its text must be true here too.
        #expect(failure?.error == .notFound)
        #expect(failure?.error.errorDescription?.contains("or has lost the model's file") == true)
    }

    @Test("Every success status is accepted for the file: the hash decides", arguments: [200, 203, 299])
    func fileSuccess(status: Int) async throws {
        device.host.on(.file) { _, answer in answer.status = status }
        #expect(try await device.get().contents == Sample.v1)
    }

    @Test("A model that is not published")
    func unpublished() async {
        device.host.unpublish("digits")
        #expect(await device.error() == .notFound)
    }

    @Test("No connection to the server, or to the link's host")
    func noConnection() async {
        device.host.on(.file) { _, _ throws(TransportError) in throw TransportError(.timedOut, "too slow") }
        #expect(await device.error() == .failedPrecondition)
        device.host.on(.info) { _, _ throws(TransportError) in throw TransportError(.couldNotConnect, "refused") }
        #expect(await device.error() == .internalError(description: "Failed to retrieve model info: refused"))
        device.host.endFaults()
        device.host.on(.info) { _, _ throws(TransportError) in throw TransportError(.badResponse, "not HTTP") }
        #expect(await device.error() == .internalError(description: "Failed to retrieve model info: not HTTP"))
    }

    @Test("A missing token")
    func noToken() async throws {
        device.host.on(.installation) { _, answer in answer = .error(.permissionDenied, "bad key") }
        guard case .internalError(let text) = await device.error() else {
            Issue.record("another error")
            return
        }
        #expect(text.hasPrefix("Error retrieving auth token."))
        #expect(text.contains("bad key"))
    }

    @Test("Options without project, key or address", arguments: 0..<3)
    func options(lacking: Int) async throws {
        let device = try TestDevice { options in
            if lacking == 0 { options.projectID = nil }
            if lacking == 1 { options.apiKey = nil }
            if lacking == 2 { options.serverURL = nil }
        }
        let address = "The server's address is missing: set HEARTH_SERVER_URL, or serverURL in the app's options."
        let original = "Unable to retrieve project ID and/or API key for Firebase app."
        #expect(await device.error() == .internalError(description: lacking == 2 ? address : original))
        #expect(device.downloader.state(ofModel: "digits").failure?.code == .notConfigured)
    }

    @Test(
        "The empty name",
        arguments: [
            ModelDownloadType.localModel, .latestModel, .localModelUpdateInBackground,
        ])
    func emptyName(type: ModelDownloadType) async {
        #expect(await device.error("", type) == .emptyModelName)
        #expect(throws: DownloadError.emptyModelName) { try device.downloader.installedModel(name: "") }
        #expect(device.downloader.state(ofModel: "").failure?.code == .invalidArgument)
        #expect(device.host.requests(.info).isEmpty)
    }

    @Test(
        "An error's description says what is wrong and what to do",
        arguments: [
            (
                .notFound,
                """
                The server has no published model of this name, or has lost the model's file. Check the name, that a \
                version of the model is published, and that the server has its file.
                """
            ),
            (
                .permissionDenied,
                """
                The server refused this app's API key, this installation's token, or the link to the model's file. \
                Check the API key in the app's GoogleService-Info.plist, and the proxy, if there is one.
                """
            ),
            (
                .invalidArgument,
                """
                The server did not accept the request for the model, or the link to its file. Check the model's name \
                and the app's project.
                """
            ),
            (.emptyModelName, "The model's name is empty. Pass the name that it was published under."),
            (.internalError(description: "Failed."), "Failed."),
        ] as [(DownloadError, String)])
    func localizedTexts(error: DownloadError, expected: String) {
        #expect((error as any Error).localizedDescription == expected)
        #expect((error as NSError).localizedDescription == expected)
        #expect(error.failureReason.map(expected.hasPrefix) == true)
        #expect(error.recoverySuggestion.map(expected.hasSuffix) != false)
    }

    @Test("Errors of the list and of deleting have a text too")
    func localizedTextsOfFiles() {
        let errors: [any Error] = [
            DownloadedModelError.fileIOError(description: "No disk."), DownloadFailure.emptyName,
        ]
        #expect(
            errors.map(\.localizedDescription) == [
                "No disk.", "The model's name is empty: pass the name that it was published under.",
            ])
        #expect((DownloadedModelError.notFound as any Error).localizedDescription.hasPrefix("There is no model"))
    }

    @Test("The codes that apps see through NSError")
    func numbers() {
        let errors: [DownloadError] = [
            .internalError(description: ""), .notFound, .permissionDenied, .failedPrecondition, .resourceExhausted,
            .notEnoughSpace, .invalidArgument, .emptyModelName,
        ]
        #expect(errors.map { ($0 as NSError).code } == Array(0...7))
        let others: [DownloadedModelError] = [
            .fileIOError(description: ""), .internalError(description: ""), .notFound,
        ]
        #expect(others.map { ($0 as NSError).code } == Array(0...2))
    }
}
