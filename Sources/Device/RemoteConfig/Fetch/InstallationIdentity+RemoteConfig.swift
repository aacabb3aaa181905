import Foundation
import HearthApp

extension InstallationIdentity {
    /// The same with this library's errors.
    ///
    /// - Throws: What `whileWaiting` throws; else an `NSError` in ``RemoteConfigErrorDomain``.
    static func identity(
        of app: FirebaseApp, renewingToken: Bool, whileWaiting: () throws -> Void
    ) throws -> InstallationIdentity {
        var interruption: (any Error)?
        do {
            return try InstallationIdentity(app, renewingToken: renewingToken) {
                do {
                    try whileWaiting()
                } catch {
                    interruption = error
                    throw error
                }
            }
        } catch {
            if let interruption { throw interruption }
            throw RemoteConfigError.error(
                .internalError, "Failed to get installations token. \(error.localizedDescription)", underlying: error)
        }
    }
}
