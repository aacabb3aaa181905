/// Reads the text of a score calibration file.
enum CalibrationFile {
    static let largestFile = 16 << 20

    static func sigmoids(
        _ bytes: [UInt8], classCount: Int
    ) throws(ModelFileError) -> [ScoreCalibration.Sigmoid?] {
        guard bytes.count <= largestFile else {
            throw ModelFileError(
                .tooLarge, "the score calibration file has \(bytes.count) bytes; at most \(largestFile) are accepted")
        }
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        guard lines.count == classCount else {
            throw ModelFileError(
                .invalidCalibration,
                "the score calibration file has \(lines.count) lines for \(classCount) labels; a line break at its end "
                    + "counts as the beginning of a line")
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

    /// A finite number with spaces around it or not.
    private static func value(_ text: ArraySlice<UInt8>) -> Float? {
        let characters = text.drop { $0 == UInt8(ascii: " ") }
        let trimmed = characters.prefix { $0 != UInt8(ascii: " ") }
        guard characters.dropFirst(trimmed.count).allSatisfy({ $0 == UInt8(ascii: " ") }),
            let text = String(validating: trimmed, as: UTF8.self), let value = Float(text), value.isFinite
        else { return nil }
        return value
    }
}
