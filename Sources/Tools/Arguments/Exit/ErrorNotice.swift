import Foundation

/// An error as it is told on standard error: as text for people or, to whoever asked for JSON, as an object.
package struct ErrorNotice: Sendable {
    package enum Form: Sendable {
        case text(TextColors)
        /// One object on one line: `{"error":{"code":"FAILED","message":"..."}}`.
        case json

        var isJSON: Bool {
            if case .json = self { true } else { false }
        }
    }

    /// The code of an error of which no more is known than its text.
    package static let failed = "FAILED"
    /// The code of wrong arguments.
    package static let wrongUsage = "USAGE"

    private let message: String
    private let code: String
    /// Lines below the message, for people only.
    private let hints: [String]

    package init(_ message: String, code: String = failed, hints: [String] = []) {
        self.message = message
        self.code = code
        self.hints = hints
    }

    /// The code that an error has by itself, else that of a failure.
    package static func code(of error: any Error) -> String { (error as? any CodedError)?.reportedCode ?? failed }

    /// The form for a program that was started with these arguments: JSON where `--json` is among its options. No option has
    /// it as its value, because a value that looks like an option is refused.
    package static func form(_ arguments: some Sequence<String>) -> Form {
        arguments.prefix { $0 != "--" }.contains("--json") ? .json : .text(.standardError)
    }

    /// Without a newline at the end.
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

/// An error that says how a command reports it: a code for programs, beside its text for people.
package protocol CodedError: Error {
    /// In capitals, such as `NOT_FOUND`.
    var reportedCode: String { get }
    /// The text, where a command says more than the error itself; else nil.
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
        // Foundation's own errors describe themselves with domain and code; their localized text is for people.
        if error is any CustomNSError || type(of: error) is NSError.Type {
            return error.localizedDescription
        }
        return String(describing: error)
    }
}
