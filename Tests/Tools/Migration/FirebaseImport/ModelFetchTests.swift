import Foundation
import HearthCrypto
import HearthTestSupport
import HearthTransport
import Testing

@testable import HearthFirebaseImport

@Suite struct ModelFetchTests {
    private let files: TemporaryFolder
    private let folder: ImportFolder

    init() throws {
        files = try TemporaryFolder()
        folder = ImportFolder(files.path + "/kept")
        _ = try folder.lock(for: "project-a")
    }

    private func model(_ name: String, bytes: String = "bytes") -> String {
        """
        {"name":"projects/a/models/1","displayName":"\(name)","etag":"e","modelHash":"\(SHA256Hasher.hash(Array(bytes.utf8)).hex)",
         "state":{"published":true},"tfliteModel":{"sizeBytes":"\(bytes.utf8.count)","gcsTfliteUri":"gs://bucket/\(name)"}}
        """
    }

    private func google(_ models: [String], _ more: [String: [ScriptedGoogle.Answer]] = [:]) -> ScriptedGoogle {
        ScriptedGoogle(
            [
                "/token": [.answer(200, body: #"{"access_token":"t"}"#)],
                "/models?": [.answer(200, body: #"{"models":[\#(models.joined(separator: ","))]}"#)],
                "/storage/": [.answer(200, body: "bytes")],
            ].merging(more) { $1 })
    }

    private func fetch(_ google: ScriptedGoogle) throws -> [FetchProblem] {
        let account = try TestAccount(in: files).account()
        return try ModelFetch(connection: FirebaseConnection(google), folder: folder) { _, _, _, _, _ in }
            .fetchAll(account, installation: nil)
    }

    private func downloads(_ google: ScriptedGoogle) -> Int { google.urls.count { $0.contains("/storage/") } }

    @Test("A second run asks for no bytes, unless they were changed or cut in the folder")
    func secondRun() throws {
        #expect(try fetch(google([model("a")])).isEmpty)
        let again = google([model("a")])
        #expect(try fetch(again).isEmpty)
        #expect(downloads(again) == 0)
        let sum = try String(contentsOfFile: folder.path + "/models/a.sha256", encoding: .utf8)
        #expect(sum.hasSuffix("\n\(SHA256Hasher.hash(Array("bytes".utf8)).hex)  a.tflite\n"))
        for damaged in ["byte", "bytez", ""] {
            try Data(damaged.utf8).write(to: URL(fileURLWithPath: folder.modelFile("a")))
            let repair = google([model("a")])
            #expect(try fetch(repair).isEmpty)
            #expect(downloads(repair) == 1)
            #expect(try String(contentsOfFile: folder.modelFile("a"), encoding: .utf8) == "bytes")
        }
        try Data("{".utf8).write(to: URL(fileURLWithPath: folder.path + "/models/a.json"))
        #expect(try fetch(google([model("a")])).isEmpty)
        #expect(try folder.model("a")?["etag"]?.text == "e")
    }

    @Test("Names that are no files' names never become paths, and of two equal names one is reported")
    func names() throws {
        let problems = try fetch(google(["../x", "a/b", "", "a", "a", "-o"].map { model($0) }))
        #expect(problems.count == 4)
        #expect(problems.contains { $0.subject == "a" && $0.reason.contains("same name") })
        #expect(try folder.sources().models.map(\.name) == ["-o", "a"])
        #expect(try FileManager.default.contentsOfDirectory(atPath: files.path).sorted() == ["kept", "key.json"])
    }

    @Test("One place that never answers does not keep the other models away; two in a row end the import")
    func unreachable() throws {
        let lost = ScriptedGoogle.Answer.failure(TransportError(.couldNotConnect, "no network"))
        let models = ["a", "b", "c"].map { model($0) }
        let problems = try fetch(google(models, ["/b/bucket/o/b": [lost]]))
        #expect(problems.map(\.subject) == ["b"])
        #expect(try folder.sources().models.map(\.name) == ["a", "c"])
        let error = #expect(throws: FirebaseError.self) {
            try fetch(google(["d", "e"].map { model($0) }, ["/storage/": [lost]]))
        }
        #expect(error?.canContinue == true)
    }

    @Test("A refused list of models is a problem of the models alone, as after the end of the hosting")
    func refusedList() throws {
        let problems = try fetch(google([], ["/models?": [.answer(403, body: #"{"error":{"message":"API is off"}}"#)]]))
        #expect(problems.map(\.subject) == ["the models"])
        #expect(problems[0].reason.contains("API is off"))
    }

    @Test("A full disk ends the import and says so")
    func fullDisk() throws {
        let error = #expect(throws: FirebaseError.self) {
            try fetch(google([model("a"), model("b")], ["/storage/": [.noSpace]]))
        }
        #expect(error?.message.contains("No space left") == true)
        #expect(error?.canContinue == true)
        #expect(try folder.sources().models.isEmpty)
    }

    @Test("Bytes without a hash of the source are compared with those that came first")
    func withoutHash() throws {
        let command = try BulkDownloadCommand("curl -o a.tflite https://s.example/a?X-Sig=1")
        let google = ScriptedGoogle(.answer(200, body: "bytes"))
        let fetch = ModelFetch(connection: FirebaseConnection(google), folder: folder) { _, _, _, _, _ in }
        #expect(try fetch.fetch(command).isEmpty)
        #expect(try folder.sources().models.first?.isHashConfirmed == false)
        #expect(try folder.sources().models.first?.expectedSHA256 == SHA256Hasher.hash(Array("bytes".utf8)).hex)
        try Data("bytez".utf8).write(to: URL(fileURLWithPath: folder.modelFile("a")))
        #expect(try fetch.fetch(command).isEmpty)
        #expect(google.requests.count == 2)
    }

    @Test("A web page in place of a model that has no hash is no model")
    func webPage() throws {
        let command = try BulkDownloadCommand("curl -o a.tflite https://s.example/a?X-Sig=1")
        let google = ScriptedGoogle(.answer(200, body: "<html>Sign in</html>"))
        let problems = try ModelFetch(connection: FirebaseConnection(google), folder: folder) { _, _, _, _, _ in }
            .fetch(command)
        #expect(problems.first?.reason.contains("web page") == true)
        #expect(try folder.sources().models.isEmpty)
    }
}
