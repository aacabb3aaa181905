/// What a model returns that is neither labels nor boxes, as far as its outputs' names and shapes tell. Free of side
/// effects.
enum OutputsInWords {
    /// - Returns: nil when they may be labels or boxes.
    static func other(
        _ outputs: [(name: String, shape: [Int])], _ inputSize: (width: Int, height: Int)?
    ) -> String? {
        if let task = outputs.lazy.compactMap({ named($0.name) }).first { return task }
        if outputs.contains(where: { isMask($0.shape, inputSize) }) {
            return "it returns a mask, a value for each pixel"
        }
        if outputs.count == 1, isKeyPoints(outputs[0].shape) { return "it returns key points" }
        let maps = outputs.filter { $0.shape.count == 4 || $0.shape.count == 5 }
        if maps.count == outputs.count, (2...4).contains(maps.count), hasYOLOHeads(maps.map(\.shape)) {
            return
                "it returns the raw maps of a YOLO network, before its boxes are computed; export it with its last layers"
        }
        return nil
    }

    private static func named(_ name: String) -> String? {
        let name = name.lowercased()
        if name.contains("landmark") || name.contains("keypoint") || name.contains("heatmap") {
            return "it returns key points"
        }
        if name.contains("segmentation") || name.contains("mask") { return "it returns a mask" }
        return nil
    }

    /// As large as the input, or a large part of it.
    private static func isMask(_ shape: [Int], _ inputSize: (width: Int, height: Int)?) -> Bool {
        guard let inputSize, (3...4).contains(shape.count), shape[0] == 1 else { return false }
        let sides = shape.count == 4 ? [shape[1], shape[2], shape[3]] : [shape[1], shape[2]]
        let (height, width) = (inputSize.height, inputSize.width)
        let isLarge = { (rows: Int, columns: Int) in
            (16...max(16, height)).contains(rows) && (16...max(16, width)).contains(columns) && rows * 2 >= height
                && columns * 2 >= width
        }
        return isLarge(sides[0], sides[1]) || sides.count == 3 && isLarge(sides[1], sides[2])
    }

    /// The points of a body (17) or of a hand (21), with two or three numbers each; or six bodies with a box each, as
    /// MoveNet's model for several people returns them.
    static func isKeyPoints(_ shape: [Int]) -> Bool {
        let sizes = shape.filter { $0 != 1 }
        guard sizes.count == 2 else { return false }
        return (sizes[0] == 17 || sizes[0] == 21) && (sizes[1] == 2 || sizes[1] == 3) || sizes == [6, 17 * 3 + 5]
    }

    /// Maps of halved sizes, each with the same number of channels.
    private static func hasYOLOHeads(_ shapes: [[Int]]) -> Bool {
        guard shapes.allSatisfy({ $0.count >= 4 && $0[0] == 1 }) else { return false }
        let rows = shapes.map { $0[1] }.sorted()
        let halves = zip(rows, rows.dropFirst()).allSatisfy { $1.isMultiple(of: 2) && $1 / 2 == $0 }
        return halves && Set(shapes.map { $0.last ?? 0 }).count == 1
    }
}
