extension Tensor {
    /// The type of a tensor's elements.
    ///
    /// The first eight cases are those of the TensorFlow Lite Swift library, in its order. The others follow them
    /// because models use these types; strings and types smaller than a byte have no case.
    public enum DataType: Equatable, Hashable, Sendable {
        /// One byte, 0 or 1.
        case bool
        case uInt8
        case int16
        case int32
        case int64
        /// IEEE 754 half precision.
        case float16
        case float32
        case float64
        case int8
        case uInt16
        case uInt32
        case uInt64
    }
}

extension Tensor.DataType {
    /// Bytes of one element.
    var byteCount: Int {
        switch self {
        case .bool, .uInt8, .int8: 1
        case .int16, .uInt16, .float16: 2
        case .int32, .uInt32, .float32: 4
        case .int64, .uInt64, .float64: 8
        }
    }
}
