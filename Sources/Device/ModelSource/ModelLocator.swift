package import Foundation
import HearthModelFile
import Synchronization

/// Knows which remote models are installed on this device. Whoever fetches models registers one; whoever runs models
/// asks it, so that neither has to import the other.
package protocol ModelLocator: Sendable {
    /// Absolute path of the newest complete copy of the remote model `name`; nil while there is none.
    ///
    /// Asking for a model that is not installed starts its download and returns at once. Called on any thread.
    func localPath(ofRemoteModel name: String) -> String?

    /// Told that the copy at `path` cannot be loaded on this device. It is put aside: the next call of `localPath` gives the
    /// copy before it, or nil. Called on any thread.
    func reject(path: String, ofRemoteModel name: String, reason: String)

    /// Who wants to know how the remote model `name` does when it runs; nil when nobody does. Asked for each run, on any thread.
    func observer(ofRemoteModel name: String) -> (any ModelObserver)?

    /// The same for the file at `path`, which an app opened itself. Nil also where it is no remote model's.
    func observer(ofModelAt path: String) -> (any ModelObserver)?

    /// What is being done about the remote model `name`, of which `localPath` has just found no copy. For error texts.
    /// Called on any thread.
    func absence(ofRemoteModel name: String) -> ModelAbsence
}

extension ModelLocator {
    /// For locators that have only one copy of a model: nothing can take its place.
    package func reject(path: String, ofRemoteModel name: String, reason: String) {}

    package func observer(ofRemoteModel name: String) -> (any ModelObserver)? { nil }

    package func observer(ofModelAt path: String) -> (any ModelObserver)? { nil }

    package func absence(ofRemoteModel name: String) -> ModelAbsence { .downloading }
}

/// Makes the process's ``ModelLocator`` when nobody has registered one: found by its name, because whoever runs models does
/// not import whoever fetches them.
package protocol ModelLocatorProvider {
    static func makeLocator() -> any ModelLocator
}

/// The process's ``ModelLocator``. Safe to use from any thread.
package enum ModelLocatorRegistry {
    private struct State {
        var registered: (any ModelLocator)?
        var hasLooked = false
    }

    private static let state = Mutex(State())
    /// Present when the program fetches models, that is when HearthDelivery is linked.
    private static let providerName = "HearthDelivery.DeliveryLocatorProvider"

    /// The registered locator, else the one that comes with HearthDelivery; nil in a program without it.
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

    /// Takes the place of the one registered before; nil takes that one away.
    package static func register(_ locator: (any ModelLocator)?) {
        state.withLock { state in
            state.registered = locator
            state.hasLooked = true
        }
    }
}

/// What is being done about a remote model that is not on this device.
package enum ModelAbsence: Sendable, Equatable {
    /// Nobody has said yet where models come from.
    case notConfigured
    case downloading
    /// The last download failed, and the next one is not due yet. `reason` is a sentence.
    case backingOff(reason: String)
}

extension ModelLocator {
    /// Loads the newest copy of a remote model that works here. A copy that cannot be loaded by anybody is put aside, and
    /// the one before it is tried.
    ///
    /// - Parameters:
    ///   - isRefusal: Whether an error that `load` gives as its underlying one says that the engine does not take the model.
    ///   - load: Loads the copy at a path, or throws why that is not possible.
    /// - Returns: nil when no copy is on this device; its download was asked for then.
    /// - Throws: Why the newest copy cannot be loaded, when there is no other that can. At once when the copy is not to
    ///   blame: others share it, and it stays what it is.
    package func loadNewest<Model>(
        _ name: String, isRefusal: (_ cause: any Error) -> Bool, load: (_ path: String) throws(NSError) -> Model
    ) throws(NSError) -> Model? {
        var failures: [(path: String, error: NSError)] = []
        // A locator that has nothing else gives the same path again: nothing is tried twice.
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
    /// Whether the file is of no use to anybody here. Everything else may lie with the disk, the memory, or what the app
    /// wants of the model.
    fileprivate var isFaultOfFile: Bool {
        [.empty, .notAModel, .malformed, .unsupported, .invalidBundle].contains(code)
    }
}
