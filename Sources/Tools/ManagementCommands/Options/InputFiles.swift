import HearthFiles
package import HearthLocalCommands
import HearthWire

/// A JSON file from the user.
struct JSONFile<Value: Decodable> {
    let value: Value
    /// The bytes of the file.
    let bytes: [UInt8]

    /// - Parameter what: what the file should be, with an article, for the error.
    init(_ path: String, _ type: Value.Type = Value.self, what: String) throws(CommandFailure) {
        bytes = Array(try TextFile.read(path).utf8)
        // The server refuses it, too; the decoder may skip what stands around a comma too many.
        if let fault = JSONFault(in: bytes) {
            throw CommandFailure("\(path) is not \(what): it is not valid JSON; \(fault).")
        }
        do {
            // Decoded as the server does it.
            value = try WireJSON.decodeRequest(Value.self, from: bytes)
        } catch let error as DecodingError {
            throw CommandFailure("\(path) is not \(what): \(Self.reason(error))", cause: error)
        } catch {
            throw CommandFailure("\(path) is not \(what).", cause: error)
        }
    }

    private static func reason(_ error: DecodingError) -> String {
        switch error {
        case .keyNotFound(let key, let context): return "\(place(context.codingPath + [key])) is missing."
        case .typeMismatch(_, let context), .valueNotFound(_, let context):
            return "\(place(context.codingPath)) has the wrong type."
        case .dataCorrupted(let context):
            return context.codingPath.isEmpty
                ? "it is not valid JSON." : "\(place(context.codingPath)): \(context.debugDescription)"
        @unknown default: return "\(error)"
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

/// Small files from the user. A pipe is one, too.
enum InputFile {
    /// More than the largest template that a server takes.
    private static let limitBytes = 32 << 20

    /// - Parameter path: `-` for standard input.
    static func read(_ path: String) throws(CommandFailure) -> [UInt8] {
        do throws(FileError) {
            return try DiskFiles().read(path == "-" ? "/dev/stdin" : path, limitBytes: limitBytes)
        } catch {
            throw CommandFailure("\(error.message).", cause: error)
        }
    }
}

/// Small text files from the user.
package enum TextFile {
    /// - Parameter path: `-` for standard input.
    package static func read(_ path: String) throws(CommandFailure) -> String {
        guard let text = String(validating: try InputFile.read(path), as: UTF8.self) else {
            throw CommandFailure("Cannot read \(path): it is not text in UTF-8.")
        }
        return text
    }
}
