import HearthModelFile

/// Layouts whose outputs have roles: boxes, classes, scores, count.
extension DetectionLayoutFinder {
    // MARK: Evidence

    var operatorRoles: [OutputRole: Int] {
        guard let outputs = postProcess?.outputs else { return [:] }
        return Self.roles(zip(OutputRole.allCases, outputs).compactMap { role, output in output.map { (role, $0) } })
    }

    var exportRoles: [OutputRole: Int] {
        guard let export else { return [:] }
        let names = outputs.map(\.name)
        let described = export.outputRepresentations.enumerated().compactMap { place, representation in
            OutputRole(exportName: representation).map { role in
                let name = export.outputNames.indices.contains(place) ? export.outputNames[place] : nil
                return (role, name.flatMap(names.firstIndex) ?? place)
            }
        }
        return Self.roles(described)
    }

    var metadataRoles: [OutputRole: Int] {
        guard let metadata else { return [:] }
        return MetadataRoles(metadata).roles.filter { outputs.indices.contains($0.value) }
    }

    private func roles(byName role: (String) -> OutputRole?) -> [OutputRole: Int] {
        Self.roles(names.enumerated().compactMap { index, name in role(name).map { ($0, index) } })
    }

    static func roles(_ pairs: [(OutputRole, Int)]) -> [OutputRole: Int] {
        Dictionary(pairs, uniquingKeysWith: { first, _ in first })
    }

    // MARK: Layouts

    func selected(_ roles: [OutputRole: Int], by evidence: Evidence) throws -> DetectionLayout? {
        guard let boxes = roles[.boxes], let classes = roles[.classes], let scores = roles[.scores],
            let boxCount = boxCount(boxes), elementCount(classes) == boxCount, elementCount(scores) == boxCount
        else { return nil }
        let count = roles[.count].flatMap { elementCount($0) == 1 ? $0 : nil }
        var layout = Self.selected(.ssd, boxes: boxes, classes: classes, scores: scores, count: count)
        if evidence != .operator, let coordinates = try coordinates(boxes) {
            layout.decoding = .coordinates(coordinates)
        }
        return layout
    }

    static func selected(
        _ name: BoxLayout, boxes: Int, classes: Int, scores: Int, count: Int?
    ) -> DetectionLayout {
        DetectionLayout(
            name: name,
            form: .selected(
                boxes: OutputColumns(output: boxes, tableWidth: 4), classes: OutputColumns(output: classes),
                scores: OutputColumns(output: scores), count: count))
    }

    /// When the model does not select the boxes, the metadata has to describe them, because there is no common form.
    func scored(_ roles: [OutputRole: Int]) throws -> DetectionLayout? {
        guard let boxes = roles[.boxes], let scores = roles[.scores], let coordinates = try coordinates(boxes) else {
            return nil
        }
        return scored(.ssdScores, boxes: boxes, scores: scores, .coordinates(coordinates))
    }

    /// - Returns: nil unless the shapes are `[1, N, 4]` or more numbers for a place, and `[1, N, C]`.
    func scored(
        _ name: BoxLayout, boxes: Int, scores: Int, _ decoding: BoxDecoding
    ) -> DetectionLayout? {
        guard outputs.indices.contains(boxes), outputs.indices.contains(scores), boxes != scores else { return nil }
        let (places, shape) = (outputs[boxes].shape, outputs[scores].shape)
        guard places.count == 3, places[0] == 1, places[1] > 0, places[2] >= 4, shape.count == 3, shape[0] == 1,
            shape[1] == places[1], shape[2] > 0
        else { return nil }
        return DetectionLayout(
            name: name,
            form: .scored(
                boxes: OutputColumns(output: boxes, tableWidth: places[2]), objectness: nil,
                scores: OutputColumns(output: scores, tableWidth: shape[2]), classCount: shape[2]),
            decoding: decoding)
    }

    /// The numbers are offsets from the anchors in a block of the metadata.
    func anchored() throws -> DetectionLayout? {
        guard let block = try metadata.flatMap({ try DetectorMetadata(of: $0) }) else { return nil }
        let roles = metadataRoles
        let boxes = roles[.boxes] ?? outputs.indices.first { outputs[$0].shape.last == block.coordinateCount } ?? 0
        let scores = roles[.scores] ?? outputs.indices.first { $0 != boxes } ?? 0
        guard var layout = scored(.anchors, boxes: boxes, scores: scores, .anchored(Anchors(block))) else {
            throw anchorsWithoutOutputs
        }
        layout.hasLogits = block.hasSigmoidScores
        // MediaPipe's detectors keep one box where several overlap, whatever their classes.
        layout.suppression = NonMaximumSuppression(overlapThreshold: 0.3, isPerClass: false)
        return layout
    }

    /// By the names of outputs that exporters always give with the same meaning.
    func named() throws -> DetectionLayout? {
        if let layout = customVision() { return layout }
        if let layout = try blazeFace() { return layout }
        // The boxes of TensorFlow's Object Detection API are always top, left, bottom, right.
        guard var layout = try selected(roles(byName: OutputRole.init(objectDetectionName:)), by: .names) else {
            return nil
        }
        if isObjectDetectionServer { layout.firstClass = .one }
        return layout
    }

    /// Whether it is the API's model for servers. That counts classes from 1, the API's models for TensorFlow Lite from
    /// 0.
    var isObjectDetectionServer: Bool {
        names.contains("detection_boxes") && names.contains { $0.hasPrefix("raw_detection_") }
    }

    private func customVision() -> DetectionLayout? {
        let roles = roles(byName: OutputRole.init(customVisionName:))
        guard let boxes = roles[.boxes], let classes = roles[.classes], let scores = roles[.scores],
            outputs[boxes].shape.count == 2, outputs[boxes].shape[1] == 4
        else { return nil }
        var layout = Self.selected(.customVision, boxes: boxes, classes: classes, scores: scores, count: nil)
        layout.decoding = .coordinates(.corners)
        return layout
    }

    private func blazeFace() throws -> DetectionLayout? {
        guard let boxes = names.firstIndex(where: { $0.hasPrefix("regressors") }),
            let scores = names.firstIndex(where: { $0.hasPrefix("classificators") })
        else { return nil }
        return try blazeFace(boxes: boxes, scores: scores)
    }

    func blazeFace(boxes: Int, scores: Int) throws -> DetectionLayout? {
        guard let inputSize, inputSize.width == inputSize.height,
            var layout = scored(.blazeFace, boxes: boxes, scores: scores, .coordinates(.corners))
        else { return nil }
        let shape = outputs[boxes].shape
        guard let model = GeneratedAnchorModel.known(inputSide: inputSize.width, placeCount: shape[1]),
            model.numberCount == shape[2]
        else { return nil }
        layout.decoding = .anchored(model.anchors)
        layout.hasLogits = true
        layout.suppression = NonMaximumSuppression(overlapThreshold: 0.3, isWeighted: true)
        layout.usualThreshold = 0.5
        return layout
    }

    func coordinates(_ output: Int) throws -> BoxCoordinates? {
        guard let tensors = metadata?.outputs, tensors.indices.contains(output),
            case .boundingBox(let properties) = tensors[output].content?.properties
        else { return nil }
        return try BoxCoordinates(properties, inputSize: inputSize)
    }
}
