import Hearth

FirebaseApp.configure()
if let app = FirebaseApp.app() {
    try app.deviceDescription.setAppVersion("2.10.0")
    try app.deviceDescription.setTags(["beta", "kiosk"])
}
