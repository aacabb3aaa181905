public import Foundation

/// Kept for existing apps, without effect: nothing about users is kept or sent.
extension Analytics {
    public class func setUserProperty(_ value: String?, forName name: String) {}

    public class func setUserID(_ userID: String?) {}

    public class func setSessionTimeoutInterval(_ sessionTimeoutInterval: TimeInterval) {}

    public class func setDefaultEventParameters(_ parameters: [String: Any]?) {}
}
