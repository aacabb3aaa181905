import HearthImaging
import HearthModelFile
import TensorFlowLite

/// Finds out how an image is written into a model's input. Free of side effects.
struct InputFinder {
    /// The image input, with its shape after memory was allocated.
    let input: Tensor.Description
    let shape: ImageInputShape
    let metadata: ModelMetadata.Tensor?
    /// What the model does first; nil for a damaged graph.
    let firstOperators: FirstOperators?
    let usual: UsualInput
    /// What the caller states.
    let stated: ImageProcessing
    /// What the file's zip states.
    let packed: ImageProcessing
    /// What the caller states in its own option.
    let placement: ImagePlacement?

    /// How an image is written, and what says so.
    struct Found: Sendable {
        var channels: Known<ImageProcessing.Channels>
        /// nil for the bytes as they are.
        var normalization: Known<ImageProcessing.Normalization?>
        var placement: Known<ImagePlacement>
        var format: TensorImageFormat
    }

    /// A value, and what says so.
    struct Known<Value: Sendable>: Sendable {
        var value: Value
        var evidence: Evidence

        init(_ value: Value, _ evidence: Evidence) {
            self.value = value
            self.evidence = evidence
        }
    }

    /// - Throws: When what is stated contradicts the input, or when nothing says which values the input takes.
    func find() throws -> Found {
        let channels = try channels()
        let type = try integerType()
        let normalization = try normalization(type)
        if let value = normalization.value, !value.isValid(channelCount: shape.channelCount) {
            throw VisionError.make(
                .failedPrecondition,
                """
                The model's input has \(shape.channelCount) channels, but the normalization (\(normalization.evidence.text)) \
                has the means \(value.mean) and the standard deviations \(value.standardDeviation): there must be one \
                value or one for each channel, and no deviation zero.
                """)
        }
        return Found(
            channels: channels, normalization: normalization, placement: placed(),
            format: format(type, channels.value, normalization))
    }

    // MARK: Channels

    private func channels() throws -> Known<ImageProcessing.Channels> {
        let evidence: Evidence = stated.channels != nil ? .stated : .packed
        if let channels = stated.channels ?? packed.channels {
            guard channels.count == shape.channelCount else {
                throw VisionError.make(
                    .invalidArgument,
                    "The model's input '\(input.name)' has \(shape.channelCount) channels, not \(channels.rawValue).")
            }
            return Known(channels, evidence)
        }
        if case .image(let image)? = metadata?.content?.properties,
            image.colorSpace == .rgb || image.colorSpace == .grayscale
        {
            return Known(Self.usualChannels(shape.channelCount), .metadata)
        }
        if let channels = usual.channels, channels.count == shape.channelCount {
            return Known(channels, usual.evidence)
        }
        return Known(Self.usualChannels(shape.channelCount), .shape)
    }

    private static func usualChannels(_ count: Int) -> ImageProcessing.Channels {
        switch count {
        case 1: .gray
        case 4: .rgba
        default: .rgb
        }
    }

    // MARK: Values

    /// nil for float32.
    private func integerType() throws -> TensorImageFormat.IntegerType? {
        switch input.dataType {
        case .float32: return nil
        case .uInt8: return .uint8
        case .int8: return .int8
        case .int16: return .int16
        case .int32: return .int32
        case .int64: return .int64
        default:
            throw VisionError.make(
                .failedPrecondition, "The model's input '\(input.name)' holds \(input.dataType) values, not an image.")
        }
    }

    private func normalization(
        _ type: TensorImageFormat.IntegerType?
    ) throws -> Known<ImageProcessing.Normalization?> {
        if let normalization = stated.normalization { return Known(normalization, .stated) }
        if let normalization = packed.normalization { return Known(normalization, .packed) }
        // Of quantized inputs the quantization counts, even if the metadata names a normalization. ML Kit and the Task
        // Library give every uint8 input the bytes.
        if let type, type == .uint8 || type == .int8, let bytes = bytesAsTheyAre(type) { return bytes }
        for case .normalization(let mean, let deviation) in metadata?.processUnits ?? [] where type != .uint8 {
            return Known(.init(mean: mean, standardDeviation: deviation), .metadata)
        }
        if type == nil, let normalization = firstOperators?.normalization { return Known(normalization, .operator) }
        if let normalization = usual.normalization { return Known(normalization, usual.evidence) }
        switch type {
        case .uint8: return Known(nil, .usual)
        case .int16, .int32, .int64:
            if input.quantizationParameters == nil { return Known(nil, .usual) }
        default: break
        }
        throw unknownValues
    }

    /// Where the quantization says that a byte stands for itself in a usual range, or where there is none.
    private func bytesAsTheyAre(
        _ type: TensorImageFormat.IntegerType
    ) -> Known<ImageProcessing.Normalization?>? {
        guard let scheme = input.quantizationParameters else {
            // Without quantization an input of bytes takes bytes, and so does one of the same bytes less 128.
            return Known(nil, .quantization)
        }
        let range = QuantizedRange(
            scale: scheme.scale, zeroPoint: Float(scheme.zeroPoint), isSigned: type == .int8)
        return range.normalization == nil ? nil : Known(nil, .quantization)
    }

    private func format(
        _ type: TensorImageFormat.IntegerType?, _ channels: ImageProcessing.Channels,
        _ known: Known<ImageProcessing.Normalization?>
    ) -> TensorImageFormat {
        let colors: TensorImageFormat.Channels =
            switch channels {
            case .rgb: .rgb
            case .bgr: .bgr
            case .gray: .gray
            case .rgba: .rgba
            }
        guard let normalization = known.value else {
            return TensorImageFormat(bytesOf: type ?? .uint8, channels: colors, isPlanar: shape.isPlanar)
        }
        let (mean, deviation) = (normalization.mean, normalization.standardDeviation)
        let values: TensorImageFormat.Values =
            if let type {
                .integer(
                    type, mean: mean, std: deviation, scale: input.quantizationParameters?.scale ?? 1,
                    zeroPoint: input.quantizationParameters?.zeroPoint ?? 0)
            } else {
                // Readers of metadata multiply, all others divide.
                .float32(mean: mean, std: deviation, known.evidence == .metadata ? .byReciprocal : .exact)
            }
        return TensorImageFormat(values, channels: colors, isPlanar: shape.isPlanar)
    }

    private var unknownValues: any Error {
        let advice = """
            State it: 127.5,127.5 for values from -1 to 1 (Teachable Machine, MobileNet), 0..1 for 0 to 1 (YOLO), 0..255 \
            for bytes; the command's option is --normalize, the app's is processing.normalization.
            """
        guard input.dataType == .float32 else {
            return VisionError.make(
                .failedPrecondition,
                """
                The model's input '\(input.name)' is quantized to a range that is not that of bytes, and nothing says which \
                values an image has there. \(advice)
                """, missing: .normalization)
        }
        // The first sentence is that of the TensorFlow Lite Task Library, which apps may look for.
        return VisionError.make(
            .failedPrecondition,
            """
            Failed to initialize detector. Input tensor has type kTfLiteFloat32: it requires specifying \
            NormalizationOptions metadata to preprocess input images. \(advice)
            """, missing: .normalization)
    }

    // MARK: Size

    private func placed() -> Known<ImagePlacement> {
        if let placement { return Known(placement, .stated) }
        if let resize = stated.resize { return Known(ImagePlacement(resize), .stated) }
        if let resize = packed.resize { return Known(ImagePlacement(resize), .packed) }
        if let placement = usual.placement { return Known(placement, usual.evidence) }
        return Known(.stretch, .usual)
    }
}

extension ImagePlacement {
    init(_ resize: ImageProcessing.Resize) {
        switch resize {
        case .stretch: self = .stretch
        case .letterbox: self = .fit(background: 114)
        case .letterboxTopLeft: self = .fit(background: 114, isCentered: false)
        case .crop: self = .crop
        }
    }
}
