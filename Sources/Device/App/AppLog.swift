import Foundation

/// What the app's objects have to say besides errors: one line each on standard error, with the codes that people look
/// for. Never holds a key or a token.
package struct AppLog: Sendable {
    package static let core = AppLog(label: "FirebaseCore")
    package static let analytics = AppLog(label: "FirebaseAnalytics")
    package static let installations = AppLog(label: "FirebaseInstallations")

    private let label: String

    package func error(_ code: String, _ text: @autoclosure () -> String) { write(.error, code, text) }

    package func info(_ code: String, _ text: @autoclosure () -> String) { write(.info, code, text) }

    private func write(_ level: FirebaseLoggerLevel, _ code: String, _ text: () -> String) {
        guard level.rawValue <= FirebaseConfiguration.shared.loggerLevel().rawValue else { return }
        try? FileHandle.standardError.write(contentsOf: Data("[\(label)][\(code)] \(text())\n".utf8))
    }
}
