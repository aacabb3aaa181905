import Foundation
import HearthConcurrency
import HearthWire

/// The process's apps by name.
final class AppRegistry: Sendable {
    /// nil until the first app.
    private let known = Lock<[String: FirebaseApp]?>(nil)

    private enum Obstacle { case taken, badID }

    var apps: [String: FirebaseApp]? { known.withLock { $0 } }

    /// Registers an app. Ends the process when its name is taken or its app id is malformed.
    func add(_ app: FirebaseApp) {
        let options = app.options
        logWarnings(about: options)
        let obstacle: Obstacle? = known.withLock { known in
            guard known?[app.name] == nil else { return .taken }
            guard AppIdentifier.isAppID(options.googleAppID) else { return .badID }
            known = known ?? [:]
            known?[app.name] = app
            return nil
        }
        switch obstacle {
        case nil: return
        case .taken where app.isDefaultApp: Misuse.stop("Default app has already been configured.")
        case .taken: Misuse.stop("App named \(app.name) has already been configured.")
        case .badID:
            Misuse.stop(
                """
                Configuration fails. It may be caused by an invalid GOOGLE_APP_ID in GoogleService-Info.plist or set \
                in the customized options: '\(options.googleAppID)'
                """)
        }
    }

    /// Removes an app; false when this object is not registered.
    func remove(_ app: FirebaseApp) -> Bool {
        known.withLock { known in
            guard known?[app.name] === app else { return false }
            known?[app.name] = nil
            return true
        }
    }

    private func logWarnings(about options: FirebaseOptions) {
        if !Self.fits(bundleID: options.bundleID, running: Bundle.main.bundleIdentifier) {
            AppLog.core.error(
                "I-COR000008",
                """
                The project's Bundle ID is inconsistent with the Bundle ID of the running program; the options name \
                '\(options.bundleID)'.
                """)
        }
        if !AppIdentifier.hasKnownVersion(appID: options.googleAppID) {
            AppLog.core.info("I-COR000010", "Unknown GOOGLE_APP_ID version: \(options.googleAppID)")
        }
    }

    /// Whether the options suit the running program. Those of a program without a bundle id, as on Linux, always do.
    /// The bundle id of an extension begins with that of its app.
    static func fits(bundleID: String, running: String?) -> Bool {
        guard let running, !bundleID.isEmpty else { return true }
        return running == bundleID || running.hasPrefix(bundleID + ".")
    }
}

/// The forms of an app's name and of its id.
enum AppIdentifier {
    /// Letters, digits, `_` and `-`; at least one.
    static func isName(_ text: String) -> Bool { WireNames.isWord(text) }

    /// `1:<project number>:<platform>:<hex>`, or, for versions that are not known yet, `<version>:` and any text.
    static func isAppID(_ text: String) -> Bool {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count >= 2, !parts[0].isEmpty, parts[0].utf8.allSatisfy(isDigit) else { return false }
        guard parts[0] == "1" else { return true }
        return parts.count == 4 && isProjectNumber(parts[1]) && !parts[2].isEmpty && !parts[3].isEmpty
            && parts[3].allSatisfy { $0.isASCII && $0.isHexDigit }
    }

    static func hasKnownVersion(appID: String) -> Bool { appID.hasPrefix("1:") }

    private static func isProjectNumber(_ text: Substring) -> Bool {
        Int64(text) != nil && text.utf8.allSatisfy(isDigit)
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}
