import Foundation
import HearthModelFile
import HearthModelSource
import HearthTestSupport
import HearthVision
import Testing

@Suite("Writing how images go in, and labels, into a model's file")
struct ModelPackerTests {
    /// The packed model in a file of its own.
    private struct Packed {
        let folder: TemporaryFolder
        let path: String
        let bytes: [UInt8]
        let bundle: ModelBundle

        init(_ path: String, labels: String? = nil, _ stated: ImageProcessing) throws {
            let result = try ModelPacker(path: path, labelsPath: labels, stated: stated).packed()
            folder = try TemporaryFolder()
            bytes = result.bytes
            self.path = try folder.write(bytes, to: "packed.tflite")
            bundle = try ModelBundle(path: self.path)
        }
    }

    private func labels(_ path: String) throws -> [String] {
        try Labeler.make(LocalModel(path: path)).results(in: Labeler.pixel).map(\.summary)
    }

    @Test("a float labeler: normalization and labels are metadata, and need no option any more")
    func labeler() throws {
        let file = try LabelFile("red\ngreen\nblue\n")
        let model = Labeler.path("float_bare.tflite")
        let packed = try Packed(model, labels: file.path, ImageProcessing(normalization: .zeroToOne))
        #expect(try labels(packed.path) == ["1 green 0.7529412", "2 blue 0.7529412", "0 red 0.2509804"])
        let subgraph = try #require(packed.bundle.metadata?.subgraphs.first)
        #expect(subgraph.inputs[0].processUnits == [.normalization(mean: [0], standardDeviation: [255])])
        #expect(subgraph.outputs[0].associatedFiles.map(\.kind) == [.axisLabels])
        #expect(packed.bundle.labels?.classNames == ["red", "green", "blue"])
    }

    @Test("the model's own bytes stay, behind the metadata and before the zip; packing again changes nothing")
    func unchanged() throws {
        let model = Labeler.path("float_bare.tflite")
        let old = try [UInt8](Data(contentsOf: URL(fileURLWithPath: model)))
        let packed = try Packed(model, ImageProcessing(normalization: .zeroToOne))
        let place = try #require(Data(packed.bytes).range(of: Data(old)))
        #expect(place.lowerBound > 0 && place.lowerBound % 64 == 0)
        let again = try Packed(packed.path, ImageProcessing())
        #expect(again.bytes == packed.bytes)
    }

    @Test("what metadata cannot say is in a file of the zip")
    func member() throws {
        let stated = ImageProcessing(layout: .yolov5NMS, overlapThreshold: 0.4)
        let packed = try Packed(FamilyDetectorTests.path("yolov5_nms"), stated)
        #expect(packed.bundle.processing == stated)
        var options = BoxDetectorOptions()
        options.scoreThreshold = 0.25
        let detector = try BoxDetector(model: LocalModel(path: packed.path), options: options)
        #expect(try detector.boxes(in: Detector.image("white.png")).map(\.index) == [2, 1])
    }

    @Test("a detector's roles and labels are metadata")
    func detector() throws {
        let file = try LabelFile("dog\ncat\n")
        let packed = try Packed(Detector.path("ssd.tflite"), labels: file.path, ImageProcessing())
        let outputs = try #require(packed.bundle.metadata?.subgraphs.first?.outputs)
        #expect(Set(outputs.compactMap(\.name)).isSuperset(of: ["location", "category", "score"]))
        #expect(packed.bundle.labels?.classNames == ["dog", "cat"], "instead of those in the file")
    }

    @Test("what contradicts the model is refused, and so is what the model cannot use")
    func refusals() {
        for (name, stated) in [
            ("gray", ImageProcessing(channels: .rgb)),
            ("float_bare", ImageProcessing(normalization: .init(mean: [0, 0], standardDeviation: [1, 1]))),
            ("float_bare", ImageProcessing(normalization: .zeroToOne, layout: .yolov8)),
        ] {
            let error = Labeler.thrown { _ = try Packed(Labeler.path(name + ".tflite"), stated) }
            #expect(error?.localizedDescription.isEmpty == false, "\(name)")
        }
    }

    @Test("a model that takes no image is packed as it is, if nothing is stated")
    func noImage() throws {
        let path = TestPaths.fixtures.appendingPathComponent("models/subtract.tflite").path
        let result = try ModelPacker(path: path, labelsPath: nil, stated: ImageProcessing()).packed()
        #expect(result.description == nil)
        #expect(result.notice?.contains("it has 2 inputs") == true)
        #expect(Data(result.bytes) == (try Data(contentsOf: URL(fileURLWithPath: path))))
        #expect(throws: (any Error).self) {
            try ModelPacker(path: path, labelsPath: nil, stated: ImageProcessing(normalization: .bytes)).packed()
        }
    }

    @Test("labels that do not fit are refused, and nothing is packed")
    func wrongLabels() throws {
        let folder = try TemporaryFolder()
        let labels = try folder.write(Array("a\nb\n".utf8), to: "labels.txt")
        for model in [Labeler.bundle("digits-labeler/model.tflite"), Labeler.bundle("digits-yolo/model.tflite")] {
            let error = #expect(throws: NSError.self) { try ModelPacker(path: model, labelsPath: labels).packed() }
            #expect(error?.localizedDescription.contains("label file") == true)
        }
    }
}

extension Labeler {
    static func thrown(_ body: () throws -> Void) -> NSError? {
        do {
            try body()
            return nil
        } catch {
            return error as NSError
        }
    }
}
