public import Foundation

/// Why a model file, its labels or its bundle were refused. The text is one plain line.
public struct ModelFileError: LocalizedError, Sendable, Equatable, CustomStringConvertible {
    /// The kind of refusal. Open for new kinds: switch with a default.
    public struct Code: RawRepresentable, Hashable, Sendable {
        public let rawValue: String

        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// There is no file at the path.
        public static let notFound = Code(rawValue: "notFound")
        /// The file is there but could not be read: a folder, no permission, changed while reading, no memory.
        public static let unreadable = Code(rawValue: "unreadable")
        /// The file has no bytes.
        public static let empty = Code(rawValue: "empty")
        /// A size or count is above the caller's limit.
        public static let tooLarge = Code(rawValue: "tooLarge")
        /// The bytes are something else than a TensorFlow Lite model.
        public static let notAModel = Code(rawValue: "notAModel")
        /// The file is damaged or contradicts itself: no engine should be given it.
        public static let malformed = Code(rawValue: "malformed")
        /// The file is sound but needs something that the engine here does not have.
        public static let unsupported = Code(rawValue: "unsupported")
        /// A rewrite names a subgraph, tensor, operator or output that the model does not have.
        public static let invalidRewrite = Code(rawValue: "invalidRewrite")
        /// A manifest, zip or bundle folder is damaged or contradicts itself.
        public static let invalidBundle = Code(rawValue: "invalidBundle")
        /// A label file was named but is not there.
        public static let labelsMissing = Code(rawValue: "labelsMissing")
        /// The labels cannot be read or do not belong together.
        public static let labelsMismatch = Code(rawValue: "labelsMismatch")
        /// The metadata asks for score calibration, but its parameters are missing or cannot be read.
        public static let invalidCalibration = Code(rawValue: "invalidCalibration")
    }

    public let code: Code
    public let message: String

    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    public var description: String { message }
    public var errorDescription: String? { message }
}

extension ModelGraph {
    /// How error texts call a tensor: "tensor 3 'scores' of subgraph 0".
    package func text(tensor: Int, in subgraph: Int) -> String {
        let name = subgraphs[subgraph].tensors[tensor].name ?? ""
        let quotedName = name.isEmpty ? "" : " \(name.quoted)"
        return "tensor \(tensor)\(quotedName) of subgraph \(subgraph)"
    }

    /// How error texts call an operator: "operator 3 (CONV_2D) of subgraph 0".
    package func text(operator number: Int, in subgraph: Int) -> String {
        "operator \(number) (\(subgraphs[subgraph].operators[number].name.shortened)) of subgraph \(subgraph)"
    }
}

extension String {
    /// For error texts: one line without control characters, cut after 60 characters. Names in files can be anything.
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
