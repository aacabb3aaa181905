import Foundation

/// An error on standard error: text, or a JSON object if the user asked for JSON.
package struct ErrorNotice: Sendable {
    package enum Form: Sendable {
        case text(TextColors)
        /// One object on one line: `{"error":{"code":"FAILED","message":"..."}}`.
        case json

        var isJSON: Bool {
            if case .json = self { true } else { false }
        }
    }

    /// The code of an error that has no code of its own.
    package static let failed = "FAILED"
    /// The code of wrong arguments.
    package static let wrongUsage = "USAGE"

    private let message: String
    private let code: String
    /// Lines below the message, only in text.
    private let hints: [String]

    package init(_ message: String, code: String = failed, hints: [String] = []) {
        self.message = message
        self.code = code
        self.hints = hints
    }

    /// The error's own code, else that of a failure.
    package static func code(of error: any Error) -> String { (error as? any CodedError)?.reportedCode ?? failed }

    /// The form for a program with these arguments: JSON if `--json` is one of its options. No option has `--json` as its value,
    /// because a value that looks like an option is refused.
    package static func form(_ arguments: some Sequence<String>) -> Form {
        arguments.prefix { $0 != "--" }.contains("--json") ? .json : .text(.standardError)
    }

    /// The notice, without a newline at its end.
    package func text(_ form: Form) -> String {
        switch form {
        case .text(let colors): ([colors.notice("error: \(message)")] + hints).joined(separator: "\n")
        case .json: json
        }
    }

    private struct Envelope: Encodable {
        struct Body: Encodable {
            let code: String
            let message: String
        }

        let error: Body
    }

    private var json: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // Two strings always have a JSON form.
        let bytes = try? encoder.encode(Envelope(error: Envelope.Body(code: code, message: message)))
        return String(decoding: bytes ?? Data(), as: UTF8.self)
    }
}

/// An error with a code for programs and a text for users.
package protocol CodedError: Error {
    /// In capitals, such as `NOT_FOUND`.
    var reportedCode: String { get }
    /// The text, if a command says more than the error itself; else nil.
    var reportedText: String? { get }
}

extension CodedError {
    package var reportedText: String? { nil }
}

/// The one-line text of any error.
package enum ErrorText {
    package static func describe(_ error: any Error) -> String {
        text(of: error).singleLine
    }

    private static func text(of error: any Error) -> String {
        if let text = (error as? any CodedError)?.reportedText { return text }
        if let text = (error as? any LocalizedError)?.errorDescription {
            return text
        }
        // Foundation's own errors describe themselves with domain and code; their localized text is for users.
        if error is any CustomNSError || type(of: error) is NSError.Type {
            return error.localizedDescription
        }
        return String(describing: error)
    }
}
