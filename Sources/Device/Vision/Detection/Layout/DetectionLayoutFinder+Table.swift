import HearthModelFile

/// Layouts with a single output that holds everything about a box or place.
extension DetectionLayoutFinder {
    /// The sizes of a table: places and columns, as stored.
    private struct TableShape {
        /// The two sizes in the order of the output.
        let sizes: (first: Int, second: Int)
        let rank: Int

        /// nil for outputs of other forms.
        init?(_ shape: [Int]) {
            let inner = shape.suffix(2)
            guard (2...4).contains(shape.count), shape.dropLast(2).allSatisfy({ $0 == 1 }),
                inner.allSatisfy({ $0 > 0 }), let first = inner.first, let second = inner.last
            else { return nil }
            sizes = (first, second)
            rank = shape.count
        }
    }

    private static let usualStrides = [8, 16, 32]

    /// How many places YOLO networks have for this input, with one box at each place of a grid: with the usual three
    /// grids, and with a fourth.
    private var gridPlaceCounts: [Int] {
        guard let inputSize else { return [] }
        return [Self.usualStrides, Self.usualStrides + [64]].map { strides in
            strides.reduce(0) { $0 + (inputSize.width / $1) * (inputSize.height / $1) }
        }
    }

    /// By what Ultralytics' exporter wrote: the task and the names of the classes.
    func exported() throws -> DetectionLayout? {
        guard let exporter, let task = exporter.task else { return nil }
        guard task == "detect" else { throw otherTask(task) }
        guard outputs.count == 1, let table = TableShape(outputs[0].shape) else { return nil }
        let classCount = exporter.names?.count
        guard let layout = layout(table, classCount: classCount) else {
            if let classCount { throw otherClassCount(classCount) }
            return nil
        }
        return confirmed(layout)
    }

    /// By the shape of the only output.
    func layoutByShape() throws -> DetectionLayout? {
        // At other scales, such a map is more likely a segmentation.
        if let grid = grid(sides: [8, 16]), outputs[0].isSoftmax { return confirmed(grid) }
        guard let table = TableShape(outputs[0].shape), !OutputsInWords.isKeyPoints(outputs[0].shape) else {
            return nil
        }
        // One row of six or seven numbers may as well be the scores of so many classes.
        guard table.sizes.first > 1 || !outputs[0].endsLikeClassifier else { return nil }
        return layout(table, classCount: nil).map(confirmed)
    }

    private func confirmed(_ layout: DetectionLayout) -> DetectionLayout {
        var layout = layout
        layout.isGuess = true
        return layout
    }

    /// - Parameter classCount: nil when the file does not state it.
    private func layout(_ table: TableShape, classCount: Int?) -> DetectionLayout? {
        let (first, second) = table.sizes
        let isGrid = gridPlaceCounts.contains(max(first, second))
        let isAnchorGrid = gridPlaceCounts.contains { $0 * 3 == first }
        if second == 7, table.rank != 3 || first <= 1000 && !isAnchorGrid && !isGrid {
            return classCount == 2 && table.rank == 3 ? yolov5(second) : detectionOutput
        }
        if second == 6, !isAnchorGrid, !isGrid, first <= 1000 { return yoloNMS }
        guard table.rank == 3 else { return nil }
        if first <= second {
            return classCount.map { $0 == first - 4 } ?? (first > 4) ? yolov8(first) : nil
        }
        // Rows with a place each: with a score of an object before those of the classes, or without.
        switch classCount ?? (isGrid ? labelCount : nil) {
        case second - 5: return isGrid ? yolox(second) : yolov5(second)
        case second - 4: return yolov8(second, isTransposed: false)
        case nil where second > 5 && !isGrid: return yolov5(second)
        default: return nil
        }
    }

    // MARK: Stated

    /// The layout that the caller or the file names, if the outputs have its shapes.
    func layout(stated name: BoxLayout) throws -> DetectionLayout {
        guard let layout = try described(by: name) ?? fitting(name) else { throw unfit(name) }
        return layout
    }

    /// What the file says about its outputs, where that is the stated layout.
    private func described(by name: BoxLayout) throws -> DetectionLayout? {
        var finder = self
        finder.stated = nil
        let found = try? finder.find().layout
        return found.flatMap { $0.name == name && !$0.isGuess ? $0 : nil }
    }

    private func fitting(_ name: BoxLayout) throws -> DetectionLayout? {
        let table = outputs.indices.contains(0) ? TableShape(outputs[0].shape) : nil
        switch name {
        case .ssd, .yolov5NMS, .customVision: return separate(name).map(confirmed)
        case .ssdScores: return try pair(name).map(confirmed)
        case .anchors: return try anchored()
        case .blazeFace:
            guard outputs.count == 2 else { return nil }
            return try blazeFace(boxes: 0, scores: 1) ?? blazeFace(boxes: 1, scores: 0)
        case .fomo: return grid(sides: [4, 8, 16, 32]).map(confirmed)
        case .yolov5:
            return table.flatMap { table in
                let (first, second) = table.sizes
                return second > 5 && first >= second ? confirmed(yolov5(second)) : nil
            }
        case .yolox:
            return table.flatMap { $0.sizes.second > 5 ? yolox($0.sizes.second).map(confirmed) : nil }
        case .yolov8:
            return table.flatMap { table in
                let (first, second) = table.sizes
                let isTransposed = first <= second
                return min(first, second) > 4
                    ? confirmed(yolov8(min(first, second), isTransposed: isTransposed)) : nil
            }
        case .yoloNMS: return table?.sizes.second == 6 ? confirmed(yoloNMS) : nil
        case .detectionOutput: return table?.sizes.second == 7 ? confirmed(detectionOutput) : nil
        }
    }

    /// Boxes, two rows with a number for each, and maybe a count. Whether classes or scores come first is told by the
    /// values of a run, else by the order that is usual for the layout.
    private func separate(_ name: BoxLayout) -> DetectionLayout? {
        let hasBatch = name != .customVision
        let order = outputs.indices.sorted { left, right in
            let (first, second) = (names[left], names[right])
            return first.count == second.count ? first < second : left < right
        }
        guard let boxes = order.first(where: { boxCount($0, hasBatch: hasBatch) != nil }),
            let count = boxCount(boxes, hasBatch: hasBatch)
        else { return nil }
        let rows = order.filter { $0 != boxes && elementCount($0) == count && outputs[$0].shape.last == count }
        guard rows.count >= 2 else { return nil }
        let counter = order.first { $0 != boxes && !rows.prefix(2).contains($0) && elementCount($0) == 1 }
        let isClassFirst = name != .yolov5NMS
        var layout = Self.selected(
            name, boxes: boxes, classes: rows[isClassFirst ? 0 : 1], scores: rows[isClassFirst ? 1 : 0], count: counter)
        if name != .ssd { layout.decoding = .coordinates(.corners) }
        layout.mayBeSwapped = true
        return layout
    }

    private func pair(_ name: BoxLayout) throws -> DetectionLayout? {
        for boxes in outputs.indices where boxCount(boxes) != nil {
            let decoding = BoxDecoding.coordinates(try coordinates(boxes) ?? .detectionPostProcess)
            for scores in outputs.indices where scores != boxes {
                if let layout = scored(name, boxes: boxes, scores: scores, decoding) { return layout }
            }
        }
        return nil
    }

    // MARK: Forms

    private func yolov5(_ width: Int) -> DetectionLayout {
        var layout = DetectionLayout(
            name: .yolov5,
            form: .scored(
                boxes: OutputColumns(output: 0, tableWidth: width),
                objectness: OutputColumns(output: 0, first: 4, tableWidth: width),
                scores: OutputColumns(output: 0, first: 5, tableWidth: width), classCount: width - 5))
        Self.finishYOLO(&layout)
        return layout
    }

    private func yolov8(_ width: Int, isTransposed: Bool = true) -> DetectionLayout {
        var layout = DetectionLayout(
            name: .yolov8,
            form: .scored(
                boxes: OutputColumns(output: 0, tableWidth: width, isTransposed: isTransposed), objectness: nil,
                scores: OutputColumns(output: 0, first: 4, tableWidth: width, isTransposed: isTransposed),
                classCount: width - 4))
        Self.finishYOLO(&layout)
        return layout
    }

    private static func finishYOLO(_ layout: inout DetectionLayout) {
        layout.decoding = .coordinates(.center)
        layout.unit = .sharesOrPixels(.center)
        layout.suppression = NonMaximumSuppression(overlapThreshold: 0.45)
        layout.usualThreshold = 0.25
    }

    /// As ``yolov5(_:)``, with offsets from the cells of the grids, unless the model has decoded them.
    private func yolox(_ width: Int) -> DetectionLayout? {
        guard let inputSize else { return nil }
        var layout = yolov5(width)
        layout.name = .yolox
        layout.decoding = .anchored(Anchors.cells(of: inputSize, strides: Self.usualStrides))
        layout.unit = .offsetsOrPixels
        return layout
    }

    private var yoloNMS: DetectionLayout { rows(.yoloNMS, width: 6, boxes: 0, scores: 4, classes: 5) }

    /// Some exporters write the score last, and say so in the output's name.
    private var detectionOutput: DetectionLayout {
        let isScoreLast = outputs[0].name.hasSuffix("x1y1x2y2_score")
        return rows(.detectionOutput, width: 7, boxes: isScoreLast ? 2 : 3, scores: isScoreLast ? 6 : 2, classes: 1)
    }

    private func rows(_ name: BoxLayout, width: Int, boxes: Int, scores: Int, classes: Int) -> DetectionLayout {
        func columns(_ first: Int) -> OutputColumns { OutputColumns(output: 0, first: first, tableWidth: width) }
        return DetectionLayout(
            name: name,
            form: .selected(boxes: columns(boxes), classes: columns(classes), scores: columns(scores), count: nil),
            decoding: .coordinates(.corners), unit: .sharesOrPixels(.corners), usualThreshold: 0.25)
    }

    /// A score for each class in each cell.
    /// - Parameter sides: How many pixels a cell may be wide and high.
    private func grid(sides: [Int]) -> DetectionLayout? {
        guard let inputSize, outputs.count == 1 else { return nil }
        let shape = outputs[0].shape
        guard shape.count == 4, shape[0] == 1, (1...inputSize.height).contains(shape[1]),
            (1...inputSize.width).contains(shape[2]), shape[3] > 1,
            let side = sides.first(where: { shape[1] * $0 == inputSize.height }),
            shape[2] * side == inputSize.width
        else { return nil }
        return DetectionLayout(
            name: .fomo,
            form: .grid(output: 0, columnCount: shape[2], rowCount: shape[1], classCount: shape[3]),
            usualThreshold: 0.5)
    }
}
