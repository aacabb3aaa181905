package import Foundation
import HearthModelFile

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
                putAside(path: path, ofRemoteModel: name, reason: error.localizedDescription)
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
