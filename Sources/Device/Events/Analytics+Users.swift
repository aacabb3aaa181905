public import Foundation

/// Kept for existing apps, without effect: nothing about users is kept or sent.
extension Analytics {
    /// Does nothing: no property of a user is kept or sent.
    public class func setUserProperty(_ value: String?, forName name: String) {}

    /// Does nothing: no user is known.
    public class func setUserID(_ userID: String?) {}

    /// Does nothing: there are no sessions.
    public class func setSessionTimeoutInterval(_ sessionTimeoutInterval: TimeInterval) {}

    /// Does nothing: of an event's parameters only its own value is kept.
    public class func setDefaultEventParameters(_ parameters: [String: Any]?) {}
}
