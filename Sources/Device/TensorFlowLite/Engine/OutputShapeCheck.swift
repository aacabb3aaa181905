import CLiteRT

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The shapes that outputs must keep in a run, because their memory was made for these shapes.
///
/// The engine prepares an operator during a run if it could not do so before. Then an output may get another shape. The
/// engine compares some of these shapes with the memory, but not all: with XNNPACK in the graph it takes steps of its
/// plan for numbers of operators. Where it does not, it writes past the end of memory that is too small. So Hearth
/// compares all shapes before each operator of a run. It does not rely on knowing the operators (``OutputSizes``).
final class OutputShapeCheck {
    /// What is not as it was when the memory was made.
    enum Deviation: Equatable {
        /// An output got another shape.
        case shape(output: Int, Tensor.Shape)
        /// The engine did not fill the memory that it was given, but some of its own.
        case memory
    }

    private let signature: Int
    private let names: [String]
    private let planned: [LiteRtLayout]
    /// The outputs whose memory the engine fills itself.
    private let bound: [Int]
    /// Filled by the engine at each comparison. Made once, because a run has a comparison for each operator.
    private var current: [LiteRtLayout]

    /// nil if the engine fills no output's memory itself: custom operators of Hearth's own receive them, or it returns
    /// copies, as of strings.
    init?(_ outputs: [TensorSlot], signature: Int) {
        bound = outputs.indices.filter { outputs[$0].sink == nil && outputs[$0].tensor.dataType != .string }
        guard !bound.isEmpty else { return nil }
        self.signature = signature
        names = outputs.map(\.tensor.name)
        planned = outputs.map { LiteRtLayout($0.shape) }
        current = [LiteRtLayout](repeating: LiteRtLayout(), count: outputs.count)
    }

    /// - Parameter allocating: Also has the engine check whether it still uses the memory. Only between runs. The
    ///   engine finds that an output has memory of its own after the first run that gave it some; later runs fail.
    func deviation(of model: LiteRtCompiledModel, allocating: Bool) -> Deviation? {
        let status = LiteRtGetCompiledModelOutputTensorLayouts(
            model, signature, current.count, &current, allocating)
        guard status == kLiteRtStatusOk else { return .memory }
        for output in bound where !planned[output].hasShape(of: current[output]) {
            return .shape(output: output, current[output].shape)
        }
        return nil
    }

    func error(for deviation: Deviation) -> EngineError {
        let problem =
            switch deviation {
            case .shape(let output, let shape):
                "Output \(output) '\(names[output])' got the shape \(shape.dimensions) in the run, but its memory was "
                    + "made for \(planned[output].shape.dimensions)."
            case .memory: "The engine found the size of an output only in the run."
            }
        return EngineError(
            .run,
            problem + " The run has no result, because Hearth does not expect this of the model's operators. Give all "
                + "tensors fixed sizes in the model, and report the model to the makers of Hearth.")
    }
}

extension LiteRtLayout {
    /// Without arrays, because it is called before each operator.
    fileprivate func hasShape(of other: LiteRtLayout) -> Bool {
        guard rank_and_flags & 0x7F == other.rank_and_flags & 0x7F else { return false }
        let byteCount = min(Int(rank_and_flags & 0x7F), Int(kLiteRtTensorMaxRank)) * MemoryLayout<Int32>.size
        return withUnsafeBytes(of: dimensions) { bytes in
            withUnsafeBytes(of: other.dimensions) { memcmp(bytes.baseAddress!, $0.baseAddress!, byteCount) == 0 }
        }
    }
}
