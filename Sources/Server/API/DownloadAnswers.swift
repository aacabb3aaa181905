import HearthCatalog
import HearthHTTP
import Synchronization

/// The answers of `:download` made in the present second.
///
/// The link in one says until when it is good, to the second, and not for whom: all devices that ask for a version within
/// one second get the same, so it is signed and encoded once. Any thread.
final class DownloadAnswers: Sendable {
    private struct Key: Hashable {
        let release: ObjectIdentifier
        let base: String?
    }

    private struct Kept {
        /// Kept too, so that its identity stays its own.
        let release: ServedRelease
        let response: Response
    }

    private struct Made {
        var expires: Int64 = 0
        var answers: [Key: Kept] = [:]
    }

    /// Beyond it nothing more is kept: callers of a proxy choose the addresses that they reach it under.
    private static let maximum = 1000

    private let made = Mutex(Made())

    /// The answer that names that release, with a link under the address `base`, or nil for the one without a link; `make`
    /// makes it where there is none yet.
    func answer(_ release: ServedRelease, base: String?, expires: Int64, make: () -> Response) -> Response {
        let key = Key(release: ObjectIdentifier(release), base: base)
        if let known = made.withLock({ $0.expires == expires ? $0.answers[key]?.response : nil }) { return known }
        let response = make().forManyRequests
        made.withLock { made in
            if made.expires != expires { made = Made(expires: expires) }
            if made.answers.count < Self.maximum { made.answers[key] = Kept(release: release, response: response) }
        }
        return response
    }
}
