import Foundation
import HearthApp
import HearthCrypto
import HearthDeliveryTesting
import HearthFiles
import HearthTestSupport
import HearthTransport
import Testing

@testable import HearthDelivery

/// What a broken or hostile server, link host or network may try. In every case the call fails with an error that says
/// why, no part of the answer stays, and the installed version still works.
@Suite("Attacks and failures between server and device")
struct AttackTests {
    private let device: TestDevice
    private var host: ModelHost { device.host }

    init() throws {
        device = try TestDevice()
        host.publish(Sample.v1, as: "digits")
    }

    /// The update to version 2 fails because of `accident`; version 1 stays.
    private func checkRefused(
        _ kind: ModelHost.RequestKind, sourceLocation: SourceLocation = #_sourceLocation,
        _ accident: @escaping AnswerChange
    ) async throws -> DownloadError? {
        let old = try await device.get()
        let before = try device.storedFiles()
        host.publish(Sample.v2, as: "digits")
        host.on(kind, accident)
        let error = await device.error()
        #expect(error != nil, sourceLocation: sourceLocation)
        #expect(
            try device.storedFiles() == before, "nothing of it is taken for a model", sourceLocation: sourceLocation)
        #expect(try await device.get("digits", .localModel) == old, sourceLocation: sourceLocation)
        #expect(old.contents == Sample.v1, sourceLocation: sourceLocation)
        host.endFaults()
        #expect(try await device.get().contents == Sample.v2, "the next try works", sourceLocation: sourceLocation)
        return error
    }

    private func text(_ error: DownloadError?) -> String {
        if case .internalError(let description) = error { description } else { "" }
    }

    @Test("Other bytes of the same length")
    func wrongHash() async throws {
        let error = try await checkRefused(.file) { _, answer in answer.body[100_000] ^= 1 }
        #expect(text(error).hasPrefix("The downloaded file is not the published one."))
        #expect(text(error).contains(Sample.hash(Sample.v2)))
    }

    @Test("A file that ends early")
    func tooShort() async throws {
        let error = try await checkRefused(.file) { _, answer in answer.body.removeLast() }
        #expect(text(error).contains("The file has 199999 bytes, but 200000 were announced"))
    }

    @Test("A file that is longer than announced", arguments: [1, 100_000])
    func tooLong(count: Int) async throws {
        let error = try await checkRefused(.file) { _, answer in answer.body += [UInt8](repeating: 0, count: count) }
        #expect(text(error).hasPrefix("The downloaded file is not the published one."))
    }

    @Test("A file without end", .limitedTime)
    func endless() async throws {
        let error = try await checkRefused(.file) { _, answer in answer.isEndless = true }
        #expect(text(error).hasPrefix("The downloaded file is not the published one."))
    }

    @Test("An error page without end instead of a small file", .limitedTime)
    func endlessErrorPage() async throws {
        let error = try await checkRefused(.file) { _, answer in
            answer.status = 404
            answer.body = [UInt8](repeating: 65, count: 1000)
            answer.isEndless = true
        }
        #expect(error != nil)
    }

    @Test("An announced size that is less than the file's", arguments: ["0", "199999"])
    func announcedLess(size: String) async throws {
        _ = try await checkRefused(.info) { _, answer in answer.setField("sizeBytes", size) }
    }

    @Test(
        "An announced size above the app's limit, refused before the first byte",
        arguments: [
            "2147483649", "18446744073709551615",
        ])
    func announcedHuge(size: String) async throws {
        let error = try await checkRefused(.info) { _, answer in answer.setField("sizeBytes", size) }
        #expect(text(error) == "The model has \(size) bytes; this app accepts up to 2147483648.")
    }

    @Test("An answer about the model without end", .limitedTime)
    func endlessInfo() async throws {
        let error = try await checkRefused(.info) { _, answer in answer.isEndless = true }
        #expect(text(error).hasPrefix("Failed to retrieve model info: "))
    }

    @Test("A missing hash")
    func missingETag() async throws {
        let error = try await checkRefused(.info) { _, answer in answer.setHeader("etag", nil) }
        #expect(error == .internalError(description: "Model hash missing in model info server response."))
    }

    @Test(
        "A malformed hash",
        arguments: [
            "", "abc", "\"" + Sample.hash(Sample.v2) + "\"", "W/x", String(repeating: "g", count: 64),
            String(repeating: "a", count: 63), "../../../../etc/passwd",
        ])
    func badETag(etag: String) async throws {
        let error = try await checkRefused(.info) { _, answer in answer.setHeader("ETag", etag) }
        #expect(text(error) == "Failed to parse model info: the model's hash is not a SHA-256.")
    }

    @Test(
        "304 with another model's hash, or none",
        arguments: [
            (Sample.hash(Sample.v2), "Unexpected model hash value."),
            (nil, "Model hash missing in model info server response."),
        ] as [(String?, String)])
    func notModifiedLie(etag: String?, expected: String) async throws {
        let error = try await checkRefused(.info) { _, answer in
            answer.status = 304
            answer.setHeader("ETag", etag)
        }
        #expect(error == .internalError(description: expected))
    }

    @Test("304 to a device without the model")
    func notModifiedWithoutModel() async {
        host.on(.info) { _, answer in answer.status = 304 }
        #expect(await device.error() == .internalError(description: "Model info was deleted unexpectedly."))
    }

    @Test(
        "A malformed body",
        arguments: [
            "", "{", "[]", "null", "<html></html>", #"{"downloadUri":"https://h/f"}"#,
            #"{"downloadUri":5,"expireTime":"2026-01-01T00:00:00.000Z","sizeBytes":"1"}"#,
            #"{"downloadUri":"https://h/f","expireTime":"tomorrow","sizeBytes":"1"}"#,
            #"{"downloadUri":"https://h/f","expireTime":"2026-01-01T00:00:00.000Z","sizeBytes":"-1"}"#,
            #"{"downloadUri":"https://h/f","expireTime":"2026-01-01T00:00:00.000Z","sizeBytes":"1e3"}"#,
            #"{"downloadUri":"https://h/f","expireTime":"2026-01-01T00:00:00.000Z","sizeBytes":7}"#,
        ])
    func badBody(body: String) async throws {
        let error = try await checkRefused(.info) { _, answer in answer.body = Array(body.utf8) }
        #expect(text(error).hasPrefix("Failed to parse model info: "))
    }

    @Test(
        "A link that is less secure than the server, or not a web link",
        arguments: [
            "http://files.example.net/f", "file:///etc/passwd", "ftp://files.example.net/f", "//files.example.net/f",
            "javascript:alert(1)", "", "/etc/passwd", " https://files.example.net/f",
        ])
    func unsafeLink(link: String) async throws {
        let error = try await checkRefused(.info) { _, answer in answer.setField("downloadUri", link) }
        #expect(text(error).contains("the download link is not http or https, or is less safe"))
        #expect(host.requests(.file).allSatisfy { $0.url.hasPrefix("https://") })
    }

    @Test("A server on plain http may link to plain http, as in a laboratory")
    func plainServer() async throws {
        let host = ModelHost(serverURL: "http://127.0.0.1:8080", linkURL: "http://127.0.0.1:8080/files")
        let device = try TestDevice(host: host)
        host.publish(Sample.v1, as: "digits")
        #expect(try await device.get().contents == Sample.v1)
    }

    @Test("The server redirects a call that only it may answer")
    func infoRedirect() async throws {
        let error = try await checkRefused(.info) { _, answer in
            answer.status = 302
            answer.setHeader("Location", "https://evil.example.org/")
        }
        #expect(text(error).hasPrefix("Failed to retrieve model info: "))
        #expect(!host.requests(.file).contains { $0.url.contains("evil") })
    }

    @Test(
        "A link may redirect, but not to plain http and not endlessly",
        arguments: ["http://files.example.net/x", "https://files.example.net/loop"])
    func fileRedirect(target: String) async throws {
        let error = try await checkRefused(.file) { _, answer in
            answer.status = 302
            answer.setHeader("Location", target)
        }
        #expect(error == .failedPrecondition)
    }

    @Test("A link that redirects to another host is refused: the server must name that host itself")
    func storeRedirect() async throws {
        let error = try await checkRefused(.file) { _, answer in
            answer = .init(status: 302, headers: [("Location", "https://store.example.org/1")])
        }
        #expect(error == .failedPrecondition)
        #expect(!host.requests(.file).contains { $0.url.contains("store.example.org") })
    }

    @Test("A link that redirects within its host is followed, and the file is checked as always")
    func sameHostRedirect() async throws {
        let target = "\(host.linkURL)/moved"
        host.on(.file) { request, answer in
            guard !request.url.hasSuffix("/moved") else {
                answer = .init(body: Sample.v1)
                return
            }
            answer = .init(status: 302, headers: [("Location", target)])
        }
        #expect(try await device.get().contents == Sample.v1)
    }

    @Test("The connection breaks again and again, and the server does not support ranges")
    func interrupted() async throws {
        host.on(.file) { _, answer in answer.setHeader("ETag", nil) }
        let error = try await checkRefused(.file) { _, answer in answer.breaksAfter = 50_000 }
        #expect(error == .failedPrecondition)
    }

    @Test(
        "Names that would lead out of the store, or nowhere",
        arguments: [
            "../../x", "/etc/passwd", "a/b", "..", ".", "\u{0}", "a\u{0}b", "a\nb", "~", "é", "名前", "-rf",
            String(repeating: "n", count: 300), "a:download", "a?b=c#d", "%2e%2e%2f", ".store", "installation",
        ])
    func names(name: String) async throws {
        host.publish(Sample.v1, as: name)
        let model = try await device.get(name)
        #expect(model.name == name)
        #expect(model.contents == Sample.v1)
        #expect(URL(fileURLWithPath: model.path).standardized.path.hasPrefix(device.app.environment.storeFolder + "/"))
        #expect(
            try DiskFiles().list(device.app.environment.storeFolder).count == 1, "everything is in the app's folder")
        #expect(try await device.downloader.listDownloadedModels().map(\.name) == [name])
        #expect(try device.downloader.installedModel(name: name) == model)
        try await device.downloader.deleteDownloadedModel(name: name)
        #expect(try device.storedFiles() == [])
    }

    @Test("Different names have different files on the disk")
    func distinctNames() async throws {
        let names = [
            "a", "A", "a/", "a ", "é", "e\u{301}x", String(repeating: "n", count: 64),
            String(repeating: "n", count: 65),
        ]
        for name in names {
            host.publish(Array(name.utf8), as: name)
            _ = try await device.get(name)
        }
        #expect(Set(try await device.downloader.listDownloadedModels().map(\.name)) == Set(names))
    }
}
