package import HearthApp

/// The options of the apps that tests configure.
package enum TestOptions {
    /// - Parameter server: The host that the app's calls go to.
    package static func options(server: String) -> FirebaseOptions {
        let options = FirebaseOptions(googleAppID: "1:1234567890:ios:0123456789abcdef", gcmSenderID: "1234567890")
        options.apiKey = "A" + String(repeating: "k", count: 38)
        options.projectID = "demo"
        options.bundleID = "com.example.kiosk"
        options.serverURL = "https://\(server)"
        return options
    }
}
