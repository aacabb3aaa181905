import Foundation
import HearthTestSupport
import Testing

@testable import HearthModelFile

/// A block of metadata takes the place of another, and everything else stays.
@Suite struct MetadataRewriteTests {
    private func block(_ name: String, of file: ModelFile) -> [UInt8]? {
        file.graph.metadata.first { $0.name == name }.flatMap { file.content($0.data) }
    }

    @Test func theOldFileFollowsTheNewTablesByteForByte() throws {
        for name in ModelFile.fixtureNames {
            let file = try ModelFile(fixture: name)
            let changed = try file.rewritten { $0.setMetadata("MINE", [1, 2, 3]) }
            #expect(block("MINE", of: changed) == [1, 2, 3])
            var graph = changed.graph.withoutPlaces
            #expect(graph.metadata.removeLast().name == "MINE")
            #expect(graph == file.graph.withoutPlaces, "\(name)")
            let shift = changed.bytes.count - file.bytes.count
            guard try SourceTables(file.bytes).absoluteOffsets().isEmpty else { continue }
            let isUnchanged = file.bytes.withUnsafeBytes { old in
                changed.bytes.withUnsafeBytes { old.elementsEqual($0[shift...]) }
            }
            #expect(isUnchanged && shift.isMultiple(of: 64) && shift > 0, "\(name)")
        }
    }

    @Test func entriesOfTheSameNameAreReplacedInTheirPlaces() throws {
        var model = TestModel()
        model.metadata = [("A", [1]), ("B", [2]), ("C", [3]), ("B", [4])]
        let changed = try model.file().rewritten {
            $0.setMetadata("D", [5])
            $0.setMetadata("B", [6])
            $0.setMetadata("B", [7, 7])
            $0.setMetadata("", [])
        }
        #expect(changed.graph.metadataNames == ["A", "B", "C", "B", "D", ""])
        let contents = changed.graph.metadata.map { changed.content($0.data) }
        #expect(contents == [[1], [7, 7], [3], [7, 7], [5], []])
        // Blocks may be flatbuffers with a vector that is aligned to 16 bytes.
        let start = try #require(changed.graph.metadata[1].data?.lowerBound)
        #expect(start.isMultiple(of: 16))
        try changed.checkForLoading()
    }

    @Test func goesTogetherWithOtherChanges() throws {
        let file = try TestModel().file()
        let changed = try file.rewritten {
            $0.divertOutput(0, ofSubgraph: 0, toCustom: "Sink")
            $0.setMetadata("A", [1])
            $0.copyInput(ofOperator: 0, inSubgraph: 0)
            $0.setMetadata("A", [2])
        }
        #expect(block("A", of: changed) == [2])
        #expect(try Diversion(changed, subgraph: 0, output: 0).source == 1)
        try changed.checkForLoading()
    }

    /// Numbers that count from the file's first byte still point to the same bytes.
    @Test func bytesBehindTheFlatbufferAreFound() throws {
        var model = TestModel()
        model.subgraphs[0].nodes[0].largeOptions = (16, 8)
        let file = try model.file()
        let changed = try file.rewritten { $0.setMetadata("A", [1]) }
        let shift = UInt64(changed.bytes.count - file.bytes.count)
        #expect(try SourceTables(changed.bytes).absoluteOffsets().values.map { $0 } == [16 + shift])
    }
}
