/// The scores of classes in the cells of a grid over the image; class 0 is the background. Free of side effects.
struct ScoreGrid {
    /// Row by row, and in each cell class by class.
    let scores: [Float]
    let columnCount: Int
    let rowCount: Int
    let classCount: Int

    /// The boxes around touching cells of one class, in shares of the image. Class numbers leave out the background. The
    /// score is the highest of the cells. Highest score first, of equal ones the upper left.
    /// - Parameter threshold: Cells count whose score is above it.
    func boxes(threshold: Float) -> [ScoredBox] {
        var found: [ScoredBox] = []
        for classIndex in 1..<max(classCount, 1) { found += boxes(of: classIndex, threshold) }
        let order = found.indices.sorted { left, right in
            found[left].score == found[right].score ? left < right : found[left].score > found[right].score
        }
        return order.map { found[$0] }
    }

    /// Joins cells, and then boxes, until none touches another, also not at a corner.
    private func boxes(of classIndex: Int, _ threshold: Float) -> [ScoredBox] {
        var found: [(cells: CellBox, score: Float)] = []
        for row in 0..<rowCount {
            for column in 0..<columnCount {
                let score = score(column, row, classIndex)
                guard score > threshold else { continue }
                found.append((CellBox(left: column, top: row, right: column + 1, bottom: row + 1), score))
            }
        }
        var count = -1
        while found.count != count {
            count = found.count
            found = Self.joined(found)
        }
        return found.map { entry in
            ScoredBox(box: entry.cells.box(columnCount, rowCount), classIndex: classIndex - 1, score: entry.score)
        }
    }

    /// Each box extends the first one before it that it touches.
    private static func joined(_ boxes: [(cells: CellBox, score: Float)]) -> [(cells: CellBox, score: Float)] {
        var joined: [(cells: CellBox, score: Float)] = []
        for box in boxes {
            if let place = joined.firstIndex(where: { $0.cells.touches(box.cells) }) {
                joined[place].cells.extend(to: box.cells)
                joined[place].score = max(joined[place].score, box.score)
            } else {
                joined.append(box)
            }
        }
        return joined
    }

    /// 0 where the output has fewer numbers than it should.
    private func score(_ column: Int, _ row: Int, _ classIndex: Int) -> Float {
        let place = (row * columnCount + column) * classCount + classIndex
        return scores.indices.contains(place) ? scores[place] : 0
    }

    /// The sum of the scores of each cell.
    var sums: [Float] {
        guard classCount > 0 else { return [] }
        return stride(from: 0, to: scores.count - classCount + 1, by: classCount).map { start in
            scores[start..<start + classCount].reduce(0, +)
        }
    }
}

/// A rectangle of cells; right and bottom are not included.
private struct CellBox {
    var left: Int
    var top: Int
    var right: Int
    var bottom: Int

    func touches(_ other: CellBox) -> Bool {
        left <= other.right && other.left <= right && top <= other.bottom && other.top <= bottom
    }

    mutating func extend(to other: CellBox) {
        left = min(left, other.left)
        top = min(top, other.top)
        right = max(right, other.right)
        bottom = max(bottom, other.bottom)
    }

    func box(_ columnCount: Int, _ rowCount: Int) -> Box {
        Box(
            left: Float(left) / Float(columnCount), top: Float(top) / Float(rowCount),
            right: Float(right) / Float(columnCount), bottom: Float(bottom) / Float(rowCount))
    }
}
