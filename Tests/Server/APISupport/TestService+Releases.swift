import Foundation
import HearthAPI
import HearthCatalog
import HearthCrypto
import HearthHTTP
import HearthIdentity
import HearthValidation
import Testing

/// Hearth's own calls about versions and releases, and slow checks.
extension TestService {
    /// A call to `/hearth/v1/projects/{project}/{path}` by the project's own account.
    func hearthAdmin(
        _ method: HTTPMethod, _ path: String, _ json: String = "", as start: FirstStart? = nil
    ) throws -> Answer {
        let start = start ?? a
        return try hearth(method, "projects/\(start.project.id)/\(path)", json, token: accessToken(start))
    }

    /// Uploads a file and makes a version of it that is not released.
    @discardableResult
    func makeVersion(_ id: String, _ contents: String) throws -> Answer {
        _ = try upload(contents, name: "version")
        return try hearthAdmin(.post, "models/\(id)/versions", #"{"source":"\#(uri("version"))"}"#)
    }

    /// Waits until there is a verdict on the file with these contents.
    func waitForCheck(_ contents: String) {
        let done = DispatchSemaphore(value: 0)
        services.validation.whenDone(SHA256Hasher.hash(contents.utf8).hex, withinSeconds: 86_400) { _ in done.signal() }
        done.wait()
    }

    /// The hash that a device with that id is given; nil when it gets nothing.
    func delivered(_ displayName: String) throws -> String? { try info(displayName).headers["ETag"] }
}

/// The hash of a file with these contents.
func hash(_ contents: String) -> String { SHA256Hasher.hash(contents.utf8).hex }
