public import Dispatch
public import Foundation
import HearthFiles
import Synchronization

/// An app's connection to its project: options, store folder and installation identity.
///
/// Configure once at start, then use it from any thread. As in Google's library, misuse by the programmer (configuring
/// twice, no options) ends the process; nothing else does.
public final class FirebaseApp: NSObject, Sendable {
    /// The name of the app that `configure()` and `configure(options:)` make.
    static let defaultName = "__FIRAPP_DEFAULT"

    public let name: String
    /// Where completions and progress of this app's objects are called; the main queue by default. On Linux the main
    /// queue only runs in programs that call `dispatchMain()` or run a run loop.
    public var callbackQueue: DispatchQueue {
        get { mutableQueue.withLock { $0 } }
        set { mutableQueue.withLock { $0 = newValue } }
    }

    package let environment: DeviceEnvironment
    private let values: OptionValues
    private let mutableQueue = Mutex<DispatchQueue>(.main)

    private init(name: String, options: FirebaseOptions, environment: DeviceEnvironment) {
        self.name = name
        self.environment = environment
        values = OptionValues(options)
    }

    /// A copy of the options; changing it changes nothing here.
    public var options: FirebaseOptions { values.options() }

    /// Configures the default app from `FirebaseOptions.defaultOptions()`.
    public class func configure() {
        guard let options = FirebaseOptions.defaultOptions() else {
            preconditionFailure(
                """
                `FirebaseApp.configure()` could not find a valid GoogleService-Info.plist in your project. Set \
                HEARTH_CONFIG to the file that the Hearth server wrote, or call configure(options:).
                """)
        }
        configure(options: options)
    }

    public class func configure(options: FirebaseOptions) {
        configure(name: defaultName, options: options)
    }

    /// `name`: letters, digits, `_` and `-`.
    public class func configure(name: String, options: FirebaseOptions) {
        configure(name: name, options: options, environment: .system())
    }

    @discardableResult
    package class func configure(
        name: String, options: FirebaseOptions, environment: DeviceEnvironment
    ) -> FirebaseApp {
        precondition(
            !name.isEmpty && name.utf8.allSatisfy(isNameCharacter),
            "App name can only contain alphanumeric, hyphen, and underscore characters: '\(name)'")
        precondition(
            isAppID(options.googleAppID),
            """
            Configuration fails. It may be caused by an invalid GOOGLE_APP_ID in GoogleService-Info.plist or set in \
            the customized options: '\(options.googleAppID)'
            """)
        let app = FirebaseApp(name: name, options: options, environment: environment)
        let isNew = registry.withLock { apps in
            guard apps[name] == nil else { return false }
            apps[name] = app
            return true
        }
        precondition(
            isNew,
            name == defaultName
                ? "Default app has already been configured." : "App named \(name) has already been configured.")
        return app
    }

    /// The default app, or nil before it is configured.
    public class func app() -> FirebaseApp? { app(name: defaultName) }

    public class func app(name: String) -> FirebaseApp? { registry.withLock { $0[name] } }

    /// Every configured app by name; nil when there is none.
    public class var allApps: [String: FirebaseApp]? {
        registry.withLock { $0.isEmpty ? nil : $0 }
    }

    /// Forgets the app, so that its name can be configured again. Calls back at once, on this thread, with false when
    /// it was not registered. Files stay.
    public func delete(_ completion: @escaping (Bool) -> Void) {
        let found = Self.registry.withLock { apps in
            guard apps[name] === self else { return false }
            apps[name] = nil
            return true
        }
        if found {
            NotificationCenter.default.post(
                name: Notification.Name("FIRAppDeleteNotification"), object: nil, userInfo: ["FIRAppNameKey": name])
        }
        completion(found)
    }

    @discardableResult
    public func delete() async -> Bool {
        await withCheckedContinuation { continuation in delete { continuation.resume(returning: $0) } }
    }

    /// This app's folder in the store. Programs that use the same app id share it.
    package var folder: String {
        let id = values.googleAppID.map { $0.isLetter || $0.isNumber ? $0 : "_" }
        return FilePath.join(environment.storeFolder, "\(name)@\(String(id))")
    }

    private static let registry = Mutex<[String: FirebaseApp]>([:])

    private static func isNameCharacter(_ byte: UInt8) -> Bool {
        (0x61...0x7A).contains(byte) || (0x41...0x5A).contains(byte) || (0x30...0x39).contains(byte)
            || byte == 0x2D || byte == 0x5F
    }

    /// `<version>:<project number>:<platform>:<hex>`.
    package static func isAppID(_ text: String) -> Bool {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        return parts.count == 4 && isNumber(parts[0]) && isNumber(parts[1]) && !parts[2].isEmpty
            && !parts[3].isEmpty && parts[3].allSatisfy { $0.isASCII && $0.isHexDigit }
    }

    private static func isNumber(_ text: Substring) -> Bool {
        Int64(text) != nil && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
    }
}
