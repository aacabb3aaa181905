import Foundation

/// Turns a model's scores into ones that mean the same for each class: a sigmoid by class, whose parameters come from a
/// file in the model's zip.
public struct ScoreCalibration: Sendable, Equatable {
    /// score = scale / (1 + exp(-(slope x transformed score + offset)))
    struct Sigmoid: Sendable, Equatable {
        var scale: Float
        var slope: Float
        var offset: Float
        /// Lower scores get the default score.
        var minimum: Float?
    }

    /// The score of classes without parameters, and of scores below a class's minimum.
    public let defaultScore: Float

    let transformation: ModelMetadata.ScoreTransformation
    /// By class; nil for classes without parameters.
    let sigmoids: [Sigmoid?]

    /// Reads the parameters: one line for each class, in the order of the labels. A line is empty, or has three or four
    /// numbers with commas: `scale,slope,offset[,minimum score]`.
    /// - Parameter classCount: How many lines there must be. As the format's own reader counts, a line break at the end
    ///   of the file begins another line.
    /// - Throws: `invalidCalibration` when the file or the transformation is not so; `tooLarge`.
    public init(
        csv: [UInt8], classCount: Int, transformation: ModelMetadata.ScoreTransformation, defaultScore: Float
    ) throws(ModelFileError) {
        guard [.identity, .log, .inverseLogistic].contains(transformation) else {
            throw ModelFileError(
                .invalidCalibration, "the score calibration has the unknown transformation \(transformation.rawValue)")
        }
        self.transformation = transformation
        self.defaultScore = defaultScore
        sigmoids = try CalibrationFile.sigmoids(csv, classCount: classCount)
    }

    /// The calibrated score of a class. Classes outside of the file's have no parameters.
    public func score(_ score: Float, classIndex: Int) -> Float {
        guard sigmoids.indices.contains(classIndex), let sigmoid = sigmoids[classIndex] else { return defaultScore }
        if let minimum = sigmoid.minimum, score < minimum { return defaultScore }
        let exponent = sigmoid.slope * transformed(score) + sigmoid.offset
        // Two forms of the same, so that the exponential never overflows.
        if exponent >= 0 { return sigmoid.scale / (1 + exp(-exponent)) }
        let small = exp(exponent)
        return sigmoid.scale * small / (1 + small)
    }

    private func transformed(_ score: Float) -> Float {
        switch transformation {
        case .log: Self.clampedLog(score)
        case .inverseLogistic: Self.clampedLog(score) - Self.clampedLog(1 - score)
        default: score
        }
    }

    /// Goes on below the smallest accepted score in a way that stays finite and increasing.
    private static func clampedLog(_ value: Float) -> Float {
        let least: Float = 1e-16
        return value < least ? 2 * log(least) - log(2 * least - value) : log(value)
    }
}
