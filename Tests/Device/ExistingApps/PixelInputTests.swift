import Foundation
import HearthModelInterpreter
import HearthTestSupport
import TensorFlowLite
import Testing

/// How apps written for the original interpreters turn an image into a model's input: drawn into a context of four bytes a
/// pixel, whose first is unused, and read byte by byte. That it compiles is half of the test.
@Suite("Images to model inputs in existing apps")
struct PixelInputTests {
    /// Draws an image at the size of a model's input.
    private func context(for image: CGImage, width: Int, height: Int) -> CGContext? {
        guard
            let context = CGContext(
                data: nil,
                width: width, height: height,
                bitsPerComponent: 8, bytesPerRow: width * 4,
                space: CGColorSpaceCreateDeviceRGB(),
                bitmapInfo: CGImageAlphaInfo.noneSkipFirst.rawValue)
        else { return nil }
        context.draw(image, in: CGRect(x: 0, y: 0, width: context.width, height: height))
        return context
    }

    private func floatInput(_ image: CGImage, width: Int, height: Int) -> Data? {
        guard let context = context(for: image, width: width, height: height), let imageData = context.data else {
            return nil
        }
        var inputData = Data()
        for row in 0..<height {
            for col in 0..<width {
                let offset = 4 * (row * context.width + col)
                let red = imageData.load(fromByteOffset: offset + 1, as: UInt8.self)
                let green = imageData.load(fromByteOffset: offset + 2, as: UInt8.self)
                let blue = imageData.load(fromByteOffset: offset + 3, as: UInt8.self)

                var normalizedRed = (Float32(red) - 127.5) / 127.5
                var normalizedGreen = (Float32(green) - 127.5) / 127.5
                var normalizedBlue = (Float32(blue) - 127.5) / 127.5

                let elementSize = MemoryLayout.size(ofValue: normalizedRed)
                var bytes = [UInt8](repeating: 0, count: elementSize)
                memcpy(&bytes, &normalizedRed, elementSize)
                inputData.append(&bytes, count: elementSize)
                memcpy(&bytes, &normalizedGreen, elementSize)
                inputData.append(&bytes, count: elementSize)
                memcpy(&bytes, &normalizedBlue, elementSize)
                inputData.append(&bytes, count: elementSize)
            }
        }
        return inputData
    }

    private func byteInput(_ image: CGImage, width: Int, height: Int) -> Data? {
        guard let context = context(for: image, width: width, height: height), let imageData = context.data else {
            return nil
        }
        var inputData = Data()
        for row in 0..<height {
            for col in 0..<width {
                let offset = 4 * (row * context.width + col)
                var red = imageData.load(fromByteOffset: offset + 1, as: UInt8.self)
                var green = imageData.load(fromByteOffset: offset + 2, as: UInt8.self)
                var blue = imageData.load(fromByteOffset: offset + 3, as: UInt8.self)
                inputData.append(&red, count: 1)
                inputData.append(&green, count: 1)
                inputData.append(&blue, count: 1)
            }
        }
        return inputData
    }

    private let colors: [UInt8] = [10, 20, 30, 40, 50, 60, 70, 80, 90, 100, 110, 120]

    private var picture: CGImage? { CGImage(rgb: Data(colors), width: 2, height: 2) }

    @Test("the loops read red, green and blue, row by row from the top")
    func channels() throws {
        let picture = try #require(picture)
        #expect(byteInput(picture, width: 2, height: 2) == Data(colors))
        let floats = try #require(floatInput(picture, width: 2, height: 2))
        let values = floats.withUnsafeBytes { Array($0.bindMemory(to: Float32.self)) }
        #expect(values == colors.map { (Float32($0) - 127.5) / 127.5 })
    }

    @Test("a detector's input: any image becomes 320 x 320 bytes a channel")
    func detectorInput() throws {
        let picture = try #require(picture)
        let input = try #require(byteInput(picture, width: 320, height: 320))
        #expect(input.count == 320 * 320 * 3)
        #expect(Array(input.prefix(3)) == [10, 20, 30])
        #expect(Array(input.suffix(3)) == [100, 110, 120])
    }

    @Test("TensorFlowLite finds a digit in a drawn image")
    func interpreter() throws {
        let image = try #require(Digit.seven.cgImage)
        let interpreter = try Interpreter(modelPath: Digit.floatModelPath)
        try interpreter.allocateTensors()
        let shape = try interpreter.input(at: 0).shape.dimensions
        let inputData = try #require(floatInput(image, width: shape[2], height: shape[1]))
        try interpreter.copy(inputData, toInputAt: 0)
        try interpreter.invoke()
        let scores = try interpreter.output(at: 0).data.withUnsafeBytes { Array($0.bindMemory(to: Float32.self)) }
        #expect(scores.firstIndex(of: scores.max() ?? 0) == 7)
    }

    @Test("so does the first generation's interpreter")
    func modelInterpreter() async throws {
        let image = try #require(Digit.seven.cgImage)
        let interpreter = ModelInterpreter.modelInterpreter(
            localModel: CustomLocalModel(modelPath: Digit.floatModelPath))
        let ioOptions = ModelInputOutputOptions()
        let inputs = ModelInputs()
        let inputData = try #require(floatInput(image, width: 32, height: 32))
        do {
            try ioOptions.setInputFormat(index: 0, type: .float32, dimensions: [1, 32, 32, 3])
            try ioOptions.setOutputFormat(index: 0, type: .float32, dimensions: [1, 10])
            try inputs.addInput(inputData)
        } catch let error as NSError {
            Issue.record("failed: \(error.localizedDescription)")
        }
        let outputs = try await interpreter.run(inputs: inputs, options: ioOptions)
        let scores = try #require(try outputs.output(index: 0) as? [[NSNumber]])[0].map(\.floatValue)
        #expect(scores.firstIndex(of: scores.max() ?? 0) == 7)
    }
}
