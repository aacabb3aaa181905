import HearthModelFile
import Testing

@Suite struct AutoMLManifestTests {
    private func read(_ text: String) throws -> AutoMLManifest {
        try AutoMLManifest(json: Array(text.utf8))
    }

    @Test func acceptsTheTrailingCommaOfPublishedManifests() throws {
        let manifest = try read(
            #"{ "modelType": "IMAGE_LABELING", "modelFile": "model.tflite", "labelsFile": "dict.txt", }"#)
        #expect(manifest.modelType == "IMAGE_LABELING")
        #expect(manifest.modelFile == "model.tflite")
        #expect(manifest.labelsFile == "dict.txt")
        #expect(try read(#"{"modelFile": "m.tflite", "other": 1}"#).labelsFile == nil)
    }

    @Test(arguments: [
        "", "{", "[]", "null", #"{"labelsFile": "dict.txt"}"#, #"{"modelFile": 7}"#, #"{"modelFile": ""}"#,
        #"{"modelFile": "../m.tflite"}"#, #"{"modelFile": "/m.tflite"}"#, #"{"modelFile": "a/m.tflite"}"#,
        #"{"modelFile": ".."}"#, #"{"modelFile": "a\\b"}"#, #"{"modelFile": "a\u0000b"}"#, #"{"modelFile": "a\nb"}"#,
        #"{"modelFile": "m.tflite", "labelsFile": "../dict.txt"}"#,
    ])
    func refusesWhatLeadsAstray(text: String) {
        let error = #expect(throws: ModelFileError.self) { try read(text) }
        #expect(error?.code == .invalidBundle)
    }

    @Test func survivesDeepNestingAndRefusesLongTexts() {
        let deep = String(repeating: "[", count: 30_000)
        #expect(#expect(throws: ModelFileError.self) { try read(deep) }?.code == .invalidBundle)
        let fits = #"{"modelFile": "m.tflite"}"#
        let padding = String(repeating: " ", count: AutoMLManifest.maximumByteCount - fits.utf8.count)
        #expect(throws: Never.self) { try read(fits + padding) }
        #expect(#expect(throws: ModelFileError.self) { try read(fits + padding + " ") }?.code == .tooLarge)
    }
}
