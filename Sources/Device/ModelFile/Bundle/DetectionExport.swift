import Foundation

/// The `tflite_metadata.json` that AutoML Vision puts beside an exported detection model.
public struct DetectionExport: Sendable, Equatable {
    /// The file's name in a bundle.
    public static let fileName = "tflite_metadata.json"
    /// Bytes that the file may have.
    public static let largestFile = 1 << 20

    /// What each output holds, in the model's order: `bounding_boxes`, `class_labels`, `class_confidences`,
    /// `num_of_boxes`. Empty where the file does not say.
    public let outputRepresentations: [String]
    /// The names of the outputs that ``outputRepresentations`` describes, in the same order; empty where not said.
    public let outputNames: [String]
    /// The most boxes that the model gives; more are not read. Nil where the file does not say.
    public let maxDetections: Int?

    /// Reads the JSON text; what it holds beside these is not looked at.
    /// - Throws: `invalidBundle` when it is not JSON of this form; `tooLarge`.
    public init(json: [UInt8]) throws(ModelFileError) {
        guard json.count <= Self.largestFile else {
            throw ModelFileError(.tooLarge, "\(Self.fileName) is longer than \(Self.largestFile) bytes")
        }
        guard let content = try? JSONDecoder().decode(Content.self, from: Data(json)) else {
            throw ModelFileError(
                .invalidBundle, "\(Self.fileName) is not JSON as AutoML Vision writes it beside a detection model")
        }
        outputRepresentations = content.outputTensorRepresentation ?? []
        outputNames = content.outputTensors ?? []
        maxDetections = content.maxDetections
    }

    private struct Content: Decodable {
        let outputTensorRepresentation: [String]?
        let outputTensors: [String]?
        let maxDetections: Int?
    }
}
