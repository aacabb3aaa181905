import Foundation

/// Converts a model's scores into scores that are comparable between classes. Each class has a sigmoid, whose
/// parameters are in a file in the model's zip.
package struct ScoreCalibration: Sendable, Equatable {
    /// score = scale / (1 + exp(-(slope x transformed score + offset)))
    struct Sigmoid: Sendable, Equatable {
        var scale: Float
        var slope: Float
        var offset: Float
        /// Lower scores become the default score.
        var minimum: Float?
    }

    /// The score of classes without parameters, and of scores below a class's minimum.
    package let defaultScore: Float

    let transformation: ModelMetadata.ScoreTransformation
    /// By class; nil for classes without parameters.
    let sigmoids: [Sigmoid?]

    /// Reads the parameters: one line for each class, in the order of the labels. A line is empty, or has three or four
    /// numbers with commas: `scale,slope,offset[,minimum score]`.
    /// - Parameter classCount: The required number of lines. As in the format's own reader, a line break at the end of
    ///   the file begins another line.
    /// - Throws: `invalidCalibration` when the file or the transformation does not have this form; `tooLarge`.
    package init(
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

    /// The calibrated score of a class. Classes beyond the file's lines have no parameters.
    package func score(_ score: Float, classIndex: Int) -> Float {
        guard sigmoids.indices.contains(classIndex), let sigmoid = sigmoids[classIndex] else { return defaultScore }
        if let minimum = sigmoid.minimum, score < minimum { return defaultScore }
        let exponent = sigmoid.slope * transformed(score) + sigmoid.offset
        // Two equivalent forms, so that the exponential never overflows.
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

    /// The logarithm, continued below the smallest accepted score so that it stays finite and increasing.
    private static func clampedLog(_ value: Float) -> Float {
        let least: Float = 1e-16
        return value < least ? 2 * log(least) - log(2 * least - value) : log(value)
    }
}

/// Reads the text of a score calibration file.
enum CalibrationFile {
    static let maximumByteCount = 16 << 20

    static func sigmoids(
        _ bytes: [UInt8], classCount: Int
    ) throws(ModelFileError) -> [ScoreCalibration.Sigmoid?] {
        guard bytes.count <= maximumByteCount else {
            throw ModelFileError(
                .tooLarge,
                "the score calibration file has \(bytes.count) bytes; at most \(maximumByteCount) are accepted")
        }
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        guard lines.count == classCount else {
            throw ModelFileError(
                .invalidCalibration,
                "the score calibration file has \(lines.count) lines for \(classCount) labels; a line break at the "
                    + "end of the file begins another line")
        }
        var sigmoids: [ScoreCalibration.Sigmoid?] = []
        sigmoids.reserveCapacity(lines.count)
        for (number, line) in lines.enumerated() {
            sigmoids.append(try sigmoid(line.last == UInt8(ascii: "\r") ? line.dropLast() : line, number + 1))
        }
        return sigmoids
    }

    private static func sigmoid(
        _ line: ArraySlice<UInt8>, _ number: Int
    ) throws(ModelFileError) -> ScoreCalibration.Sigmoid? {
        if line.isEmpty { return nil }
        let texts = line.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
        let values = texts.compactMap(value)
        guard values.count == texts.count, values.count == 3 || values.count == 4 else {
            throw ModelFileError(
                .invalidCalibration,
                "line \(number) of the score calibration file is not scale,slope,offset or scale,slope,offset,minimum")
        }
        guard values[0] >= 0 else {
            throw ModelFileError(
                .invalidCalibration, "line \(number) of the score calibration file has a scale below 0")
        }
        return ScoreCalibration.Sigmoid(
            scale: values[0], slope: values[1], offset: values[2], minimum: values.count == 4 ? values[3] : nil)
    }

    /// A finite number, with or without spaces around it.
    private static func value(_ text: ArraySlice<UInt8>) -> Float? {
        let characters = text.drop { $0 == UInt8(ascii: " ") }
        let trimmed = characters.prefix { $0 != UInt8(ascii: " ") }
        guard characters.dropFirst(trimmed.count).allSatisfy({ $0 == UInt8(ascii: " ") }),
            let text = String(validating: trimmed, as: UTF8.self), let value = Float(text), value.isFinite
        else { return nil }
        return value
    }
}

extension ModelBundle {
    /// The calibration that the metadata requests for the scores of one output of the main subgraph; nil when it
    /// requests none.
    /// - Parameter labels: Of that output; the parameters belong to them, line by line.
    /// - Throws: `invalidCalibration` when the file with the parameters is not named, missing or invalid, or when there
    ///   are no labels; `invalidBundle` when the zip is damaged; `tooLarge`.
    package func scoreCalibration(
        ofOutput index: Int, labels: LabelMap?
    ) throws(ModelFileError) -> ScoreCalibration? {
        guard let outputs = metadata?.subgraphs.first?.outputs, outputs.indices.contains(index) else { return nil }
        for case .scoreCalibration(let transformation, let defaultScore) in outputs[index].processUnits {
            guard let labels else {
                throw ModelFileError(
                    .invalidCalibration, "the model's metadata asks for score calibration, which needs a label file")
            }
            return try ScoreCalibration(
                csv: calibrationFile(of: outputs[index]), classCount: labels.count, transformation: transformation,
                defaultScore: defaultScore)
        }
        return nil
    }

    private func calibrationFile(of output: ModelMetadata.Tensor) throws(ModelFileError) -> [UInt8] {
        guard let name = output.associatedFiles.first(where: { $0.kind == .axisScoreCalibration })?.name else {
            throw ModelFileError(
                .invalidCalibration, "the model's metadata asks for score calibration, but names no file for it")
        }
        guard let archive = contents.appended, archive.member(named: name) != nil else {
            throw ModelFileError(
                .invalidCalibration,
                "the model's metadata names the calibration file \(name.quoted), but the model file does not contain it"
            )
        }
        return try BundleFiles.archive(archive, prefix: "").text(name, limitBytes: CalibrationFile.maximumByteCount)
    }
}
