extension Tensor {
    /// The type of a tensor's elements.
    ///
    /// The first eight cases are those of the TensorFlow Lite Swift library, in its order. The others follow them
    /// because models use these types; a switch over those eight alone needs a `default` here. `values(as:)` tells which
    /// Swift type stands for each.
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
        /// -8 to 7, two to a byte: the first in the low four bits. An odd count leaves the last four bits 0.
        case int4
        /// Two `float32`: the real part, then the imaginary one.
        case complex64
        /// Two `float64`: the real part, then the imaginary one. The present engine loads no model that uses it.
        case complex128
        /// Any number of bytes, by convention UTF-8. The only type without a fixed size.
        case string
    }
}

extension Tensor.DataType {
    /// Bits of one element; nil for strings.
    var bitWidth: Int? {
        switch self {
        case .int4: 4
        case .bool, .uInt8, .int8: 8
        case .int16, .uInt16, .float16: 16
        case .int32, .uInt32, .float32: 32
        case .int64, .uInt64, .float64, .complex64: 64
        case .complex128: 128
        case .string: nil
        }
    }
}
