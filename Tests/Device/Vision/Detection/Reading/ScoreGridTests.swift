import HearthTestSupport
import Testing

@testable import HearthVision

@Suite("Boxes around the cells of a grid")
struct ScoreGridTests {
    /// Joins any two boxes that touch, until there are none.
    private func joined(_ cells: [(column: Int, row: Int)]) -> Set<[Int]> {
        var boxes = cells.map { [$0.column, $0.row, $0.column + 1, $0.row + 1] }
        while let pair = boxes.indices.lazy.flatMap({ one in boxes.indices.map { (one, $0) } }).first(where: {
            let (one, other) = (boxes[$0.0], boxes[$0.1])
            return $0.0 < $0.1 && one[0] <= other[2] && other[0] <= one[2] && one[1] <= other[3] && other[1] <= one[3]
        }) {
            let (one, other) = (boxes[pair.0], boxes.remove(at: pair.1))
            boxes[pair.0] = [
                min(one[0], other[0]), min(one[1], other[1]), max(one[2], other[2]), max(one[3], other[3]),
            ]
        }
        return Set(boxes)
    }

    @Test("cells are joined until no two boxes touch, in any arrangement")
    func arrangements() {
        var random = SeededGenerator(seed: 8)
        for round in 0..<200 {
            let (columns, rows) = (Int.random(in: 1...16, using: &random), Int.random(in: 1...16, using: &random))
            let share = Double.random(in: 0...0.6, using: &random)
            var scores: [Float] = []
            var cells: [(column: Int, row: Int)] = []
            for place in 0..<(columns * rows) {
                let isSet = Double.random(in: 0..<1, using: &random) < share
                scores += isSet ? [0.1, 0.9] : [0.9, 0.1]
                if isSet { cells.append((place % columns, place / columns)) }
            }
            let boxes = ScoreGrid(scores: scores, columnCount: columns, rowCount: rows, classCount: 2)
                .boxes(threshold: 0.5)
            let found = boxes.map { found in
                [
                    found.box.left * Float(columns), found.box.top * Float(rows), found.box.right * Float(columns),
                    found.box.bottom * Float(rows),
                ].map { Int($0.rounded()) }
            }
            #expect(Set(found) == joined(cells) && found.count == Set(found).count, "round \(round)")
        }
    }

    @Test("of a map full of single cells, only those with the highest scores are compared")
    func singleCells() {
        let side = 400
        var scores = [Float](repeating: 0, count: side * side * 2)
        for row in stride(from: 0, to: side, by: 2) {
            for column in stride(from: 0, to: side, by: 2) {
                scores[(row * side + column) * 2 + 1] = 0.6 + Float(column) / 10_000
            }
        }
        let boxes = ScoreGrid(scores: scores, columnCount: side, rowCount: side, classCount: 2).boxes(threshold: 0.5)
        #expect(boxes.count == 1000)
        #expect(boxes.allSatisfy { $0.score > 0.635 })
    }
}
