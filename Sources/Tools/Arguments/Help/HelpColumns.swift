import Foundation

/// The width that help and usage wrap at.
enum HelpColumns {
    /// Below this, wrapping makes help harder to read than long lines.
    static let minimum = 40
    static let standard = 80

    /// The given width, else the environment's `COLUMNS`, else 80; never below ``minimum``.
    static func resolve(
        _ columns: Int?, environment: [String: String] = ProcessInfo.processInfo.environment
    ) -> Int {
        max(minimum, columns ?? environment["COLUMNS"].flatMap { Int($0) } ?? standard)
    }
}
