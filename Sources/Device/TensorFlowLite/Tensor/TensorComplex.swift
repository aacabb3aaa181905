extension Tensor {
    /// An element of a complex tensor: `Complex<Float>` of `complex64`, `Complex<Double>` of `complex128`. No tensor
    /// has elements of other `Real` types.
    public struct Complex<Real: BinaryFloatingPoint & BitwiseCopyable & Sendable>: Hashable, BitwiseCopyable, Sendable {
        public var real: Real
        public var imaginary: Real

        public init(real: Real, imaginary: Real = 0) {
            self.real = real
            self.imaginary = imaginary
        }
    }
}
