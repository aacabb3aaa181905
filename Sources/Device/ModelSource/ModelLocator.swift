package import Foundation
import HearthConcurrency
import HearthModelFile

/// Finds the remote models that are installed on this device. The module that downloads models registers a locator, and
/// modules that run models use it. So neither needs to import the other.
package protocol ModelLocator: Sendable {
    /// The absolute path of the newest complete copy of the remote model `name`; nil while there is none.
    ///
    /// For a model that is not installed, the call starts the download and returns at once. Called on any thread.
    func localPath(ofRemoteModel name: String) -> String?

    /// Rejects the copy at `path`, because it cannot be loaded on this device. The next call of `localPath` returns the
    /// copy before it, or nil. Called on any thread.
    func reject(path: String, ofRemoteModel name: String, reason: String)

    /// The observer of the loads and runs of the file at `path`; nil without one, and for files that are not copies of
    /// a remote model. Called for each load, on any thread.
    func observer(ofModelAt path: String) -> (any ModelObserver)?

    /// Why the remote model `name`, of which `localPath` has just found no copy, is missing. For error texts. Called on
    /// any thread.
    func absence(ofRemoteModel name: String) -> ModelAbsence
}

extension ModelLocator {
    /// For locators with only one copy of a model, which have no other copy to return.
    package func reject(path: String, ofRemoteModel name: String, reason: String) {}

    package func observer(ofModelAt path: String) -> (any ModelObserver)? { nil }

    package func absence(ofRemoteModel name: String) -> ModelAbsence { .downloading }
}

/// Creates the process's ``ModelLocator`` when none is registered. It is found by its class name, because modules that
/// run models do not import the one that downloads them.
package protocol ModelLocatorProvider {
    static func makeLocator() -> any ModelLocator
}

/// The process's ``ModelLocator``. Use it from any thread.
package enum ModelLocatorRegistry {
    private struct State {
        var registered: (any ModelLocator)?
        var hasLooked = false
    }

    private static let state = Lock(State())
    /// The class exists if the program links HearthDelivery, which downloads models.
    private static let providerName = "HearthDelivery.DeliveryLocatorProvider"

    /// The registered locator, else the one in HearthDelivery; nil in a program without it.
    package static var locator: (any ModelLocator)? {
        state.withLock { state in
            if !state.hasLooked, state.registered == nil {
                let provider = NSClassFromString(providerName) as? any ModelLocatorProvider.Type
                state.registered = provider?.makeLocator()
            }
            state.hasLooked = true
            return state.registered
        }
    }

    /// Replaces the registered locator; nil removes it.
    package static func register(_ locator: (any ModelLocator)?) {
        state.withLock { state in
            state.registered = locator
            state.hasLooked = true
        }
    }
}

/// Why a remote model is not on this device.
package enum ModelAbsence: Sendable, Equatable {
    /// The app has not configured a server for models.
    case notConfigured
    /// The download is running or about to start.
    case downloading
    /// The last download failed, and the next one is not due yet. `reason` is a sentence.
    case backingOff(reason: String)
}

extension ModelLocator {
    /// Loads the newest copy of a remote model that works on this device. It rejects a copy that cannot be loaded at
    /// all, and tries the copy before it.
    ///
    /// - Parameters:
    ///   - isRefusal: Whether an error, which `load` throws as an underlying error, means that the engine refuses the
    ///     model.
    ///   - load: Loads the copy at a path, or throws the reason why that is not possible.
    /// - Returns: nil when there is no copy on this device; the call has then started the download.
    /// - Throws: The reason why the newest copy cannot be loaded, if no other copy can. If the copy is not the cause,
    ///   the error is thrown at once, because other users share the copy and it stays in place.
    package func loadNewest<Model>(
        _ name: String, isRefusal: (_ cause: any Error) -> Bool, load: (_ path: String) throws(NSError) -> Model
    ) throws(NSError) -> Model? {
        var failures: [(path: String, error: NSError)] = []
        // A locator without another copy returns the same path again; no copy is tried twice.
        while let path = localPath(ofRemoteModel: name), !failures.contains(where: { $0.path == path }) {
            do throws(NSError) {
                return try load(path)
            } catch {
                guard let cause = error.userInfo[NSUnderlyingErrorKey] as? any Error,
                    (cause as? ModelFileError)?.isFaultOfFile ?? isRefusal(cause)
                else { throw error }
                failures.append((path, error))
                reject(path: path, ofRemoteModel: name, reason: error.localizedDescription)
            }
        }
        if let newest = failures.first { throw newest.error }
        return nil
    }
}

extension ModelFileError {
    /// Whether the file cannot be used on this device at all. Other errors may come from the disk, from a lack of
    /// memory, or from what the app expects of the model.
    fileprivate var isFaultOfFile: Bool {
        [.empty, .notAModel, .malformed, .unsupported, .invalidBundle].contains(code)
    }
}
