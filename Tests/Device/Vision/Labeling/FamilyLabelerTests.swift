import Foundation
import HearthModelFile
import HearthModelSource
import HearthVision
import Testing

/// The models of `make_labelers.py`, whose scores are the values of their input.
@Suite("Labelers with other inputs and outputs")
struct FamilyLabelerTests {
    /// The scores by index, in hundredths. The image is red 64, green and blue 192.
    private func scores(_ name: String, _ processing: ImageProcessing = ImageProcessing()) throws -> [Int] {
        let options = CustomImageLabelerOptions(localModel: LocalModel(path: Labeler.path(name + ".tflite")))
        options.maxResultCount = 100
        options.processing = processing
        let labels = try ImageLabeler.imageLabeler(options: options).results(in: Labeler.pixel)
        return labels.sorted { $0.index < $1.index }.map { Int(($0.confidence * 100).rounded()) }
    }

    @Test("one channel, with or without a dimension of its own: 0.299 red + 0.587 green + 0.114 blue")
    func gray() throws {
        // 153.7 of 256.
        #expect(try scores("gray") == [60, 60, 60, 60])
        #expect(try scores("gray_without_channel") == [60, 60, 60, 60])
    }

    @Test("four channels: the fourth is opaque")
    func rgba() throws {
        #expect(try scores("rgba") == [25, 75, 75, 100])
    }

    @Test("channel by channel")
    func planes() throws {
        #expect(try scores("nchw") == [25, 25, 25, 25, 75, 75, 75, 75, 75, 75, 75, 75])
    }

    @Test("blue first, if that is stated")
    func bgr() throws {
        #expect(try scores("uint8", ImageProcessing(channels: .bgr)) == [75, 75, 25])
        let error = Labeler.error(Labeler.fixture("gray"))
        #expect(error == nil)
        #expect(throws: (any Error).self, "one channel is no RGB") {
            try scores("gray", ImageProcessing(channels: .rgb))
        }
    }

    @Test("outputs of one, three and four dimensions", arguments: ["rank1", "rank3", "rank4_first", "uint8_rank4"])
    func ranks(name: String) throws {
        #expect(try scores(name) == [25, 75, 75])
    }

    @Test("an input that was calibrated to another range needs a statement, and gets the numbers that it means")
    func calibrated() throws {
        let text = Labeler.error(Labeler.fixture("int8_calibrated"))?.localizedDescription ?? ""
        #expect(text.contains("quantized to a range that is not that of bytes"))
        #expect(try scores("int8_calibrated", ImageProcessing(normalization: .zeroToOne)) == [24, 75, 75])
        #expect(throws: (any Error).self) { try scores("int16") }
        #expect(try scores("int16", ImageProcessing(normalization: .zeroToOne)) == [25, 75, 75])
    }

    @Test("a float input, by what is stated")
    func floats() throws {
        #expect(try scores("float_bare", ImageProcessing(normalization: .zeroToOne)) == [25, 75, 75])
        let inverted = ImageProcessing.Normalization(mean: [255], standardDeviation: [-255])
        #expect(try scores("float_bare", ImageProcessing(normalization: inverted)) == [75, 25, 25])
        let channels = ImageProcessing.Normalization(mean: [64, 92, 0], standardDeviation: [1, 100, 192])
        #expect(try scores("float_bare", ImageProcessing(normalization: channels)) == [0, 100, 100])
    }

    @Test("softmax and sigmoid, if that is stated")
    func activations() throws {
        let softmax = try scores("float_bare", ImageProcessing(normalization: .zeroToOne, activation: .softmax))
        #expect(softmax == [23, 38, 38])
        let sigmoid = try scores("float_bare", ImageProcessing(normalization: .zeroToOne, activation: .sigmoid))
        #expect(sigmoid == [56, 68, 68])
    }

    @Test("each output with labels, with its name")
    func heads() throws {
        let path = Labeler.path("../metadata/two_heads.tflite")
        let labeler = Labeler.make(LocalModel(path: path))
        let outputs = try labeler.resultsByOutput(in: Labeler.pixel)
        #expect(outputs.count == 2)
        #expect(outputs.filter(\.isMain).count == 1)
        let main = try labeler.results(in: Labeler.pixel).map(\.summary)
        #expect(outputs.first(where: \.isMain)?.labels.map(\.summary) == main)
    }

    @Test("lines that begin with their numbers are labels without them")
    func numberedLines() throws {
        let file = try LabelFile("0 red\n1 light blue\n2 green\n")
        let model = LocalModel(path: Labeler.path("uint8.tflite"), labelsPath: file.path)
        let labels = try Labeler.make(model).results(in: Labeler.pixel)
        #expect(labels.map(\.text) == ["light blue", "green", "red"])
    }
}
