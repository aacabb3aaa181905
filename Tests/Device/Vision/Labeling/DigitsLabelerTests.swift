import Foundation
import HearthModelFile
import HearthModelSource
import HearthTestSupport
import HearthVision
import Testing

@Suite("The package's own digits labeler")
struct DigitsLabelerTests {
    private struct Example: Sendable {
        let image: VisionImage
        let digit: String
    }

    private static func examples() throws -> [Example] {
        let folder = Labeler.bundle("digits-labeler/examples")
        let table = try String(contentsOfFile: folder + "/labels.csv", encoding: .utf8)
        return table.split(whereSeparator: \.isNewline).dropFirst().map { line in
            let columns = line.split(separator: ",")
            return Example(
                image: VisionImage(contentsOfFile: "\(folder)/\(columns[0])"), digit: String(columns[1]))
        }
    }

    private func check(_ model: LocalModel?, sourceLocation: SourceLocation = #_sourceLocation) throws {
        let examples = try Self.examples()
        #expect(examples.count == 15)
        let labeler = Labeler.make(model)
        for example in examples {
            let labels = try labeler.results(in: example.image)
            #expect(labels.first?.text == example.digit, sourceLocation: sourceLocation)
            #expect(labels.count == 10, sourceLocation: sourceLocation)
            let sum = labels.map(\.confidence).reduce(0, +)
            #expect(abs(sum - 1) < 0.05, "they are shares of one", sourceLocation: sourceLocation)
            #expect(labels.allSatisfy { $0.text == String($0.index) }, sourceLocation: sourceLocation)
        }
    }

    @Test(
        "every example, with both quantised bundles and the float model",
        arguments: [
            "digits-labeler", "digits-labeler-2", "digits-labeler-float",
        ])
    func bundles(name: String) throws {
        try check(LocalModel(path: Labeler.bundle(name)))
        try check(LocalModel(manifestPath: Labeler.bundle(name) + "/manifest.json"))
    }

    @Test("the float model by itself: labels and normalization are inside the file")
    func floatFile() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write(
            Data(contentsOf: URL(fileURLWithPath: Labeler.bundle("digits-labeler-float/model.tflite"))), to: "m.tflite")
        try check(LocalModel(path: path))
    }

    @Test("packed into one file", arguments: ["digits-labeler", "digits-labeler-float"])
    func packed(name: String) throws {
        let folder = try TemporaryFolder()
        let path = try folder.write(ModelBundle(path: Labeler.bundle(name)).packed(), to: "packed.tflite")
        try check(LocalModel(path: path))
    }

    @Test("the bare model with a label file that the app names")
    func labelsPath() throws {
        let folder = try TemporaryFolder()
        let model = try folder.write(
            Data(contentsOf: URL(fileURLWithPath: Labeler.bundle("digits-labeler/model.tflite"))), to: "m.tflite")
        try check(LocalModel(path: model, labelsPath: Labeler.bundle("digits-labeler/dict.txt")))
        let names = try folder.write((0..<10).map { "digit \($0)\n" }.joined().utf8, to: "names.txt")
        let labeler = Labeler.make(LocalModel(path: model, labelsPath: names))
        let example = try #require(try Self.examples().first)
        #expect(try labeler.results(in: example.image).first?.text == "digit \(example.digit)")
    }

    @Test("the bare model without labels gives indexes")
    func noLabels() throws {
        let folder = try TemporaryFolder()
        let model = try folder.write(
            Data(contentsOf: URL(fileURLWithPath: Labeler.bundle("digits-labeler/model.tflite"))), to: "m.tflite")
        let example = try #require(try Self.examples().last)
        let label = try #require(try Labeler.make(LocalModel(path: model)).results(in: example.image).first)
        #expect(label.text == "")
        #expect(String(label.index) == example.digit)
    }
}
