import Foundation
import HearthLocalCommands
import HearthWire

/// A JSON file that a user wrote.
struct JSONFile<Value: Decodable> {
    let value: Value
    /// As they stand in the file.
    let bytes: [UInt8]

    /// - Parameter what: what the file should be, with its article, for the failure.
    init(_ path: String, _ type: Value.Type = Value.self, what: String) throws(CommandFailure) {
        bytes = Array(try TextFile.read(path).utf8)
        do {
            value = try WireJSON.decode(Value.self, from: bytes)
        } catch let error as DecodingError {
            throw CommandFailure("\(path) is not \(what): \(Self.reason(error))")
        } catch {
            throw CommandFailure("\(path) is not \(what).")
        }
    }

    private static func reason(_ error: DecodingError) -> String {
        switch error {
        case .keyNotFound(let key, let context): return "\(place(context.codingPath + [key])) is missing."
        case .typeMismatch(_, let context), .valueNotFound(_, let context):
            return "\(place(context.codingPath)) is of the wrong kind."
        case .dataCorrupted(let context):
            guard context.codingPath.isEmpty else {
                return "\(place(context.codingPath)): \(context.debugDescription)"
            }
            return "it is no JSON. \(syntaxError(context) ?? "")"
        @unknown default: return "\(error)"
        }
    }

    /// Foundation says at which line and column.
    private static func syntaxError(_ context: DecodingError.Context) -> String? {
        (context.underlyingError as? NSError)?.userInfo[NSDebugDescriptionErrorKey] as? String
    }

    private static func place(_ keys: [any CodingKey]) -> String {
        keys.isEmpty
            ? "the whole" : keys.map { $0.intValue.map { "[\($0)]" } ?? ".\($0.stringValue)" }.joined().trimmedDot
    }
}

extension String {
    fileprivate var trimmedDot: String { hasPrefix(".") ? String(dropFirst()) : self }
}
