extension LoadingCheck {
    /// R18: the engine's own custom operators have readable options, with numbers and operands that their kernels can
    /// compute with. Kernels follow the offsets in the options without a check.
    func requireReadableCustomOptions() throws(ModelFileError) {
        try forEachOperator { subgraph, number, node throws(ModelFileError) in
            guard node.builtinCode == BuiltinOperator.custom, let needs = CustomOperatorRequirement.all[node.name]
            else {
                return
            }
            let name = graph.text(operator: number, in: subgraph)
            let operands = node.inputs + node.outputs
            guard node.inputs.count == needs.inputs, node.outputs.count == needs.outputs, !operands.contains(-1) else {
                throw Self.damaged(
                    """
                    \(name) has \(node.inputs.count) inputs and \(node.outputs.count) outputs; \
                    it needs \(needs.inputs) and \(needs.outputs)
                    """)
            }
            let options = try FlexMap(
                node.customOptions.map { place in bytes.withUnsafeBytes { [UInt8]($0[place]) } } ?? [])
            if let problem = needs.problem(with: options) { throw Self.damaged("\(name) \(problem)") }
            let tensors = operands.map { graph.subgraphs[subgraph].tensors[$0] }
            let isConsistent =
                switch node.name {
                case DetectionPostProcess.name:
                    DetectionOperands(tensors, options).areConsistent(within: limits.totalTensorBytes)
                // The kernel halves its blocks down to one, and copies its input into the result in the shape that the
                // file declares.
                case CustomOperatorRequirement.rotation:
                    Int(options.numbers["hadamard_size", default: 0]).nonzeroBitCount == 1
                        && tensors[0].shape.count >= 2 && tensors[0].shape == tensors[1].shape
                        && [.float32, .int32].contains(tensors[0].type) && tensors[1].type.bitWidth == 32
                default: true
                }
            guard isConsistent else {
                throw Self.unsupported("\(name) has operands that do not fit each other or its options")
            }
        }
    }
}

/// What one of the engine's own custom operators needs: the number of its operands, and the numbers in its options.
struct CustomOperatorRequirement {
    let inputs: Int
    let outputs: Int
    /// Whole numbers that must be present.
    var requiredIntegers: [String: ClosedRange<Double>] = [:]
    /// Numbers that may be missing.
    var optionalNumbers: [String] = []

    /// A list of numbers that may be missing.
    var optionalNumberList: String?

    // Far above the values in any model, and far below what exhausts memory.
    private static let most = 1.0...65536

    static let rotation = "aeq.hadamard_rotation"

    static let all: [String: CustomOperatorRequirement] = [
        DetectionPostProcess.name: CustomOperatorRequirement(
            inputs: 3, outputs: 4,
            requiredIntegers: [
                "max_detections": 1...Double(1 << 24), "max_classes_per_detection": 1...Double(1 << 24),
                "num_classes": 1...Double(1 << 24),
            ],
            optionalNumbers: [
                "detections_per_class", "use_regular_nms", "nms_iou_threshold", "nms_score_threshold", "y_scale",
                "x_scale",
                "h_scale", "w_scale",
            ]),
        "AudioSpectrogram": CustomOperatorRequirement(
            inputs: 1, outputs: 1, requiredIntegers: ["window_size": most, "stride": 1...Double(Int32.max)],
            optionalNumbers: ["magnitude_squared"]),
        "Mfcc": CustomOperatorRequirement(
            inputs: 2, outputs: 1, requiredIntegers: ["filterbank_channel_count": most, "dct_coefficient_count": most],
            optionalNumbers: ["upper_frequency_limit", "lower_frequency_limit"]),
        Self.rotation: CustomOperatorRequirement(
            inputs: 1, outputs: 1, requiredIntegers: ["hadamard_size": most], optionalNumberList: "random_binary_vector"
        ),
        "NumericVerify": CustomOperatorRequirement(
            inputs: 2, outputs: 1, optionalNumbers: ["tolerance", "log_if_failed"]),
    ]

    /// nil if the options meet the requirements.
    func problem(with options: FlexMap) -> String? {
        guard options.hasSortedKeys else { return "has options whose keys are not in order" }
        if let key = (requiredIntegers.keys + optionalNumbers).sorted().first(where: options.nonNumericKeys.contains) {
            return "has an option \(key) that is not a number"
        }
        if let optionalNumberList, options.nestedKeys.contains(optionalNumberList) {
            return "has an option \(optionalNumberList) that is not a list of numbers"
        }
        if let key = requiredIntegers.keys.sorted().first(where: { options.numbers[$0] == nil }) {
            return "lacks its option \(key)"
        }
        for (key, range) in requiredIntegers.sorted(by: { $0.key < $1.key }) {
            let number = options.numbers[key]!
            guard range.contains(number), number.rounded() == number else {
                return
                    """
                    has \(number) as its option \(key), where it needs \(Int(range.lowerBound)) to \
                    \(Int(range.upperBound))
                    """
            }
        }
        return nil
    }
}

/// The operands of a detection model's last operator: coded boxes, scores of classes, anchors; and its four results.
private struct DetectionOperands {
    private let boxes, scores, anchors: ModelGraph.Tensor
    private let results: ArraySlice<ModelGraph.Tensor>
    private let options: FlexMap

    init(_ tensors: [ModelGraph.Tensor], _ options: FlexMap) {
        (boxes, scores, anchors) = (tensors[0], tensors[1], tensors[2])
        results = tensors[3...]
        self.options = options
    }

    /// The kernel reads an anchor of four numbers, with the boxes' type, for each box. It requests results with the
    /// length from the options, and does not notice when this fails.
    func areConsistent(within byteCount: Int) -> Bool {
        let types: [ElementType] = [.float32, .uint8]
        guard types.contains(boxes.type), types.contains(scores.type), anchors.type == boxes.type,
            results.allSatisfy({ $0.type == .float32 })
        else { return false }
        let length =
            options.numbers["max_detections", default: 0] * options.numbers["max_classes_per_detection", default: 0]
        guard length * 16 <= Double(min(byteCount, Int(Int32.max))) else { return false }
        guard boxes.shape.count == 3, let count = anchors.elementCount else { return true }
        return max(boxes.shape[1], 0) <= count / 4
    }
}
