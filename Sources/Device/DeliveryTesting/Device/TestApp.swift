import HearthApp
import Synchronization

/// Configures the apps of test devices, without the traps that misuse by an app's programmer would be.
enum TestApp {
    static let defaultName = "__FIRAPP_DEFAULT"

    /// Between looking for a name and taking it.
    private static let turn = Mutex(())

    static func options(serverURL: String) -> FirebaseOptions {
        let options = FirebaseOptions(googleAppID: "1:1234567890:ios:0123456789abcdef", gcmSenderID: "1234567890")
        options.apiKey = "A" + String(repeating: "k", count: 38)
        options.projectID = "demo"
        options.bundleID = "app.example"
        options.serverURL = serverURL
        return options
    }

    static func configure(
        _ name: String, _ options: FirebaseOptions, _ environment: DeviceEnvironment, takingOver other: FirebaseApp?
    ) throws(TestDeviceError) -> FirebaseApp {
        guard name.wholeMatch(of: /[A-Za-z0-9_-]+/) != nil else {
            throw TestDeviceError(.badName, "'\(name)' is no name for an app: use letters, digits, - and _")
        }
        let app: FirebaseApp? = turn.withLock { _ in
            if let other, other.name == name { other.delete { _ in } }
            guard FirebaseApp.registered(name) == nil else { return nil }
            return FirebaseApp.configure(name: name, options: options, environment: environment)
        }
        if let app { return app }
        throw TestDeviceError(
            .appExists,
            name == defaultName
                ? "There is a default app already: one test at a time can have it (@Suite(.serialized))"
                : "There is an app named '\(name)' already: take another name, or none")
    }
}
