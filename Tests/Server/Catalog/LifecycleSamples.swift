import HearthCatalog
import HearthWire

/// Facts to feed the rules with.
enum Sample {
    typealias Upload = (object: UploadedObject, validation: Validation)

    static let created: Int64 = 1_000_000
    static let later: Int64 = 2_000_000

    static let before = ModelLifecycle.Context(actor: "ann@example.test", nowMicroseconds: created)

    static let malformed = Verdict.malformed("The file ends in the middle of a table.")
    static let unsupported = Verdict.unsupported("The operator WHERE is not known here.")

    static let crashing = Verdict.unsupported("\(Verdict.crashText) (signal 11, Segmentation fault).")

    static let contract = ModelContract(
        inputs: [.init(name: "image", type: "uint8", shape: [1, 224, 224, 3], scale: 0.5, zeroPoint: 128)],
        outputs: [.init(name: "scores", type: "float32", shape: [1, 1001])],
        operators: [.init(name: "CONV_2D", count: 3)], signatures: ["serving_default"])

    /// With another input than `contract`.
    static var otherContract: ModelContract {
        var contract = contract
        contract.inputs[0].type = "float32"
        return contract
    }

    static func upload(
        _ name: String = "a.tflite", sha256: String = "aa", verdict: Verdict = .ok, contract: ModelContract = contract
    ) throws -> Upload {
        let object = UploadedObject(
            projectID: "project-a", bucket: "bucket", name: name, sha256: sha256, sizeBytes: 7, crc32c: 9,
            createdMicroseconds: 5)
        let json = verdict.isPublishable ? String(decoding: try WireJSON.encode(contract), as: UTF8.self) : nil
        let validation = Validation(
            sha256: sha256, sizeBytes: 7, verdict: verdict, contractJSON: json, requestedMicroseconds: 5)
        return (object, validation)
    }
}

extension ModelLifecycle.Change {
    var actions: [String] { audit.map(\.action) }
}
