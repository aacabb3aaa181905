import Foundation
import HearthErrors
import HearthFiles
import HearthTransport
import HearthWire

/// Why a part of an import out of Firebase failed.
package struct FirebaseError: DescribedError {
    /// The kind of a failure, for callers that branch on it.
    package enum Code: String {
        /// Google refused the call; ``FirebaseError/status`` says how.
        case refused
        /// No complete answer came, even after several attempts.
        case unreachable
        /// Google asks to wait for longer than a program should.
        case busy
        /// The answer does not have the documented form.
        case malformedAnswer
        /// A file of credentials is not what it should be, or Google does not accept it.
        case invalidCredentials
        /// The bytes are not those that the source names, even after several downloads.
        case damaged
        /// A file of this machine cannot be read or written.
        case invalidFile
        /// The user stopped the import.
        case cancelled
    }

    package let code: Code
    /// One line: what is wrong, and what to do.
    package let message: String
    /// The HTTP status of a refusal.
    package let status: Int?
    /// The error below this one, where there is one.
    package let cause: (any Error)?

    init(_ code: Code, _ message: String, status: Int? = nil, cause: (any Error)? = nil) {
        self.code = code
        self.message = message
        self.status = status
        self.cause = cause
    }

    init(_ error: FileError) { self.init(.invalidFile, error.message, cause: error) }

    init(_ error: TransportError) {
        let code: Code =
            switch error.code {
            case .cancelled: .cancelled
            // An answer came, but no valid one: only what was asked for is concerned.
            case .tooLarge, .badResponse, .badURL, .badRequest, .redirectRefused, .insecureRedirect: .malformedAnswer
            default: .unreachable
            }
        self.init(code, error.message, cause: error)
    }

    /// A refusal with Google's own words.
    init(_ response: TransportResponse, of subject: String) {
        let text = Self.words(in: response.body).map { ": \(String($0.prefix(300)).printable)" } ?? "."
        self.init(
            .refused, "Google refused \(subject) (HTTP status \(response.status))\(text)", status: response.status)
    }

    /// What the body of a refusal says: an error of Google's calls, of its sign-in, or of Cloud Storage in XML.
    private static func words(in body: [UInt8]) -> String? {
        if let answer = try? JSONValue(json: body) {
            return answer["error"]?["message"]?.text ?? answer["error_description"]?.text ?? answer["error"]?.text
        }
        let text = String(decoding: body.prefix(4096), as: UTF8.self)
        guard let code = text.firstMatch(of: /<Code>([A-Za-z]{1,60})<\/Code>/) else { return nil }
        return String(code.1)
    }

    /// Whether this concerns everything that follows, too, so that an import should end and be continued later.
    package var endsImport: Bool {
        switch code {
        case .unreachable, .busy, .invalidCredentials, .cancelled: true
        case .refused: status == 401
        case .invalidFile: isOfDisk
        default: false
        }
    }

    /// Whether no file can be written any more, on a full disk or for another reason.
    private var isOfDisk: Bool {
        guard let code = (cause as? FileError)?.code else { return false }
        return [.noSpace, .notPermitted, .tooManyOpen, .io].contains(code)
    }

    /// Whether the same command can go further another time.
    package var canContinue: Bool { [.unreachable, .busy, .cancelled].contains(code) || isOfDisk }

    /// The message, with a period at its end.
    package var sentence: String { message.hasSuffix(".") ? message : message + "." }

    /// Reads, writes or locks a file.
    static func mappingFileError<Value>(_ body: () throws(FileError) -> Value) throws(FirebaseError) -> Value {
        do throws(FileError) {
            return try body()
        } catch {
            throw FirebaseError(error)
        }
    }
}
