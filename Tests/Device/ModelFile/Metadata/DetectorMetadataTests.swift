import Foundation
import HearthTestSupport
import Testing

@testable import HearthModelFile

@Suite struct DetectorMetadataTests {
    /// Made by the code that MediaPipe generated from the schema.
    private let fixture: [UInt8]

    init() throws {
        let path = TestPaths.fixtures.appendingPathComponent("metadata/blocks/detector.bin")
        fixture = [UInt8](try Data(contentsOf: path))
    }

    /// A block with these anchors and numbers, and a change of its fields.
    private func block(
        anchors: [[Float]] = [[0.5, 0.5, 1, 1]], _ change: (inout [Int: FlatField]) -> Void = { _ in }
    ) -> [UInt8] {
        let list = anchors.map { anchor in
            FlatNode.table(
                Dictionary(uniqueKeysWithValues: anchor.enumerated().map { ($0.offset, FlatField.float($0.element)) }))
        }
        return block(.nodes(list)) {
            $0[1] = .integer(Int32(anchors.count))
            change(&$0)
        }
    }

    private func block(_ anchors: FlatNode, _ change: (inout [Int: FlatField]) -> Void) -> [UInt8] {
        var decoding: [Int: FlatField] = [
            0: .integer(Int32(2)), 2: .integer(Int32(4)), 6: .float(1), 7: .float(1), 8: .float(1), 9: .float(1),
        ]
        change(&decoding)
        return FlatBufferBuilder.build(
            .table([
                1: .node(.table([0: .node(.table([0: .node(anchors)]))])), 2: .node(.table(decoding)),
            ]), identifier: "V001")
    }

    private func refusal(_ block: [UInt8]) -> ModelFileError? {
        #expect(throws: ModelFileError.self) { try DetectorMetadata(block: block) }
    }

    @Test func readsEveryField() throws {
        let detector = try DetectorMetadata(block: fixture)
        #expect(detector.anchors.map(\.centerX) == [0.125, 0.375, 0.625, 0.875])
        #expect(detector.anchors.allSatisfy { $0.centerY == 0.25 && $0.width == 0.5 })
        #expect(detector.anchors.map(\.height) == [0.125, 0.25, 0.375, 0.5])
        #expect(detector.classCount == 3 && detector.boxCount == 4 && detector.coordinateCount == 8)
        #expect(detector.keyPointOffset == 4 && detector.keyPointCount == 2 && detector.valuesPerKeyPoint == 2)
        #expect(detector.xScale == 10 && detector.yScale == 20)
        #expect(detector.widthScale == 5 && detector.heightScale == 2.5)
        #expect(detector.hasExponentialSizes && detector.hasSigmoidScores)
    }

    @Test func isFoundInTheSubgraphByItsName() throws {
        var subgraph = ModelMetadata.Subgraph(customBlocks: [.init(name: nil, bytes: []), .init(name: "X", bytes: [1])])
        #expect(try DetectorMetadata(of: subgraph) == nil)
        subgraph.customBlocks.append(.init(name: "DETECTOR_METADATA", bytes: fixture))
        #expect(try DetectorMetadata(of: subgraph) == DetectorMetadata(block: fixture))
    }

    @Test func absentFieldsHaveTheFormatsDefaults() throws {
        let detector = try DetectorMetadata(block: block(anchors: [[], [0.5]]))
        #expect(detector.anchors.map(\.centerX) == [0, 0.5])
        #expect(detector.keyPointCount == 0 && !detector.hasExponentialSizes && !detector.hasSigmoidScores)
        let bare = FlatBufferBuilder.build(.table([:]), identifier: "V001")
        #expect(refusal(bare)?.message.contains("how to decode") == true)
    }

    @Test func contradictionsAreRefused() {
        let changes: [(String, (inout [Int: FlatField]) -> Void)] = [
            ("1 anchors for 2 boxes", { $0[1] = .integer(Int32(2)) }), ("0 classes", { $0[0] = nil }),
            ("-1 classes", { $0[0] = .integer(Int32(-1)) }), ("1000001 boxes", { $0[1] = .integer(Int32(1_000_001)) }),
            ("3 coordinates", { $0[2] = .integer(Int32(3)) }),
            ("scale is 0", { $0[6] = nil }), ("scale is nan", { $0[9] = .float(.nan) }),
            (
                "key points",
                {
                    $0[3] = .integer(Int32(4))
                    $0[4] = .integer(Int32(1_000_000))
                    $0[5] = .integer(Int32(1_000_000))
                }
            ),
        ]
        for (text, change) in changes {
            let error = refusal(block(change))
            #expect(error?.code == .malformed)
            #expect(error?.message.contains(text) == true, "\(error?.message ?? "")")
        }
        #expect(refusal(block(anchors: [[.infinity]]))?.message.contains("not finite") == true)
        #expect(refusal([])?.code == .malformed)
        #expect(refusal(FlatBufferBuilder.build(.table([:]), identifier: "FD01"))?.code == .unsupported)
    }

    /// A million references to one anchor at the end take 4 MB; one more is refused before any is followed.
    @Test func theNumberOfAnchorsIsLimited() throws {
        func large(count: Int) throws -> [UInt8] {
            let marker: UInt8 = 0x7E
            let list = FlatNode.scalars([UInt8](repeating: marker, count: 4 * count), width: 4)
            var bytes = block(list) { $0[1] = .integer(Int32(count)) }
            let start = try #require(bytes.firstIndex(of: marker))
            let anchor = bytes.count + 4
            for place in stride(from: start, to: start + 4 * count, by: 4) {
                bytes.withUnsafeMutableBytes {
                    $0.storeBytes(of: UInt32(anchor - place).littleEndian, toByteOffset: place, as: UInt32.self)
                }
            }
            // A vtable without fields, and a table with it.
            return bytes + [4, 0, 4, 0] + UInt32(4).littleEndianBytes
        }
        #expect(try DetectorMetadata(block: large(count: 1_000_000)).anchors.count == 1_000_000)
        #expect(try refusal(large(count: 1_000_001))?.code == .tooLarge)
    }

    @Test func damagedBlocksAreReadOrRefused() throws {
        let whole = try DetectorMetadata(block: fixture)
        for count in 0..<fixture.count {
            // At the end is the text of a version, which is not read.
            if let detector = try? DetectorMetadata(block: Array(fixture.prefix(count))) {
                #expect(detector == whole && count >= fixture.count - 12)
            }
        }
        var generator = MutationTests.Generator(state: 0x5630_3031)
        var count = 0
        for _ in 0..<5000 {
            var damaged = fixture
            for _ in 0...Int.random(in: 0..<4, using: &generator) {
                let place = Int.random(in: damaged.indices, using: &generator)
                damaged[place] = UInt8.random(in: 0...255, using: &generator)
            }
            do throws(ModelFileError) {
                let detector = try DetectorMetadata(block: damaged)
                #expect(detector.anchors.isEmpty || detector.anchors.count == detector.boxCount)
            } catch {
                #expect([.malformed, .unsupported, .tooLarge].contains(error.code))
                #expect(!error.message.contains("\n"))
                count += 1
            }
        }
        #expect(count > 1000)
    }

    @Test(.enabled(if: TestPaths.hasSharedData, "the shared data is absent"))
    func readsTheBlockOfARealDetector() throws {
        let path = TestPaths.shared.appendingPathComponent("wild/modelmaker_two_outputs_anchors.tflite").path
        let subgraph = try #require(try ModelMetadata(of: ModelFile(contentsOfFile: path))?.subgraphs.first)
        let detector = try #require(try DetectorMetadata(of: subgraph))
        #expect(detector.anchors.count == 64 && detector.classCount == 2)
        #expect(detector.anchors[1] == .init(centerX: 0.1875, centerY: 0.0625, width: 0.25, height: 0.25))
        #expect(detector.hasExponentialSizes && !detector.hasSigmoidScores)
    }
}
