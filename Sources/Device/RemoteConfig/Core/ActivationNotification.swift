import Foundation
import HearthApp

/// Posted on the app's callback queue when another configuration is active than before.
enum ActivationNotification {
    static let name = Notification.Name("FIRRemoteConfigActivateNotification")
    static let appNameKey = "FIRAppNameKey"

    static func post(_ app: FirebaseApp) {
        let appName = app.name
        app.serialCallbackQueue.async {
            NotificationCenter.default.post(name: name, object: nil, userInfo: [appNameKey: appName])
        }
    }
}
