import Foundation
import HearthModelFile
import HearthTestSupport
import Testing

/// The bundle of a detection export, which has no manifest.
@Suite struct DetectionExportTests {
    private let folder: TemporaryFolder
    private static let json = """
        {
          "inferenceType": "QUANTIZED_UINT8", "inputShape": [1, 320, 320, 3], "maxDetections": 40,
          "outputTensorRepresentation": ["bounding_boxes", "class_labels", "class_confidences"],
          "outputTensors": ["a", "b", "c"]
        }
        """

    init() throws {
        folder = try TemporaryFolder()
    }

    private func writeBundle(labels: String? = "cat\ndog\n") throws -> String {
        _ = try folder.write(TestModel().bytes(), to: "detector/model.tflite")
        _ = try folder.write(Self.json.utf8, to: "detector/tflite_metadata.json")
        if let labels { _ = try folder.write(labels.utf8, to: "detector/dict.txt") }
        return folder.path + "/detector"
    }

    @Test func readsWhatTheOutputsAre() throws {
        let export = try DetectionExport(json: Array(Self.json.utf8))
        #expect(export.outputRepresentations == ["bounding_boxes", "class_labels", "class_confidences"])
        #expect(export.outputNames == ["a", "b", "c"])
        #expect(export.maxDetections == 40)
        let empty = try DetectionExport(json: Array("{}".utf8))
        #expect(empty.outputRepresentations.isEmpty && empty.outputNames.isEmpty && empty.maxDetections == nil)
    }

    @Test(arguments: ["", "[]", "{", #"{"maxDetections": "many"}"#, #"{"outputTensors": [1]}"#])
    func refusesOtherJSON(text: String) {
        let error = #expect(throws: ModelFileError.self) { try DetectionExport(json: Array(text.utf8)) }
        #expect(error?.code == .invalidBundle)
    }

    @Test func opensAsFolderByItsJSONAndAsZip() throws {
        let path = try writeBundle()
        var writer = ZipWriter()
        for name in try FileManager.default.contentsOfDirectory(atPath: path).sorted() {
            let bytes = try Data(contentsOf: URL(fileURLWithPath: path + "/" + name))
            try writer.add("detector/" + name, [UInt8](bytes))
        }
        let zip = try folder.write(writer.appended(to: []), to: "export.zip")
        for path in [path, path + "/tflite_metadata.json", zip] {
            let bundle = try ModelBundle(path: path)
            #expect(bundle.exportMetadata == Array(Self.json.utf8))
            #expect(bundle.labels?.classNames == ["cat", "dog"])
            #expect(bundle.manifest == nil)
        }
        #expect(throws: ModelFileError.self) { try ModelBundle(path: "/nowhere/tflite_metadata.json") }
    }

    @Test(arguments: ["cat\ndog\n", nil])
    func travelsAsOnePackedFile(labels: String?) throws {
        let bytes = try ModelBundle(path: writeBundle(labels: labels)).packed()
        let packed = try ModelBundle(path: folder.write(bytes, to: "packed.tflite"))
        #expect(packed.kind == .packedModel)
        #expect(packed.exportMetadata == Array(Self.json.utf8))
        #expect(packed.labels?.classNames == labels.map { _ in ["cat", "dog"] })
        #expect(try packed.packed() == bytes)
    }

    /// As any zip tool appends them: no manifest, the labels under their own name.
    @Test func opensFilesThatWereAppendedByHand() throws {
        var writer = ZipWriter()
        try writer.add("tflite_metadata.json", Array(Self.json.utf8))
        try writer.add("dict.txt", Array("cat\ndog\n".utf8))
        let path = try folder.write(writer.appended(to: TestModel().bytes()), to: "appended.tflite")
        let bundle = try ModelBundle(path: path)
        #expect(bundle.kind == .packedModel)
        #expect(bundle.exportMetadata == Array(Self.json.utf8))
        #expect(bundle.labels?.classNames == ["cat", "dog"])
    }
}
