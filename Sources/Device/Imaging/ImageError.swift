public import Foundation

/// Why bytes could not become pixels, or pixels could not become a tensor or a file.
public struct ImageError: LocalizedError, Sendable, Hashable, CustomStringConvertible {
    /// The kind of failure. New kinds may be added: use a `default` in a switch.
    public struct Code: RawRepresentable, Sendable, Hashable {
        /// The name of the kind.
        public let rawValue: String

        /// Creates a kind with this name.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// There are no bytes.
        public static let empty = Code(rawValue: "empty")
        /// The bytes do not begin like any known image format.
        public static let notAnImage = Code(rawValue: "notAnImage")
        /// The bytes are an image, but its format or variant is not supported.
        public static let unsupportedFormat = Code(rawValue: "unsupportedFormat")
        /// The data ends before the image does.
        public static let truncated = Code(rawValue: "truncated")
        /// The data is damaged.
        public static let corrupt = Code(rawValue: "corrupt")
        /// One of `ImageLimits` is exceeded.
        public static let tooLarge = Code(rawValue: "tooLarge")
        /// There was not enough memory for the pixels.
        public static let outOfMemory = Code(rawValue: "outOfMemory")
        /// There is no file at the path.
        public static let notFound = Code(rawValue: "notFound")
        /// The path exists, but cannot be read as a file.
        public static let unreadableFile = Code(rawValue: "unreadableFile")
        /// Sizes, planes and bytes of a raw image do not match.
        public static let invalidPixels = Code(rawValue: "invalidPixels")
        /// The region is empty or reaches beyond the image.
        public static let invalidRegion = Code(rawValue: "invalidRegion")
        /// The tensor's width or height is out of range.
        public static let invalidTensorSize = Code(rawValue: "invalidTensorSize")
        /// The buffer's size differs from the tensor's.
        public static let wrongBufferSize = Code(rawValue: "wrongBufferSize")
        /// The mean or the standard deviation is unusable.
        public static let invalidNormalization = Code(rawValue: "invalidNormalization")
    }

    /// The kind of failure.
    public let code: Code

    /// What is wrong and what to do, on one line.
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
    public static func == (left: ImageError, right: ImageError) -> Bool {
        left.code == right.code && left.message == right.message
    }

    /// Hashes what `==` compares.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(code)
        hasher.combine(message)
    }

    /// The error as text: ``message``.
    public var description: String { message }
    /// What `localizedDescription` returns: ``message``.
    public var errorDescription: String? { message }
}

extension ImageError.Code {
    /// The file name has none of the supported extensions.
    public static let unknownExtension = ImageError.Code(rawValue: "unknownExtension")
    /// An option of the encoder is out of range.
    public static let invalidOption = ImageError.Code(rawValue: "invalidOption")
    /// The encoder failed.
    public static let encodingFailed = ImageError.Code(rawValue: "encodingFailed")
    /// The file cannot be written: its folder is missing, or writing is not permitted or failed.
    public static let unwritableFile = ImageError.Code(rawValue: "unwritableFile")
    /// The disk is full.
    public static let noSpace = ImageError.Code(rawValue: "noSpace")
}

extension ImageError {
    /// The data ends before the image does.
    static func truncated(_ format: ImageFormat, _ reason: String) -> ImageError {
        ImageError(.truncated, "the \(format.rawValue) ends too early (\(reason)); download or save it again")
    }

    /// The data contradicts itself or its format.
    static func corrupt(_ format: ImageFormat, _ reason: String) -> ImageError {
        ImageError(.corrupt, "the \(format.rawValue) is damaged (\(reason)); download or save it again")
    }
}
