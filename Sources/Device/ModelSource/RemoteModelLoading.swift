package import Foundation
import HearthModelFile

extension ModelLocator {
    /// Loads the newest copy of a remote model that works here. A copy that does not is put aside, and the one before it
    /// is tried.
    ///
    /// - Parameter load: Loads the copy at a path, or throws why that is not possible.
    /// - Returns: nil when no copy is on this device; its download was asked for then.
    /// - Throws: Why the newest copy cannot be loaded, when there is no other that can.
    package func loadNewest<Model>(
        _ name: String, load: (_ path: String) throws(NSError) -> Model
    ) throws(NSError) -> Model? {
        var failures: [(path: String, error: NSError)] = []
        // A locator that has nothing else gives the same path again: nothing is tried twice.
        while let path = localPath(ofRemoteModel: name), !failures.contains(where: { $0.path == path }) {
            do throws(NSError) {
                return try load(path)
            } catch {
                guard !Self.isUnreadable(error) else { throw error }
                failures.append((path, error))
                putAside(path: path, ofRemoteModel: name, reason: error.localizedDescription)
            }
        }
        if let newest = failures.first { throw newest.error }
        return nil
    }

    /// Whether the disk failed, or the file has just been removed: that says nothing about the model.
    private static func isUnreadable(_ error: NSError) -> Bool {
        let cause = error.userInfo[NSUnderlyingErrorKey] as? ModelFileError
        return cause?.code == .notFound || cause?.code == .unreadable
    }
}
