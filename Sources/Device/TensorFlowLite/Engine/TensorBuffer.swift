import CLiteRT

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Owns a `LiteRtTensorBuffer` and its memory.
final class TensorBuffer {
    static let maximumRank = Int(kLiteRtTensorMaxRank)
    /// Parts of the engine count a tensor's bytes in 32 bits.
    static let maximumByteCount = Int(Int32.max)

    let handle: LiteRtTensorBuffer
    let memory: TensorMemory
    /// The most bytes that the buffer can hold.
    var capacity: Int { memory.capacity }

    /// All of the memory, used or unused.
    var bytes: UnsafeMutableRawBufferPointer { UnsafeMutableRawBufferPointer(start: memory.start, count: capacity) }

    /// - Parameter capacity: At least the bytes of `shape`; nil for exactly those. For strings, the bytes of all
    ///   strings.
    init(_ dataType: Tensor.DataType, shape: Tensor.Shape, capacity: Int? = nil) throws(EngineError) {
        guard
            shape.rank <= Self.maximumRank, shape.dimensions.allSatisfy({ 0...Int(Int32.max) ~= $0 }),
            let byteCount = dataType == .string ? capacity : shape.byteCount(of: dataType),
            let memory = TensorMemory(capacity: max(byteCount, capacity ?? 0))
        else {
            throw EngineError(noMemoryFor: shape)
        }
        var type = LiteRtRankedTensorType()
        type.element_type = dataType.runtimeType
        // The library refuses a buffer for a shape with a zero in it, except for this one.
        type.layout = LiteRtLayout(shape.dimensions.contains(0) ? [0] : shape)
        var created: LiteRtTensorBuffer?
        let status = LiteRtCreateTensorBufferFromHostMemory(&type, memory.start, memory.capacity, nil, &created)
        try EngineError.check(status, .allocate, "make a tensor buffer")
        guard let created else { throw EngineError(.allocate, call: "make a tensor buffer", status: status) }
        self.memory = memory
        handle = created
    }

    deinit {
        LiteRtDestroyTensorBuffer(handle)
    }
}

/// Owns zeroed memory for one tensor that can be lent to the engine: aligned to a page (the engine needs 64 bytes) and
/// readable past its end, which some kernels rely on. Untouched pages take no memory.
final class TensorMemory {
    static let padding = 64

    let start: UnsafeMutableRawPointer
    let capacity: Int
    private let mappedByteCount: Int

    /// nil when the system has not enough address space.
    init?(capacity: Int) {
        let (byteCount, overflow) = capacity.addingReportingOverflow(Self.padding)
        guard !overflow else { return nil }
        let protection = PROT_READ | PROT_WRITE
        let flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE
        guard let start = mmap(nil, byteCount, protection, flags, -1, 0), start != MAP_FAILED else { return nil }
        self.start = start
        self.capacity = capacity
        mappedByteCount = byteCount
    }

    deinit {
        munmap(start, mappedByteCount)
    }
}

/// The buffers of one run in the engine's form: two arrays of handles, created once and used for many runs.
///
/// Keeps the buffers, which must outlive the runs. The engine borrows the arrays and does not change them.
final class RunArguments {
    let inputs: UnsafeMutableBufferPointer<LiteRtTensorBuffer?>
    let outputs: UnsafeMutableBufferPointer<LiteRtTensorBuffer?>
    private let buffers: [TensorBuffer]

    init(inputs: [TensorBuffer], outputs: [TensorBuffer]) {
        self.inputs = Self.handles(inputs)
        self.outputs = Self.handles(outputs)
        buffers = inputs + outputs
    }

    deinit {
        inputs.deallocate()
        outputs.deallocate()
    }

    private static func handles(_ buffers: [TensorBuffer]) -> UnsafeMutableBufferPointer<LiteRtTensorBuffer?> {
        let handles = UnsafeMutableBufferPointer<LiteRtTensorBuffer?>.allocate(capacity: buffers.count)
        _ = handles.initialize(from: buffers.map(\.handle))
        return handles
    }
}

extension LiteRtLayout {
    /// A dense layout. The rank must be at most ``TensorBuffer/maximumRank``.
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
