/// How the two outputs of a detector without suppression become boxes: offsets from anchors, and scores by anchor. It is
/// the block `DETECTOR_METADATA` that MediaPipe's detectors carry in the metadata of their subgraph.
///
/// MediaPipe's face detectors have another block, `FACE_DETECTOR_METADATA`. That describes how to compute the anchors, and
/// is not read.
package struct DetectorMetadata: Sendable, Hashable {
    /// A box that the model's offsets refer to, in shares of the image's sides.
    package struct Anchor: Sendable, Hashable {
        package var centerX: Float
        package var centerY: Float
        package var width: Float
        package var height: Float

        package init(centerX: Float, centerY: Float, width: Float, height: Float) {
            self.centerX = centerX
            self.centerY = centerY
            self.width = width
            self.height = height
        }
    }

    /// One anchor for each box. Empty if the block has none.
    package var anchors: [Anchor]
    /// The number of scores of each box.
    package var classCount: Int
    package var boxCount: Int
    /// How many numbers the model returns for each box: those of the box itself and of its key points.
    package var coordinateCount: Int
    /// The position of the first key point among a box's numbers.
    package var keyPointOffset: Int
    package var keyPointCount: Int
    /// How many numbers each key point has.
    package var valuesPerKeyPoint: Int
    /// What the model's offsets are divided by before the anchor's size multiplies them.
    package var xScale: Float
    package var yScale: Float
    package var widthScale: Float
    package var heightScale: Float
    /// Whether the model returns the logarithms of sizes.
    package var hasExponentialSizes: Bool
    /// Whether the model returns scores before the sigmoid function.
    package var hasSigmoidScores: Bool
}

extension DetectorMetadata {
    /// The block's name among the custom blocks of a subgraph.
    package static let blockName = "DETECTOR_METADATA"

    /// The most anchors, and the most of everything that is counted.
    package static let largestCount = 1_000_000

    /// Reads the block of a subgraph; nil when it has none.
    /// - Throws: As ``init(block:)``.
    package init?(of subgraph: ModelMetadata.Subgraph) throws(ModelFileError) {
        guard let block = subgraph.customBlocks.first(where: { $0.name == Self.blockName }) else { return nil }
        try self.init(block: block.bytes)
    }

    /// Reads the block. Fields are those of the schema `object_detector_metadata_schema.fbs`.
    /// - Throws: `malformed` when the block is damaged or contradicts itself; `unsupported` when it has another form;
    ///   `tooLarge`.
    package init(block bytes: [UInt8]) throws(ModelFileError) {
        // An empty file is an error of its own, which would not say what is empty.
        let bytes = try ModelBytes(copying: bytes.isEmpty ? [0] : bytes)
        let buffer = FlatBuffer(
            bytes: bytes, range: 0..<bytes.count, name: Self.text,
            // The anchors, and the four tables around them.
            budget: ReadingBudget(tables: Self.largestCount + 4, bytes: 0))
        guard !buffer.hasIdentifier("FD01") else {
            throw ModelFileError(.unsupported, "\(Self.text) has the form of face detectors, which is not read")
        }
        guard buffer.hasIdentifier("V001") else { throw Self.damaged("it does not have the identifier V001") }
        let root = try buffer.root("detector's options")
        guard let decoding = try root.table(2, "decoding options") else {
            throw Self.damaged("it does not say how to decode boxes")
        }
        let list = try root.table(1, "anchor options")?.table(0, "list of anchors")
        try self.init(decoding, anchors: Self.anchors(list, in: buffer))
    }

    private init(_ table: FlatTable, anchors: [Anchor]) throws(ModelFileError) {
        self.anchors = anchors
        classCount = try Self.count(table, 0, "classes")
        boxCount = try Self.count(table, 1, "boxes")
        coordinateCount = try Self.count(table, 2, "coordinates")
        keyPointOffset = try Self.count(table, 3, "coordinates before the key points")
        keyPointCount = try Self.count(table, 4, "key points")
        valuesPerKeyPoint = try Self.count(table, 5, "values of a key point")
        xScale = try Self.scale(table, 6)
        yScale = try Self.scale(table, 7)
        widthScale = try Self.scale(table, 8)
        heightScale = try Self.scale(table, 9)
        hasExponentialSizes = try table.bool(10)
        hasSigmoidScores = try table.bool(11)
        try requireConsistency()
    }

    private func requireConsistency() throws(ModelFileError) {
        guard anchors.isEmpty || anchors.count == boxCount else {
            throw Self.damaged("it has \(anchors.count) anchors for \(boxCount) boxes")
        }
        guard classCount > 0, boxCount > 0, coordinateCount >= 4 else {
            throw Self.damaged(
                "it states \(classCount) classes and \(boxCount) boxes with \(coordinateCount) coordinates each")
        }
        // No overflow: each count is at most a million.
        guard keyPointCount == 0 || keyPointOffset + keyPointCount * valuesPerKeyPoint <= coordinateCount else {
            throw Self.damaged("its key points do not fit into \(coordinateCount) coordinates")
        }
    }

    private static func anchors(_ list: FlatTable?, in buffer: FlatBuffer) throws(ModelFileError) -> [Anchor] {
        guard let list else { return [] }
        let places = try list.targets(0, "anchor")
        guard places.count <= largestCount else {
            throw ModelFileError(.tooLarge, "\(text) has \(places.count) anchors; at most \(largestCount) are accepted")
        }
        return try places.map { place throws(ModelFileError) in
            let table = try FlatTable(buffer, at: place, "anchor")
            let anchor = Anchor(
                centerX: try table.float(0, default: 0), centerY: try table.float(1, default: 0),
                width: try table.float(2, default: 0), height: try table.float(3, default: 0))
            guard [anchor.centerX, anchor.centerY, anchor.width, anchor.height].allSatisfy(\.isFinite) else {
                throw damaged("an anchor has a number that is not finite")
            }
            return anchor
        }
    }

    private static func count(_ table: FlatTable, _ id: Int, _ what: String) throws(ModelFileError) -> Int {
        let count: Int32 = try table.integer(id)
        guard 0...largestCount ~= Int(count) else {
            throw damaged("it states \(count) \(what); 0 to \(largestCount) are possible")
        }
        return Int(count)
    }

    private static func scale(_ table: FlatTable, _ id: Int) throws(ModelFileError) -> Float {
        let scale = try table.float(id, default: 0)
        guard scale.isFinite, scale != 0 else { throw damaged("a scale is \(scale), by which nothing can be divided") }
        return scale
    }

    private static let text = "the detector's block in the metadata (\(blockName))"

    private static func damaged(_ reason: String) -> ModelFileError {
        ModelFileError(.malformed, "\(text) is damaged: \(reason)")
    }
}
