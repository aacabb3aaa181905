import HearthModelFile

/// The type of the elements of an input or output.
public enum ModelElementType: UInt, Sendable {
    /// Not a type to run with: formats refuse it.
    case unknown = 0
    case float32 = 1
    case int32 = 2
    case uInt8 = 3
    case int64 = 4
}

extension ModelElementType {
    /// What tensor memory of this type is made of; nil for `.unknown`.
    var element: (any TensorElement.Type)? {
        switch self {
        case .unknown: nil
        case .float32: Float.self
        case .int32: Int32.self
        case .uInt8: UInt8.self
        case .int64: Int64.self
        }
    }

    /// The model file's name for it.
    var fileType: ElementType? {
        switch self {
        case .unknown: nil
        case .float32: .float32
        case .int32: .int32
        case .uInt8: .uint8
        case .int64: .int64
        }
    }
}
