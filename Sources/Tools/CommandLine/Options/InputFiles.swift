import Foundation
import HearthLocalCommands
import HearthWire

/// A JSON file from the user.
struct JSONFile<Value: Decodable> {
    let value: Value
    /// The bytes of the file.
    let bytes: [UInt8]

    /// - Parameter what: what the file should be, with an article, for the error.
    init(_ path: String, _ type: Value.Type = Value.self, what: String) throws(CommandFailure) {
        bytes = Array(try TextFile.read(path).utf8)
        do {
            // Decoded as the server does it.
            value = try WireJSON.decodeRequest(Value.self, from: bytes)
        } catch let error as DecodingError {
            throw CommandFailure("\(path) is not \(what): \(Self.reason(error, bytes))", cause: error)
        } catch {
            throw CommandFailure("\(path) is not \(what).", cause: error)
        }
    }

    private static func reason(_ error: DecodingError, _ bytes: [UInt8]) -> String {
        switch error {
        case .keyNotFound(let key, let context): return "\(place(context.codingPath + [key])) is missing."
        case .typeMismatch(_, let context), .valueNotFound(_, let context):
            return "\(place(context.codingPath)) has the wrong type."
        case .dataCorrupted(let context):
            return context.codingPath.isEmpty
                ? syntaxError(bytes) : "\(place(context.codingPath)): \(context.debugDescription)"
        @unknown default: return "\(error)"
        }
    }

    /// The decoder does not say where the JSON is invalid. The older reader gives the number of the byte at the end of its
    /// sentence.
    private static func syntaxError(_ bytes: [UInt8]) -> String {
        do {
            _ = try JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed)
            return "it is not valid JSON."
        } catch {
            let text = (error as NSError).userInfo[NSDebugDescriptionErrorKey] as? String ?? ""
            let position = text.split(separator: " ").last.flatMap { Int($0.dropLast()) }
            let line = position.map { place in " (line \(1 + bytes.prefix(place).count { $0 == UInt8(ascii: "\n") }))" }
            return "it is not valid JSON\(line ?? ""). \(text)"
        }
    }

    private static func place(_ keys: [any CodingKey]) -> String {
        keys.isEmpty
            ? "the whole" : keys.map { $0.intValue.map { "[\($0)]" } ?? ".\($0.stringValue)" }.joined().trimmedDot
    }
}

extension String {
    fileprivate var trimmedDot: String { hasPrefix(".") ? String(dropFirst()) : self }
}

/// Small text files from the user.
enum TextFile {
    static func read(_ path: String) throws(CommandFailure) -> String {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw CommandFailure("Cannot read \(path): it does not exist, or you have no permission to read it.")
        }
        guard let text = String(data: data, encoding: .utf8) else {
            throw CommandFailure("Cannot read \(path): it is not text.")
        }
        return text
    }
}
