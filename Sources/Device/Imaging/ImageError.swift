public import Foundation

/// Why bytes could not become pixels, or pixels a tensor.
public struct ImageError: LocalizedError, Sendable, Hashable, CustomStringConvertible {
    /// The kind of failure. More kinds may be added: keep a default branch.
    public struct Code: RawRepresentable, Sendable, Hashable {
        public let rawValue: String

        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// No bytes at all.
        public static let empty = Code(rawValue: "empty")
        /// The bytes begin like no image format known here.
        public static let notAnImage = Code(rawValue: "notAnImage")
        /// An image, but of a format or variant that is not decoded here.
        public static let unsupportedFormat = Code(rawValue: "unsupportedFormat")
        /// The data ends before the image does.
        public static let truncated = Code(rawValue: "truncated")
        /// The data is damaged.
        public static let corrupt = Code(rawValue: "corrupt")
        /// One of `ImageLimits` is exceeded.
        public static let tooLarge = Code(rawValue: "tooLarge")
        /// The memory for the pixels could not be had.
        public static let outOfMemory = Code(rawValue: "outOfMemory")
        /// There is no file at the path.
        public static let notFound = Code(rawValue: "notFound")
        /// There is something at the path, but it cannot be read as a file.
        public static let unreadableFile = Code(rawValue: "unreadableFile")
        /// Sizes, planes and bytes of a raw image do not fit together.
        public static let invalidPixels = Code(rawValue: "invalidPixels")
        /// The region is empty or not inside the image.
        public static let invalidRegion = Code(rawValue: "invalidRegion")
        /// The tensor's width or height is not a usable size.
        public static let invalidTensorSize = Code(rawValue: "invalidTensorSize")
        /// The buffer's byte count is not the tensor's.
        public static let wrongBufferSize = Code(rawValue: "wrongBufferSize")
        /// Mean or standard deviation cannot be used.
        public static let invalidNormalization = Code(rawValue: "invalidNormalization")
    }

    public let code: Code

    /// What is wrong and what to do, in one line.
    public let message: String

    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    public var description: String { message }
    public var errorDescription: String? { message }
}

extension ImageError.Code {
    /// The name of the file to write ends in none of the known extensions.
    public static let unknownExtension = ImageError.Code(rawValue: "unknownExtension")
    /// An option of the encoder lies outside its range.
    public static let invalidOption = ImageError.Code(rawValue: "invalidOption")
    /// The encoder gave up.
    public static let encodingFailed = ImageError.Code(rawValue: "encodingFailed")
    /// The file cannot be written: its folder is missing, or writing there is not allowed or failed.
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
