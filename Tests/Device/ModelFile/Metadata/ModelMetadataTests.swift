import Foundation
import HearthTestSupport
import Testing

@testable import HearthModelFile

@Suite struct ModelMetadataTests {
    private func metadata(_ block: [UInt8]) throws -> ModelMetadata? {
        var model = TestModel()
        model.metadata = [("TFLITE_METADATA", block)]
        return try ModelMetadata(of: model.file())
    }

    @Test func readsEveryField() throws {
        let metadata = try #require(try metadata(TestMetadata.block(labelFiles: [("labels.txt", "en")])))
        #expect(metadata.name == "Flowers")
        #expect(metadata.description == "Names flowers.")
        #expect(metadata.version == "v2")
        #expect(metadata.author == "Ada")
        #expect(metadata.license == "Apache-2.0")
        #expect(metadata.minimumParserVersion == "1.3.0")
        #expect(metadata.associatedFiles.map(\.name) == ["notes.txt"])
        #expect(metadata.associatedFiles.map(\.kind) == [.descriptions])

        let subgraph = try #require(metadata.subgraphs.first)
        let input = try #require(subgraph.inputs.first)
        #expect(input.name == "image")
        #expect(input.dimensionNames == ["batch", "height"])
        #expect(
            input.content
                == .init(
                    properties: .image(.init(colorSpace: .rgb, defaultWidth: 224, defaultHeight: 192)),
                    range: .init(minimum: 1, maximum: 2)))
        #expect(
            input.processUnits == [
                .normalization(mean: [127.5], standardDeviation: [128, 64, 32]),
                .scoreCalibration(transformation: .inverseLogistic, defaultScore: 0.25),
                .scoreThresholding(0.35), .other(9),
            ])
        #expect(input.stats == .init(maximum: [1], minimum: [-1]))
        let output = try #require(subgraph.outputs.first)
        #expect(
            output.content?.properties
                == .boundingBox(.init(index: [1, 0, 3, 2], form: .boundaries, coordinates: .pixel)))
        #expect(output.associatedFiles.map(\.kind) == [.axisLabels])
        #expect(output.associatedFiles.map(\.locale) == ["en"])
        #expect(subgraph.outputGroups == [.init(name: "result", tensorNames: ["location", "score"])])
        #expect(subgraph.customBlocks == [.init(name: "DETECTOR_METADATA", bytes: [1, 2, 3])])
    }

    @Test func absentIsNilAndDamagedIsAnError() throws {
        #expect(try ModelMetadata(of: TestModel().file()) == nil)
        #expect(#expect(throws: ModelFileError.self) { try metadata([]) }?.code == .malformed)
        #expect(#expect(throws: ModelFileError.self) { try metadata(Array("not metadata".utf8)) }?.code == .malformed)
    }

    @Test func everyTruncationAndBitFlipIsReadOrRefused() throws {
        let block = TestMetadata.block()
        for count in 0..<block.count {
            let error = #expect(throws: ModelFileError.self) { try metadata(Array(block.prefix(count))) }
            #expect(error?.code == .malformed)
        }
        for index in block.indices {
            var damaged = block
            damaged[index] ^= 1 << UInt8(index % 8)
            do {
                _ = try metadata(damaged)
            } catch {
                #expect([.malformed, .tooLarge].contains((error as? ModelFileError)?.code))
            }
        }
    }

    @Test(.enabled(if: TestPaths.hasSharedData, "the shared data is absent"))
    func readsTheMetadataOfRealModels() throws {
        let models = TestPaths.shared.appendingPathComponent("models").path
        let float = try ModelFile(
            ModelBytes(contentsOfFile: models + "/mobilenet_v1_float/mobilenet_v1_0.25_224_1_metadata_1.tflite"))
        let units = try #require(try ModelMetadata(of: float)?.subgraphs.first?.inputs.first?.processUnits)
        #expect(units.contains(.normalization(mean: [127.5], standardDeviation: [127.5])))

        let coco = try ModelFile(
            ModelBytes(
                contentsOfFile: models + "/ssd_coco/coco_ssd_mobilenet_v1_1.0_quant_2018_06_29.tflite"))
        let outputs = try #require(try ModelMetadata(of: coco)?.subgraphs.first?.outputs)
        #expect(
            outputs.first?.content?.properties
                == .boundingBox(.init(index: [1, 0, 3, 2], form: .boundaries, coordinates: .ratio)))
        #expect(outputs.flatMap(\.associatedFiles).contains { $0.kind == .valueLabels && $0.name == "labelmap.txt" })
    }
}
