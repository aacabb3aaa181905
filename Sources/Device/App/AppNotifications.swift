import Foundation

/// What is posted when apps come and go: on the calling thread, with the class as the object, as existing observers expect.
enum AppNotifications {
    static let ready = Notification.Name("FIRAppReadyToConfigureSDKNotification")
    static let deleted = Notification.Name("FIRAppDeleteNotification")

    private static let nameKey = "FIRAppNameKey"
    private static let isDefaultKey = "FIRAppIsDefaultAppKey"
    private static let appIDKey = "FIRGoogleAppIDKey"

    static func postReady(_ app: FirebaseApp, appID: String) {
        let info: [String: Any] = [nameKey: app.name, isDefaultKey: app.isDefaultApp, appIDKey: appID]
        NotificationCenter.default.post(name: ready, object: FirebaseApp.self, userInfo: info)
    }

    static func postDeleted(_ app: FirebaseApp) {
        NotificationCenter.default.post(name: deleted, object: FirebaseApp.self, userInfo: [nameKey: app.name])
    }
}
