public import Foundation

/// The key of the app's name in the notification ``Foundation/NSNotification/Name/InstallationIDDidChange``. Its value is
/// the notification's own name, as in the original.
public let InstallationIDDidChangeAppNameKey: String = "FIRInstallationIDDidChangeNotification"

extension NSNotification.Name {
    /// Posted on the app's callback queue when its installation id was made, replaced or deleted on this device by this
    /// process; `userInfo` names the app under ``InstallationIDDidChangeAppNameKey``.
    public static let InstallationIDDidChange = NSNotification.Name("FIRInstallationIDDidChangeNotification")
}

enum InstallationIDNotification {
    static func post(_ app: FirebaseApp) {
        app.serialCallbackQueue.async {
            NotificationCenter.default.post(
                name: .InstallationIDDidChange, object: nil, userInfo: [InstallationIDDidChangeAppNameKey: app.name])
        }
    }
}
