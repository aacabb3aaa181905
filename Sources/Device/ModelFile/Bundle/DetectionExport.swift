import Foundation

/// The `tflite_metadata.json` that AutoML Vision stores beside an exported detection model.
package struct DetectionExport: Sendable, Equatable {
    /// The file's name in a bundle.
    package static let fileName = "tflite_metadata.json"
    /// The most bytes of the file.
    package static let maximumByteCount = 1 << 20

    /// What each output holds, in the model's order: `bounding_boxes`, `class_labels`, `class_confidences`,
    /// `num_of_boxes`. Empty where the file does not state it.
    package let outputRepresentations: [String]
    /// The names of the outputs that ``outputRepresentations`` describes, in the same order; empty where the file does
    /// not state them.
    package let outputNames: [String]
    /// The most boxes that the model returns, and the most that are read. nil where the file does not state it.
    package let maxDetections: Int?

    /// Reads the JSON text and ignores other members.
    /// - Throws: `invalidBundle` when it is not JSON of this form; `tooLarge`.
    package init(json: [UInt8]) throws(ModelFileError) {
        guard json.count <= Self.maximumByteCount else {
            throw ModelFileError(.tooLarge, "\(Self.fileName) is longer than \(Self.maximumByteCount) bytes")
        }
        guard let content = try? JSONDecoder().decode(Content.self, from: Data(json)) else {
            throw ModelFileError(
                .invalidBundle,
                "\(Self.fileName) does not have the form of the file that AutoML Vision writes for a detection model")
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
