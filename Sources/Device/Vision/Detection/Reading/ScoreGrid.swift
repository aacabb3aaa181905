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

    /// The reader joins at most this many groups of cells of a class, those with the highest scores: comparing all with
    /// all takes long.
    private static let maxGroupCount = 1000

    /// Joins cells, and then boxes, until none touches another, also not at a corner.
    private func boxes(of classIndex: Int, _ threshold: Float) -> [ScoredBox] {
        var found = groups(of: classIndex, threshold)
        if found.count > Self.maxGroupCount {
            let least = found.map(\.score).sorted(by: >)[Self.maxGroupCount - 1]
            found = Array(found.filter { $0.score >= least }.prefix(Self.maxGroupCount))
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

    /// The boxes around cells that touch each other, in the order of their first cells, row by row.
    private func groups(of classIndex: Int, _ threshold: Float) -> [(cells: CellBox, score: Float)] {
        var found: [(cells: CellBox, score: Float)] = []
        var isOpen = [Bool](repeating: false, count: rowCount * columnCount)
        for place in isOpen.indices {
            isOpen[place] = score(place % columnCount, place / columnCount, classIndex) > threshold
        }
        for place in isOpen.indices where isOpen[place] {
            var group = (cells: CellBox(column: place % columnCount, row: place / columnCount), score: -Float.infinity)
            var waiting = [place]
            isOpen[place] = false
            while let next = waiting.popLast() {
                let (column, row) = (next % columnCount, next / columnCount)
                group.cells.extend(to: CellBox(column: column, row: row))
                group.score = max(group.score, score(column, row, classIndex))
                for nearRow in max(0, row - 1)...min(rowCount - 1, row + 1) {
                    for nearColumn in max(0, column - 1)...min(columnCount - 1, column + 1) {
                        let near = nearRow * columnCount + nearColumn
                        guard isOpen[near] else { continue }
                        isOpen[near] = false
                        waiting.append(near)
                    }
                }
            }
            found.append(group)
        }
        return found
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

    /// One cell.
    init(column: Int, row: Int) { (left, top, right, bottom) = (column, row, column + 1, row + 1) }

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
