import Foundation

/// What the app itself has set. Not kept on the disk, so that setting it at the start waits for nothing.
struct AppChoices: Sendable {
    var defaults: [String: Data] = [:]
    var settings = FetchSettings()
}
