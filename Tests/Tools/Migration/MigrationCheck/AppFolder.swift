import Foundation
import HearthTestSupport

@testable import HearthMigrationCheck

/// A folder with an app's sources.
struct AppFolder {
    private let folder: TemporaryFolder
    var path: String { folder.path }

    init() throws { folder = try TemporaryFolder() }

    func write(_ text: String, _ path: String) throws { try write(Data(text.utf8), path) }

    func write(_ data: Data, _ path: String) throws {
        let place = URL(fileURLWithPath: folder.path + "/" + path)
        try FileManager.default.createDirectory(
            at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
        try data.write(to: place)
    }

    func report() throws -> MigrationCheck.Report { try MigrationCheck(folder: folder.path).run() }

    /// `line call verdict`, with `!` for a call that stops working.
    func findings() throws -> [String] {
        try report().findings.map {
            "\($0.line) \($0.call) \($0.verdict.rawValue)\($0.ends == nil ? "" : "!")"
        }
    }

    func check(_ text: String, _ path: String) throws -> [String] {
        try write(text, path)
        return try findings()
    }
}
