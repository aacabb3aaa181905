import Foundation
import HearthLocalCommands

/// Small text files that a user names.
enum TextFile {
    static func read(_ path: String) throws(CommandFailure) -> String {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw CommandFailure("Cannot read \(path): there is no such file, or it may not be read.")
        }
        guard let text = String(data: data, encoding: .utf8) else {
            throw CommandFailure("Cannot read \(path): it is not text.")
        }
        return text
    }
}
