import CLiteRT

extension LiteRtLayout {
    /// A dense layout; the rank must be one that the library can hold.
    init(_ shape: Tensor.Shape) {
        self.init()
        rank_and_flags = UInt32(shape.rank)
        withUnsafeMutableBytes(of: &dimensions) { bytes in
            for (place, dimension) in zip(bytes.bindMemory(to: Int32.self).indices, shape.dimensions) {
                bytes.storeBytes(of: Int32(dimension), toByteOffset: place * 4, as: Int32.self)
            }
        }
    }

    var shape: Tensor.Shape {
        let rank = min(Int(rank_and_flags & 0x7F), Int(kLiteRtTensorMaxRank))
        return withUnsafeBytes(of: dimensions) { bytes in
            Tensor.Shape((0..<rank).map { Int(bytes.loadUnaligned(fromByteOffset: $0 * 4, as: Int32.self)) })
        }
    }
}

extension Tensor.DataType {
    /// The engine's number for the type.
    var runtimeType: LiteRtElementType {
        let type =
            switch self {
            case .bool: kLiteRtElementTypeBool
            case .uInt8: kLiteRtElementTypeUInt8
            case .int16: kLiteRtElementTypeInt16
            case .int32: kLiteRtElementTypeInt32
            case .int64: kLiteRtElementTypeInt64
            case .float16: kLiteRtElementTypeFloat16
            case .float32: kLiteRtElementTypeFloat32
            case .float64: kLiteRtElementTypeFloat64
            case .int8: kLiteRtElementTypeInt8
            case .uInt16: kLiteRtElementTypeUInt16
            case .uInt32: kLiteRtElementTypeUInt32
            case .uInt64: kLiteRtElementTypeUInt64
            case .int4: kLiteRtElementTypeInt4
            case .complex64: kLiteRtElementTypeComplex64
            case .complex128: kLiteRtElementTypeComplex128
            case .string: kLiteRtElementTypeString
            }
        return LiteRtElementType(type)
    }
}
