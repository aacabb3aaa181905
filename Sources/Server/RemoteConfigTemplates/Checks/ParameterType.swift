import Foundation
import HearthWire

/// The type of a parameter, and which texts are values of it.
package enum ParameterType: String, Sendable, CaseIterable {
    case unspecified = "PARAMETER_VALUE_TYPE_UNSPECIFIED"
    case string = "STRING"
    case boolean = "BOOLEAN"
    case number = "NUMBER"
    case json = "JSON"

    /// Why a text is not a value of the type.
    package struct Refusal: Sendable, Hashable {
        /// A sentence.
        package let message: String
        /// Whether earlier versions of the server took the text.
        package let wasTaken: Bool
    }

    /// Nil if the text is a value of the type.
    package func refusal(of text: String) -> Refusal? {
        switch self {
        case .unspecified, .string: nil
        case .boolean: ["true", "false"].contains(text.lowercased()) ? nil : plainRefusal(of: text)
        case .number: Self.isNumber(text) ? nil : plainRefusal(of: text)
        case .json: Self.refusalOfJSON(text)
        }
    }

    private func plainRefusal(of text: String) -> Refusal {
        Refusal(message: "The value is not a \(rawValue): \(Self.shown(text)).", wasTaken: false)
    }

    /// Foundation on Linux takes a comma before a closing bracket and a byte order mark, which the JSON of other devices and
    /// languages does not have.
    private static func refusalOfJSON(_ text: String) -> Refusal? {
        let isReadable = (try? JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed)) != nil
        if let fault = JSONFault(in: text.utf8) {
            return Refusal(message: "The value is not JSON (\(fault)): \(shown(text)).", wasTaken: isReadable)
        }
        guard !isReadable else { return nil }
        return Refusal(
            message: """
                Devices cannot read this JSON, because a number is too large, half of a character is escaped, or brackets are \
                nested more than 512 deep: \(shown(text)).
                """, wasTaken: false)
    }

    /// `-?(\d*\.)?\d+`
    private static func isNumber(_ text: String) -> Bool {
        let digits = text.hasPrefix("-") ? text.dropFirst() : text[...]
        let parts = digits.split(separator: ".", omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count), let last = parts.last, !last.isEmpty else { return false }
        return parts.allSatisfy { $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }
    }

    private static func shown(_ text: String) -> String {
        String(text.prefix(40).map { $0.isNewline ? " " : $0 })
    }
}
