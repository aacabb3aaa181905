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
