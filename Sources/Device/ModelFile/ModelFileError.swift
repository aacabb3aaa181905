public import Foundation

/// Why Hearth refused a model file, its labels or its bundle. The text is one plain line.
public struct ModelFileError: LocalizedError, Sendable, Equatable, CustomStringConvertible {
    /// The kind of refusal. New kinds may be added: use a `default` in a switch.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The name of the kind.
        public let rawValue: String

        /// Creates a kind with this name.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// There is no file at the path.
        public static let notFound = Code(rawValue: "notFound")
        /// The file exists but could not be read: a folder, no permission, changed while it was read, no memory.
        public static let unreadable = Code(rawValue: "unreadable")
        /// The file has no bytes.
        public static let empty = Code(rawValue: "empty")
        /// A size or count is above the caller's limit.
        public static let tooLarge = Code(rawValue: "tooLarge")
        /// The bytes are not a TensorFlow Lite model.
        public static let notAModel = Code(rawValue: "notAModel")
        /// The file is damaged or contradicts itself, and must not be passed to an engine.
        public static let malformed = Code(rawValue: "malformed")
        /// The file is valid but needs something that the engine lacks.
        public static let unsupported = Code(rawValue: "unsupported")
        /// A rewrite names a subgraph, tensor, operator or output that the model does not have.
        public static let invalidRewrite = Code(rawValue: "invalidRewrite")
        /// A manifest, zip or bundle folder is damaged or contradicts itself.
        public static let invalidBundle = Code(rawValue: "invalidBundle")
        /// A label file was named but does not exist.
        public static let labelsMissing = Code(rawValue: "labelsMissing")
        /// The labels cannot be read or do not belong together.
        public static let labelsMismatch = Code(rawValue: "labelsMismatch")
        /// The metadata requests score calibration, but its parameters are missing or cannot be read.
        public static let invalidCalibration = Code(rawValue: "invalidCalibration")
        /// What is stated about a model's images and answers cannot be read or contradicts the model.
        public static let invalidProcessing = Code(rawValue: "invalidProcessing")
    }

    /// The kind of refusal.
    public let code: Code
    /// What is wrong, on one line.
    public let message: String

    /// The error below this one, such as that of a file operation; nil where there is none.
    public let cause: (any Error)?

    /// Creates an error.
    public init(_ code: Code, _ message: String, cause: (any Error)? = nil) {
        self.code = code
        self.message = message
        self.cause = cause
    }

    /// Whether kind and text are the same; causes are not compared.
    public static func == (left: ModelFileError, right: ModelFileError) -> Bool {
        left.code == right.code && left.message == right.message
    }

    /// The error as text: ``message``.
    public var description: String { message }
    /// What `localizedDescription` returns: ``message``.
    public var errorDescription: String? { message }
}

extension ModelGraph {
    /// A tensor's name in error texts: "tensor 3 'scores' of subgraph 0".
    package func text(tensor: Int, in subgraph: Int) -> String {
        let name = subgraphs[subgraph].tensors[tensor].name ?? ""
        let quotedName = name.isEmpty ? "" : " \(name.quoted)"
        return "tensor \(tensor)\(quotedName) of subgraph \(subgraph)"
    }

    /// An operator's name in error texts: "operator 3 (CONV_2D) of subgraph 0".
    package func text(operator number: Int, in subgraph: Int) -> String {
        "operator \(number) (\(subgraphs[subgraph].operators[number].name.shortened)) of subgraph \(subgraph)"
    }
}

extension String {
    /// For error texts: one line without control characters, cut after 60 characters, because names in files can
    /// contain anything.
    var shortened: String {
        let clean = String(prefix(60).map { $0.unicodeScalars.allSatisfy { $0.properties.isPrintable } ? $0 : "?" })
        return clean.count < count ? clean + "..." : clean
    }

    var quoted: String { "'\(shortened)'" }
}

extension Unicode.Scalar.Properties {
    fileprivate var isPrintable: Bool {
        switch generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate, .unassigned: false
        default: true
        }
    }
}
