import Firebase
import FirebaseMLModelDownloader
import Testing

/// As in apps that came to Firebase with a downloader of their own.
class ModelDownloader {
    enum DownloadError: Error {
        case offline
    }

    func start() throws { throw DownloadError.offline }
}

@Suite("An app's own names")
struct OwnNamesTests {
    @Test("a class of the app hides the library's of the same name, without a word")
    func shadowing() {
        #expect(throws: ModelDownloader.DownloadError.offline) { try ModelDownloader().start() }
    }

    @Test("the library's is still there under its module's name")
    func qualifiedName() {
        let type: Any.Type = FirebaseMLModelDownloader.ModelDownloader.self
        #expect(type != ModelDownloader.self)
        let error: FirebaseMLModelDownloader.DownloadError = .notFound
        #expect(error == .notFound)
    }
}
