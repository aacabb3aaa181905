import Foundation
import HearthTestSupport
import Testing

@testable import HearthModelFile

/// What is written is read again, and nothing that a file has is lost without a word.
@Suite struct ModelMetadataWriterTests {
    private func read(_ block: [UInt8], refusingUnknown: Bool = false) throws -> ModelMetadata {
        let bytes = try ModelBytes(copying: block)
        return try ModelMetadataParser.parse(bytes, 0..<bytes.count, refusingUnknown: refusingUnknown)
    }

    private func fixture(_ name: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: TestPaths.fixtures.appendingPathComponent("metadata/blocks/\(name).bin")))
    }

    private func tensor(_ tensor: ModelMetadata.Tensor) -> ModelMetadata {
        ModelMetadata(subgraphs: [.init(inputs: [tensor])])
    }

    @Test func everythingIsReadAgain() throws {
        var random = RandomMetadata(seed: 0x4D45_5441)
        var versions: Set<String> = []
        for _ in 0..<500 {
            var metadata = random.next()
            let block = try metadata.block()
            metadata.minimumParserVersion = MetadataVersion(needed: metadata).text
            #expect(try read(block) == metadata)
            #expect(try read(block, refusingUnknown: true) == metadata)
            #expect(try metadata.block() == block)
            versions.insert(metadata.minimumParserVersion ?? "")
        }
        #expect(versions.count >= 4)
    }

    /// The block comes from the code that MediaPipe generated from the schema.
    @Test func mediaPipesBlockIsReadAndWrittenWithoutLoss() throws {
        let metadata = try read(fixture("full"), refusingUnknown: true)
        #expect(metadata.name == "Finder" && metadata.description == "Finds things. \u{FC}")
        #expect(metadata.associatedFiles.map(\.kind) == [.scannIndex])
        let subgraph = try #require(metadata.subgraphs.first)
        #expect(subgraph.inputs.first?.stats == .init(maximum: [1], minimum: [-1, 0]))
        #expect(subgraph.inputs.last?.content?.properties == .audio)
        #expect(subgraph.outputs.first?.associatedFiles.first?.version == "2")
        #expect(subgraph.inputProcessUnits == [.scoreThresholding(0)])
        #expect(subgraph.inputGroups == [.init(name: "senses", tensorNames: ["image", "sound"])])
        #expect(
            subgraph.customBlocks == [
                .init(name: "DETECTOR_METADATA", bytes: try fixture("detector")),
                .init(name: "OTHER", bytes: [1, 2, 3]),
            ])
        #expect(metadata.subgraphs.count == 2)
        #expect(try read(metadata.block()) == metadata)
    }

    /// So does the metadata of TensorFlow's own MobileNet.
    @Test func aFeatureNeedsNoDetails() throws {
        let content: [Int: FlatField] = [3: .node(.table([0: .integer(UInt8(1))]))]
        let block = FlatBufferBuilder.build(
            .table([3: .tables([[2: .tables([content])]])]), identifier: "M001")
        let metadata = try read(block, refusingUnknown: true)
        #expect(metadata == tensor(.init(content: .init(properties: .feature))))
    }

    @Test func theReadersVersionIsThatOfTheNewestPart() throws {
        func version(_ metadata: ModelMetadata) throws -> String? {
            try read(metadata.block()).minimumParserVersion
        }
        func version(_ subgraph: ModelMetadata.Subgraph) throws -> String? {
            try version(ModelMetadata(subgraphs: [.init(), subgraph]))
        }
        #expect(try version(ModelMetadata(minimumParserVersion: "9.9.9")) == "1.0.0")
        #expect(try version(tensor(.init(processUnits: [.scoreThresholding(0.5)]))) == "1.0.0")
        #expect(try version(ModelMetadata(associatedFiles: [.init(kind: .vocabulary)])) == "1.0.1")
        #expect(try version(.init(inputProcessUnits: [.scoreThresholding(0.5)])) == "1.1.0")
        #expect(try version(.init(outputProcessUnits: [.scoreThresholding(0.5)])) == "1.1.0")
        #expect(try version(.init(inputGroups: [.init()])) == "1.2.0")
        #expect(try version(.init(outputGroups: [.init()])) == "1.2.0")
        #expect(try version(.init(outputs: [.init(content: .init(properties: .audio))])) == "1.3.0")
        #expect(try version(.init(associatedFiles: [.init(kind: .scannIndex)])) == "1.4.0")
        #expect(try version(.init(outputs: [.init(associatedFiles: [.init(version: "1")])])) == "1.4.1")
        #expect(try version(.init(customBlocks: [.init(name: "X", bytes: [])])) == "1.5.0")
    }

    @Test func whatTheFormatCannotHoldIsRefused() {
        func refusal(_ content: ModelMetadata.Properties, _ range: ModelMetadata.ValueRange? = nil) -> String? {
            let metadata = tensor(.init(content: .init(properties: content, range: range)))
            let error = #expect(throws: ModelFileError.self) { try metadata.block() }
            #expect(error?.code == .unsupported)
            return error?.message
        }
        #expect(refusal(.other(9))?.contains("a content of kind 9") == true)
        #expect(refusal(.none, .init(minimum: 0, maximum: 1 << 40))?.contains("1099511627776") == true)
        #expect(refusal(.image(.init(colorSpace: .rgb, defaultWidth: -1, defaultHeight: 4)))?.contains("-1") == true)
        #expect(refusal(.image(.init(colorSpace: .rgb, defaultHeight: 4)))?.contains("width") == true)
        #expect(refusal(.boundingBox(.init(index: [-1], form: .center, coordinates: .ratio)))?.contains("-1") == true)
        let tokenizer = tensor(.init(processUnits: [.other(4)]))
        #expect(#expect(throws: ModelFileError.self) { try tokenizer.block() }?.code == .unsupported)
    }

    @Test(arguments: [
        ("audio", "field 0"), ("bert", "process unit (4)"), ("pieces", "process unit (5)"),
        ("regex", "process unit (6)"), ("latin", "not UTF-8"),
    ])
    func whatWouldBeLostIsNamed(name: String, what: String) throws {
        let block = try fixture(name)
        _ = try read(block)
        let error = #expect(throws: ModelFileError.self) { try read(block, refusingUnknown: true) }
        #expect(error?.code == .unsupported)
        #expect(error?.message.contains(what) == true, "\(error?.message ?? "")")
    }

    /// Each table in turn has one field more than the schema.
    @Test func fieldsOfNewerFormatsAreNotLost() throws {
        func table(_ count: Int, _ fields: [Int: FlatField] = [:]) -> [Int: FlatField] {
            fields.merging([count: .integer(UInt8(1))]) { old, _ in old }
        }
        func tensor(_ fields: [Int: FlatField]) -> [Int: FlatField] { [3: .tables([[2: .tables([fields])]])] }
        func content(_ kind: UInt8, _ details: [Int: FlatField]) -> [Int: FlatField] {
            tensor([3: .node(.table([0: .integer(kind), 1: .node(.table(details))]))])
        }
        func unit(_ kind: UInt8, _ details: [Int: FlatField]) -> [Int: FlatField] {
            tensor([4: .tables([[0: .integer(kind), 1: .node(.table(details))]])])
        }
        let roots: [[Int: FlatField]] = [
            table(8), [3: .tables([table(10)])], tensor(table(7)), [6: .tables([table(5)])],
            [3: .tables([[7: .tables([table(2)])]])], [3: .tables([[9: .tables([table(2)])]])],
            tensor([3: .node(.table(table(3)))]), tensor([5: .node(.table(table(2)))]),
            tensor([3: .node(.table([2: .node(.table(table(2)))]))]), content(1, table(0)), content(2, table(2)),
            content(2, [1: .node(.table(table(2)))]), content(3, table(3)), content(4, table(0)), content(5, [:]),
            tensor([3: .node(.table([0: .integer(UInt8(2))]))]), tensor([4: .tables([table(2)])]), unit(0, [:]),
            unit(1, table(2)), unit(2, table(2)), unit(3, table(1)), unit(7, [:]),
        ]
        for (number, root) in roots.enumerated() {
            let block = FlatBufferBuilder.build(.table(root), identifier: "M001")
            #expect(throws: Never.self, "root \(number)") { try read(block) }
            let error = #expect(throws: ModelFileError.self, "root \(number)") {
                try read(block, refusingUnknown: true)
            }
            #expect(error?.code == .unsupported)
        }
    }

    @Test func damagedBlocksAreReadOrRefused() throws {
        let block = try fixture("full")
        let whole = try read(block)
        for count in 1..<block.count {
            // At the end is padding.
            let metadata = try? read(Array(block.prefix(count)), refusingUnknown: true)
            #expect(metadata == nil || metadata == whole && count >= block.count - 3, "\(count) bytes")
        }
        var generator = MutationTests.Generator(state: 0x4D30_3031)
        var written = 0
        for _ in 0..<3000 {
            var damaged = block
            for _ in 0...Int.random(in: 0..<4, using: &generator) {
                let place = Int.random(in: damaged.indices, using: &generator)
                damaged[place] = UInt8.random(in: 0...255, using: &generator)
            }
            guard let metadata = try? read(damaged, refusingUnknown: true) else { continue }
            var kept = try read(metadata.block())
            kept.minimumParserVersion = metadata.minimumParserVersion
            // Numbers that are not a number differ from themselves.
            if metadata == metadata { #expect(kept == metadata) }
            written += 1
        }
        #expect(written > 300)
    }
}
