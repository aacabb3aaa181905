import Foundation
import HearthTestSupport
import Testing

@testable import HearthModelFile

/// A model gets metadata and the files that this names, in one file.
@Suite struct DescribedModelTests {
    private static let labels = ["labels.txt": Array("daisy\nrose\nlily\nfern\n".utf8)]

    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// Metadata for one input and one output with labels.
    private var metadata: ModelMetadata {
        ModelMetadata(
            name: "Flowers",
            subgraphs: [
                .init(
                    inputs: [.init(name: "image", processUnits: [.normalization(mean: [0], standardDeviation: [255])])],
                    outputs: [.init(name: "score", associatedFiles: [.init(name: "labels.txt", kind: .axisLabels)])])
            ])
    }

    private func bundle(_ bytes: [UInt8]) throws -> ModelBundle { try ModelBundle(bytes: ModelBytes(copying: bytes)) }

    private func error(_ bytes: [UInt8], adding files: [String: [UInt8]], _ metadata: ModelMetadata) -> ModelFileError?
    {
        #expect(throws: ModelFileError.self) { try bundle(bytes).packed(adding: files, metadata: metadata) }
    }

    private func old(_ model: [UInt8], isIn new: [UInt8]) throws -> Bool {
        // The new file is a front, the old model and a zip.
        let end = try ZipArchive(in: ModelBytes(copying: new))?.start ?? new.count
        return new[..<end].suffix(model.count).elementsEqual(model)
    }

    @Test func aBareModelGetsMetadataAndLabels() throws {
        let model = TestModel().bytes()
        let bytes = try bundle(model).packed(adding: Self.labels, metadata: metadata)
        let packed = try bundle(bytes)
        #expect(packed.metadata?.name == "Flowers" && packed.metadata?.minimumParserVersion == "1.0.0")
        #expect(packed.labels?.classNames == ["daisy", "rose", "lily", "fern"])
        #expect(try packed.labeledScores().output == 0)
        #expect(packed.kind == .model)
        #expect(try old(model, isIn: bytes))
        try packed.model.checkForLoading()
        #expect(packed.model.graph.withoutPlaces.subgraphs == (try bundle(model)).model.graph.withoutPlaces.subgraphs)
    }

    @Test func packingTwiceChangesNothing() throws {
        let once = try bundle(TestModel().bytes()).packed(adding: Self.labels, metadata: metadata)
        #expect(try bundle(once).packed(adding: Self.labels, metadata: metadata) == once)
        #expect(try bundle(once).packed(adding: [:], metadata: bundle(once).metadata) == once)
        #expect(try bundle(once).packed() == once)
        #expect(try bundle(TestModel().bytes()).packed(adding: Self.labels, metadata: metadata) == once)
    }

    @Test func metadataWithoutFilesNeedsNoZip() throws {
        let model = TestModel().bytes()
        let bytes = try bundle(model).packed(adding: [:], metadata: ModelMetadata(description: "plain"))
        #expect(try ZipArchive(in: ModelBytes(copying: bytes)) == nil)
        #expect(Array(bytes.suffix(model.count)) == model)
        #expect(try bundle(bytes).metadata?.description == "plain")
    }

    @Test func anEditKeepsWhatTheFileSays() throws {
        var model = TestModel()
        model.metadata = [("OTHER", [1, 2]), ("TFLITE_METADATA", TestMetadata.block(outputs: [[("ids.txt", 2)]]))]
        var zip = ZipWriter()
        try zip.add("ids.txt", Array("a\nb\nc\nd\n".utf8))
        try zip.add("notes.txt", Array("old".utf8))
        let first = try bundle(zip.appended(to: model.bytes()))
        var metadata = try #require(first.metadata)
        metadata.subgraphs[0].outputs[0].associatedFiles.append(
            .init(name: "names.txt", kind: .axisLabels, locale: "en"))
        metadata.subgraphs[0].customBlocks = [.init(name: "DETECTOR_METADATA", bytes: [1, 2, 3])]
        let bytes = try first.packed(adding: ["names.txt": Array("A\nB\nC\nD\n".utf8)], metadata: metadata)
        let second = try bundle(bytes)
        #expect(
            second.labels?.classNames == ["a", "b", "c", "d"] && second.labels?.displayNames == ["A", "B", "C", "D"])
        #expect(second.metadata?.subgraphs.first?.customBlockNames == ["DETECTOR_METADATA"])
        #expect(second.metadata?.minimumParserVersion == "1.5.0")
        #expect(second.model.graph.metadataNames == ["OTHER", "TFLITE_METADATA"])
        #expect(try ZipArchive(in: second.model.bytes)?.members.map(\.name) == ["ids.txt", "notes.txt", "names.txt"])
        #expect(try old(model.bytes(), isIn: bytes))
    }

    @Test func whatWouldBeLostIsNotReplaced() throws {
        var model = TestModel()
        for name in ["audio", "bert", "latin"] {
            let path = TestPaths.fixtures.appendingPathComponent("metadata/blocks/\(name).bin")
            model.metadata = [("TFLITE_METADATA", [UInt8](try Data(contentsOf: path)))]
            let first = try bundle(model.bytes())
            let error = error(model.bytes(), adding: Self.labels, metadata)
            #expect(error?.code == .unsupported)
            #expect(error?.message.contains("lose") == true)
            // Without another value, the block stays as it is.
            #expect(try first.packed(adding: [:], metadata: first.metadata) == model.bytes())
            #expect(try old(model.bytes(), isIn: first.packed(adding: Self.labels, metadata: first.metadata)))
        }
    }

    @Test func whatCouldNotBeReadIsNotWritten() throws {
        var model = TestModel()
        let block = TestMetadata.block(outputs: [[]])
        model.metadata = [("TFLITE_METADATA", block), ("TFLITE_METADATA", block)]
        #expect(error(model.bytes(), adding: [:], ModelMetadata(name: "one"))?.code == .unsupported)
        let large = ModelMetadata.CustomBlock(name: "LARGE", bytes: [UInt8](repeating: 1, count: 65 << 20))
        let metadata = ModelMetadata(subgraphs: [.init(customBlocks: [large])])
        #expect(error(TestModel().bytes(), adding: [:], metadata)?.code == .tooLarge)
    }

    @Test func metadataMustFitTheModelAndItsFiles() throws {
        let model = TestModel().bytes()
        #expect(error(model, adding: [:], metadata)?.code == .labelsMissing)
        #expect(error(model, adding: [:], metadata)?.message.contains("'labels.txt'") == true)
        var other = metadata
        other.subgraphs[0].outputs.append(.init())
        #expect(error(model, adding: Self.labels, other)?.code == .invalidRewrite)
        other = metadata
        other.subgraphs.append(.init())
        #expect(error(model, adding: Self.labels, other)?.code == .invalidRewrite)
        other = metadata
        other.subgraphs[0].inputs = []
        #expect(throws: Never.self) { try bundle(model).packed(adding: Self.labels, metadata: other) }
        let packed = try bundle(model).packed(adding: Self.labels, metadata: metadata)
        #expect(error(packed, adding: ["labels.txt": [65]], metadata)?.code == .invalidBundle)
        #expect(error(packed, adding: ["../labels.txt": [65]], metadata)?.code == .invalidBundle)
    }

    /// Labels beside the model would take precedence over those that the caller names.
    @Test func labelsBesideTheModelGiveWay() throws {
        let path = try folder.write(TestModel().bytes(), to: "model.tflite")
        _ = try folder.write(Array("w\nx\ny\nz\n".utf8), to: "labels.txt")
        let beside = try ModelBundle(path: path)
        #expect(beside.labels?.classNames == ["w", "x", "y", "z"])
        let packed = try bundle(beside.packed(adding: Self.labels, metadata: metadata))
        #expect(packed.labels?.classNames == ["daisy", "rose", "lily", "fern"] && packed.manifest == nil)
        let named = try bundle(beside.packed(adding: [:], metadata: ModelMetadata(name: "Letters")))
        #expect(named.labels?.classNames == ["w", "x", "y", "z"] && named.metadata?.name == "Letters")
    }

    @Test func constantsBehindTheZipAreRefused() throws {
        var model = TestModel()
        model.subgraphs[0].nodes[0].largeOptions = (1 << 20, 8)
        let bytes = model.bytes()
        let padded = bytes + [UInt8](repeating: 7, count: (1 << 20) + 8 - bytes.count)
        // In front of the zip such bytes stay, and are found.
        let packed = try bundle(padded).packed(adding: Self.labels, metadata: metadata)
        let offset = try #require(try SourceTables(ModelBytes(copying: packed)).absoluteOffsets().values.first)
        #expect(packed[Int(offset)..<Int(offset) + 8].elementsEqual([UInt8](repeating: 7, count: 8)))
        // Here they are in the zip.
        var zip = ZipWriter()
        try zip.add("large.bin", [UInt8](repeating: 7, count: 2 << 20))
        let inside = try zip.appended(to: bytes)
        #expect(throws: ModelFileError.self) { try bundle(inside).packed(adding: Self.labels, metadata: metadata) }
    }

    /// Every fixture with what it says itself, and one word more.
    @Test func fixturesGetAnotherName() throws {
        var refused: [String] = []
        for name in ModelFile.fixtureNames {
            // Some are made to be refused, because they name labels that they lack.
            guard let first = try? bundle(ModelFile(fixture: name).bytes.withUnsafeBytes { [UInt8]($0) }) else {
                continue
            }
            var metadata = first.metadata ?? ModelMetadata()
            metadata.name = "another"
            do throws(ModelFileError) {
                let second = try ModelBundle(
                    bytes: ModelBytes(copying: first.packed(adding: ["new.txt": [65]], metadata: metadata)))
                var kept = second.metadata
                kept?.minimumParserVersion = metadata.minimumParserVersion
                #expect(kept == metadata, "\(name)")
                #expect(second.labels == first.labels, "\(name)")
                #expect(second.model.graph.subgraphs.map(\.outputs) == first.model.graph.subgraphs.map(\.outputs))
            } catch {
                // Others name files that are not there, describe one of two outputs, or have a step of the future.
                #expect([.labelsMissing, .invalidRewrite, .unsupported].contains(error.code), "\(name): \(error)")
                refused.append(name)
            }
        }
        #expect(refused.count < 10, "\(refused)")
    }

    @Test func damagedMetadataIsKeptOrRefused() throws {
        let seed = try bundle(TestModel().bytes()).packed(adding: Self.labels, metadata: metadata)
        var generator = MutationTests.Generator(state: 0x5041_434B)
        var packed = 0
        for _ in 0..<3000 {
            var bytes = seed
            for _ in 0...Int.random(in: 0..<4, using: &generator) {
                bytes[Int.random(in: bytes.indices, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
            }
            guard let first = try? bundle(bytes) else { continue }
            var metadata = first.metadata ?? ModelMetadata()
            metadata.author = "Grace"
            do throws(ModelFileError) {
                let second = try first.packed(adding: ["new.txt": [65]], metadata: metadata)
                #expect(throws: Never.self) { try bundle(second) }
                packed += 1
            } catch {
                #expect(!error.message.isEmpty && !error.message.contains("\n"))
            }
        }
        #expect(packed > 200)
    }
}
