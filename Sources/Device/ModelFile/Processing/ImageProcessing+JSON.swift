import Foundation

/// The JSON form: an object with the stated members, such as
///
///     {"channels": "gray", "mean": [127.5], "standardDeviation": [127.5], "layout": "yolov8"}
///
/// Members that a reader does not know are an error, because ignoring one would give other answers.
extension ImageProcessing: Codable {
    /// The file's name in a model's zip.
    package static let fileName = "image_processing.json"
    /// The most bytes of the file.
    package static let maximumByteCount = 16 << 10

    private enum Member: String, CodingKey, CaseIterable {
        case channels, mean, standardDeviation, resize, activation, layout, scoreThreshold, overlapThreshold
    }

    private struct AnyMember: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init?(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    /// Reads the JSON form.
    public init(from decoder: any Decoder) throws {
        let all = try decoder.container(keyedBy: AnyMember.self).allKeys
        if let unknown = all.first(where: { Member(stringValue: $0.stringValue) == nil }) {
            throw DecodingError.dataCorruptedError(
                forKey: unknown, in: try decoder.container(keyedBy: AnyMember.self),
                debugDescription: "\(unknown.stringValue.quoted) is not known; known are "
                    + Member.allCases.map(\.rawValue).joined(separator: ", "))
        }
        let members = try decoder.container(keyedBy: Member.self)
        self.init(
            channels: try members.decodeIfPresent(Channels.self, forKey: .channels),
            resize: try members.decodeIfPresent(Resize.self, forKey: .resize),
            activation: try members.decodeIfPresent(Activation.self, forKey: .activation),
            layout: try members.decodeIfPresent(BoxLayout.self, forKey: .layout),
            scoreThreshold: try members.decodeIfPresent(Float.self, forKey: .scoreThreshold),
            overlapThreshold: try members.decodeIfPresent(Float.self, forKey: .overlapThreshold))
        let mean = try members.decodeIfPresent([Float].self, forKey: .mean)
        let deviation = try members.decodeIfPresent([Float].self, forKey: .standardDeviation)
        if mean != nil || deviation != nil {
            normalization = Normalization(mean: mean ?? [0], standardDeviation: deviation ?? [1])
        }
    }

    /// Writes the JSON form.
    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: Member.self)
        try members.encodeIfPresent(channels, forKey: .channels)
        try members.encodeIfPresent(normalization?.mean, forKey: .mean)
        try members.encodeIfPresent(normalization?.standardDeviation, forKey: .standardDeviation)
        try members.encodeIfPresent(resize, forKey: .resize)
        try members.encodeIfPresent(activation, forKey: .activation)
        try members.encodeIfPresent(layout, forKey: .layout)
        try members.encodeIfPresent(scoreThreshold, forKey: .scoreThreshold)
        try members.encodeIfPresent(overlapThreshold, forKey: .overlapThreshold)
    }

    /// Reads the JSON text.
    /// - Throws: `invalidProcessing` when it does not have this form, or has values that cannot be used; `tooLarge`.
    public init(json: [UInt8]) throws(ModelFileError) {
        guard json.count <= Self.maximumByteCount else {
            throw ModelFileError(
                .tooLarge, "the description of images and answers is longer than \(Self.maximumByteCount) bytes")
        }
        do {
            self = try JSONDecoder().decode(ImageProcessing.self, from: Data(json))
        } catch {
            throw ModelFileError(
                .invalidProcessing, "the description of images and answers cannot be read: \(Self.reason(error))",
                cause: error)
        }
        try check()
    }

    /// The JSON text, identical for equal values.
    public func json() throws(ModelFileError) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        do {
            return [UInt8](try encoder.encode(self))
        } catch {
            throw ModelFileError(
                .invalidProcessing, "the description of images and answers cannot be written as JSON", cause: error)
        }
    }

    /// Refuses values that cannot be used with any model.
    /// - Throws: `invalidProcessing`.
    package func check() throws(ModelFileError) {
        if let normalization {
            let counts = channels.map { [$0.count] } ?? Channels.allCases.map(\.count)
            guard counts.contains(where: normalization.isValid) else {
                throw ModelFileError(
                    .invalidProcessing,
                    "mean \(normalization.mean) and standard deviation \(normalization.standardDeviation) must have one "
                        + "value, or one for each channel; all must be finite, and no deviation zero")
            }
        }
        for (name, value) in [("score", scoreThreshold), ("overlap", overlapThreshold)] {
            guard let value, !(0...1).contains(value) else { continue }
            throw ModelFileError(.invalidProcessing, "the \(name) threshold \(value) is not between 0 and 1")
        }
    }

    private static func reason(_ error: any Error) -> String {
        switch error {
        case DecodingError.dataCorrupted(let context), DecodingError.typeMismatch(_, let context),
            DecodingError.valueNotFound(_, let context), DecodingError.keyNotFound(_, let context):
            let place = context.codingPath.map(\.stringValue).joined(separator: ".")
            return String((place.isEmpty ? "" : "\(place): ") + context.debugDescription).prefix(200).description
        default: return "it is not JSON"
        }
    }
}
