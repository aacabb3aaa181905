import Foundation
import HearthTestSupport
import TensorFlowLite
import Testing

/// The module as apps use it that were written against the original, with images that are raw bytes in the place of
/// the system's. That it compiles is half of the test.
struct ExistingAppTests {
    /// Apps have a type of this name.
    private struct Model {
        let path: String
        let labelsPath: String
    }

    private let digits = Model(
        path: TestPaths.package.appendingPathComponent("Models/digits-labeler-float/model.tflite").path,
        labelsPath: TestPaths.package.appendingPathComponent("Models/digits-labeler-float/dict.txt").path)

    // MARK: Labels from a float model

    /// Four bytes a pixel, the first unused: a white stroke from top to bottom on black.
    private func imageOfAOne(width: Int, height: Int) -> [UInt8] {
        (0..<width * height).flatMap { pixel -> [UInt8] in
            let (row, column) = pixel.quotientAndRemainder(dividingBy: width)
            let isInk = abs(column - width / 2) <= width / 16 && (height / 8..<height - height / 8).contains(row)
            return [0] + [UInt8](repeating: isInk ? 255 : 0, count: 3)
        }
    }

    private func floatInput(_ image: [UInt8], width: Int, height: Int) -> Data {
        var inputData = Data()
        image.withUnsafeBytes { imageData in
            for row in 0..<height {
                for column in 0..<width {
                    let offset = 4 * (row * width + column)
                    for channel in 1...3 {
                        let byte = imageData.load(fromByteOffset: offset + channel, as: UInt8.self)
                        var normalized = (Float32(byte) - 127.5) / 127.5
                        let elementSize = MemoryLayout.size(ofValue: normalized)
                        var bytes = [UInt8](repeating: 0, count: elementSize)
                        memcpy(&bytes, &normalized, elementSize)
                        inputData.append(&bytes, count: elementSize)
                    }
                }
            }
        }
        return inputData
    }

    @Test func labelsAnImage() throws {
        var best: (label: String, probability: Float32) = ("", 0)
        do {
            let interpreter = try Interpreter(modelPath: digits.path)
            let inputData = floatInput(imageOfAOne(width: 32, height: 32), width: 32, height: 32)
            try interpreter.allocateTensors()
            try interpreter.copy(inputData, toInputAt: 0)
            try interpreter.invoke()

            let output = try interpreter.output(at: 0)
            let probabilities = UnsafeMutableBufferPointer<Float32>.allocate(capacity: 10)
            defer { probabilities.deallocate() }
            _ = output.data.copyBytes(to: probabilities)
            let fileContents = try String(contentsOfFile: digits.labelsPath, encoding: .utf8)
            let labels = fileContents.components(separatedBy: "\n").filter { !$0.isEmpty }
            for i in labels.indices where probabilities[i] > best.probability {
                best = (labels[i], probabilities[i])
            }
        } catch {
            Issue.record(error)
        }
        #expect(best.label == "1")
        #expect(best.probability > 0.5)
    }

    // MARK: Boxes from a detector that takes bytes

    /// As a downloader gives it: the completion is called before the call returns.
    private func latestModelFilePath(of path: String?, completion: (String?, (any Error)?) -> Void) {
        completion(path, path == nil ? CocoaError(.fileNoSuchFile) : nil)
    }

    private func byteInput(side: Int, level: UInt8) -> Data {
        var inputData = Data()
        for _ in 0..<side * side {
            var red = level
            var green = level
            var blue = level
            inputData.append(&red, count: 1)
            inputData.append(&green, count: 1)
            inputData.append(&blue, count: 1)
        }
        return inputData
    }

    private struct Detections {
        let boxes: [Float32]
        let labels: [Float32]
        let scores: [Float32]
    }

    private func detect(_ interpreter: Interpreter, _ input: Data) throws -> Detections {
        try interpreter.copy(input, toInputAt: 0)
        try interpreter.invoke()

        func floats(_ data: Data, count: Int) -> [Float32] {
            let buffer = UnsafeMutableBufferPointer<Float32>.allocate(capacity: count)
            defer { buffer.deallocate() }
            #expect(data.copyBytes(to: buffer) == count * 4)
            return Array(buffer)
        }
        var output = try interpreter.output(at: 0)
        let boxes = floats(output.data, count: 160)
        output = try interpreter.output(at: 1)
        let labels = floats(output.data, count: 40)
        output = try interpreter.output(at: 2)
        let scores = floats(output.data, count: 40)
        return Detections(boxes: boxes, labels: labels, scores: scores)
    }

    @Test func detectsObjects() throws {
        var modelPath: String?
        latestModelFilePath(of: OriginalFixture.detector.path) { path, error in
            guard error == nil else { return }
            modelPath = path
        }
        let interpreter = try Interpreter(modelPath: modelPath)
        try interpreter.allocateTensors()
        let found = try detect(interpreter, byteInput(side: 320, level: 0))

        let folder = try TemporaryFolder()
        let labelsPath = try folder.write(Data("background\ntomato\ncheese".utf8), to: "dict.txt")
        let names = try String(contentsOfFile: labelsPath, encoding: .utf8).components(separatedBy: "\n")
        var lines: [String] = []
        for i in 0..<40 where found.scores[i] > 0.9 {
            let top = found.boxes[4 * i]
            let left = found.boxes[4 * i + 1]
            let bottom = found.boxes[4 * i + 2]
            let right = found.boxes[4 * i + 3]
            lines.append("\(names[Int(found.labels[i])]) \(top * 64), \(left * 64), \(bottom * 64), \(right * 64)")
        }
        #expect(
            lines == [
                "background 0.0, 1.0, 2.0, 3.0", "tomato 1.0, 2.0, 3.0, 4.0", "cheese 2.0, 3.0, 4.0, 5.0",
                "background 3.0, 4.0, 5.0, 6.0",
            ])
    }

    @Test func failsToLoadAModelThatWasNotFetched() {
        var modelPath: String?
        latestModelFilePath(of: nil) { path, _ in modelPath = path }
        do {
            _ = try Interpreter(modelPath: modelPath)
            Issue.record("no error")
        } catch InterpreterError.failedToLoadModel {
            #expect(modelPath == nil)
        } catch {
            Issue.record(error)
        }
    }

    @Test(.enabled(if: TestPaths.hasSharedData, "the shared data is absent"))
    func detectsWithARealModel() throws {
        let path = TestPaths.shared.appendingPathComponent("models/salad_automl/salad1_automl.tflite").path
        let interpreter = try Interpreter(modelPath: path)
        try interpreter.allocateTensors()
        let found = try detect(interpreter, byteInput(side: 320, level: 127))
        #expect(found.scores.allSatisfy { (0...1).contains($0) })
        #expect(zip(found.scores, found.scores.dropFirst()).allSatisfy { $0 >= $1 })
        #expect(found.labels.allSatisfy { $0 >= 0 && $0 == $0.rounded() })
    }
}

/// Habits of the code around the original that existing apps share: extensions of their own, and ways to look at errors.
struct ExistingAppIdiomTests {
    @Test func dequantizesByHand() throws {
        var options = Interpreter.Options()
        options.threadCount = 2
        options.isXNNPackEnabled = true
        let interpreter = try Interpreter(modelPath: Fixture.add_uint8.path, options: options, delegates: nil)
        try interpreter.resizeInput(at: 0, to: Tensor.Shape([2]))
        try interpreter.allocateTensors()
        try interpreter.copy(Data([10, 20]), toInputAt: 0)
        try interpreter.invoke()

        let output: Tensor = try interpreter.output(at: 0)
        let results: [Float]
        switch output.dataType {
        case .uInt8:
            let parameters = try #require(output.quantizationParameters)
            results = output.data.map { (byte: UInt8) -> Float in
                parameters.scale * Float(Int(byte) - parameters.zeroPoint)
            }
        case .float32:
            results = [Float32](unsafeData: output.data) ?? []
        default:
            results = []
        }
        let expected: [Float] = [0.003922 * 30, 0.003922 * 60]
        #expect(results == expected)
    }

    @Test func copiesArraysWithExtensionsOfTheApp() throws {
        let interpreter = try Interpreter(modelPath: Fixture.add_batch.path)
        try interpreter.allocateTensors()
        try interpreter.copy(Data(copyingBufferOf: [Float32(1), 3]), toInputAt: 0)
        try interpreter.invoke()
        #expect([Float32](unsafeData: try interpreter.output(at: 0).data) == [3, 9])
        #expect(try interpreter.output(at: 0).data.toArray(type: Float32.self) == [3, 9])
    }

    @Test func readsTheInputsShape() throws {
        let interpreter = try Interpreter(modelPath: Fixture.add_uint8.path)
        try interpreter.allocateTensors()
        let shape = try interpreter.input(at: 0).shape
        #expect(shape.rank == 4)
        #expect(shape.dimensions[1] == 8 && shape.dimensions[2] == 8 && shape.dimensions[3] == 3)
    }

    @Test func takesErrorsApart() throws {
        let interpreter = try Interpreter(modelPath: Fixture.add_batch.path)
        do {
            try interpreter.copy(Data(count: 3), toInputAt: 0)
        } catch InterpreterError.invalidTensorDataCount(let provided, let required) {
            #expect((provided, required) == (3, 8))
        }
        do {
            try interpreter.invoke()
        } catch let error as InterpreterError {
            #expect(error == .allocateTensorsRequired)
            #expect(error.errorDescription == "Must call allocateTensors().")
        }
        do {
            _ = try interpreter.output(at: 9)
        } catch {
            #expect((error as NSError).code == 0)
            #expect((error as NSError).domain == "TensorFlowLite.InterpreterError")
            #expect(error.localizedDescription == "Invalid tensor index 9, max index is 0.")
        }
    }

    @Test func runsSignaturesByTheirNames() throws {
        let interpreter = try Interpreter(modelPath: Fixture.signatures.path)
        let key = try #require(interpreter.signatureKeys.first)
        let runner: SignatureRunner = try interpreter.signatureRunner(with: key)
        var inputs: [String: Data] = [:]
        for name in runner.inputs { inputs[name] = Data(copyingBufferOf: [Float32(2)]) }
        try runner.invoke(with: inputs)
        #expect([Float32](unsafeData: try runner.output(named: runner.outputs[0]).data) == [4])
    }
}

extension Data {
    fileprivate init<T>(copyingBufferOf array: [T]) {
        self = array.withUnsafeBufferPointer(Data.init)
    }

    fileprivate func toArray<T: ExpressibleByIntegerLiteral>(type: T.Type) -> [T] {
        var array = [T](repeating: 0, count: count / MemoryLayout<T>.stride)
        _ = array.withUnsafeMutableBytes { copyBytes(to: $0) }
        return array
    }
}

extension Array {
    fileprivate init?(unsafeData: Data) {
        guard unsafeData.count % MemoryLayout<Element>.stride == 0 else { return nil }
        self = unsafeData.withUnsafeBytes { .init($0.bindMemory(to: Element.self)) }
    }
}
