import Foundation
import HearthModelInterpreter
import HearthTestSupport
import Testing

/// The steps of the original's guide as apps wrote them down: they must compile and work unchanged.
@Suite("The guide's steps for a model of the app's own")
struct GuideTests {
    /// The guide asks the bundle for the file; a test has it elsewhere.
    private func interpreterOfBundledModel(named name: String, otherwise path: String) -> ModelInterpreter {
        let bundledPath = Bundle.main.path(forResource: name, ofType: "tflite", inDirectory: "models")
        let localModel = CustomLocalModel(modelPath: bundledPath ?? path)
        let interpreter = ModelInterpreter.modelInterpreter(localModel: localModel)
        return interpreter
    }

    /// Formats, caught as the guide catches them: on Linux that only works for real `NSError`s.
    private func formats(_ inputDimensions: [NSNumber]) -> (ModelInputOutputOptions, NSError?) {
        let ioOptions = ModelInputOutputOptions()
        do {
            try ioOptions.setInputFormat(index: 0, type: .float32, dimensions: inputDimensions)
            try ioOptions.setOutputFormat(index: 0, type: .float32, dimensions: [1, 8, 8, 3])
        } catch let error as NSError {
            print("The input or output format is not valid: \(error.localizedDescription)")
            return (ioOptions, error)
        }
        return (ioOptions, nil)
    }

    @Test("from the bundled file to labels with their probabilities")
    func wholeGuide() async throws {
        var interpreter: ModelInterpreter
        interpreter = interpreterOfBundledModel(named: "no_such_resource", otherwise: Sample.image.path)
        interpreter.callbackQueue = .global()
        let (ioOptions, error) = formats([1, 8, 8, 3])
        #expect(error == nil)

        var inputData = Data()
        for value in 0..<192 {
            var normalized = Float(value) / 255
            let size = MemoryLayout.size(ofValue: normalized)
            var bytes = [UInt8](repeating: 0, count: size)
            memcpy(&bytes, &normalized, size)
            inputData.append(&bytes, count: size)
        }
        let inputs = ModelInputs()
        try inputs.addInput(inputData)

        let probability: NSNumber? = await withCheckedContinuation { continuation in
            interpreter.run(inputs: inputs, options: ioOptions) { outputs, error in
                guard error == nil, let outputs = outputs else {
                    continuation.resume(returning: nil)
                    return
                }
                let output = try? outputs.output(index: 0) as? [[[[NSNumber]]]]
                let probabilities = output?[0][0][0]
                continuation.resume(returning: probabilities?[2])
            }
        }
        #expect(probability?.floatValue == Float(2) / 255 * 3)
    }

    @Test("reading a table of probabilities beside its label file")
    func labels() async throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("tulip\nrose\n".utf8, to: "labels.txt")
        let rows = try await Sample.batch.run([[Float(0.1), 0.25]])
        let output = rows as? [[NSNumber]]
        let probabilities = output?[0]

        guard let labelPath = Bundle.main.path(forResource: "no_such_labels", ofType: "txt") ?? path as String? else {
            return
        }
        let fileContents = try? String(contentsOfFile: labelPath, encoding: .utf8)
        guard let labels = fileContents?.components(separatedBy: "\n") else {
            Issue.record("no labels")
            return
        }
        var lines: [String] = []
        for (i, label) in labels.enumerated() where i < probabilities?.count ?? 0 {
            if let probability = probabilities?[i] { lines.append("\(label): \(probability)") }
        }
        #expect(lines == ["tulip: \(Float(0.1) * 3)", "rose: 0.75"])
    }

    @Test("a bad format is caught as an NSError with a text for the user")
    func badFormat() {
        let (_, error) = formats([1, 0, 8, 3])
        #expect(error?.domain == MachineLearningErrorDomain)
        #expect(error?.localizedDescription == "A dimension of input 0 is 0; each must be a whole number above 0.")
    }
}
