extension LoadingCheck {
    /// R8, R10 and R14: every operator has the operands that its row of the table requires, and numbers in its options
    /// that it can compute with. Some kernels do not check before they follow a pointer, or before they read one type
    /// as another.
    func requireOperandsMatchTable() throws(ModelFileError) {
        try forEachOperator { subgraph, number, node throws(ModelFileError) in
            guard let ways = OperatorTable.needs(of: node.builtinCode) else { return }
            let match = OperandMatch(node: node, graph: graph.subgraphs[subgraph], bytes: bytes)
            var closest: OperandProblem?
            for way in ways {
                guard let problem = match.problem(with: way) else { return }
                if closest == nil || problem.progress > closest!.progress { closest = problem }
            }
            guard let closest else { return }
            let text = "\(graph.text(operator: number, in: subgraph)) \(closest.text)"
            throw closest.isMalformed ? Self.damaged(text) : Self.unsupported(text)
        }
    }
}

/// Why an operator does not fit one row of the table.
struct OperandProblem {
    /// How far the operator fitted. Of several rows, the error names the problem of the one that fitted furthest.
    let progress: Int
    let text: String
    /// Whether the model contradicts itself. Otherwise it is valid but needs something that the engine lacks.
    let isMalformed: Bool
}

/// Compares one operator with the rows for its kind.
struct OperandMatch {
    let node: ModelGraph.Operator
    let graph: ModelGraph.Subgraph
    let bytes: ModelBytes

    /// nil if the operator fits.
    func problem(with way: OperatorRequirement) -> OperandProblem? {
        if let problem = countProblem(way) { return problem }
        var seen = Bindings()
        for (list, needs, side) in [(node.inputs, way.inputs, "input"), (node.outputs, way.outputs, "output")] {
            for (place, number) in list.enumerated() {
                let need = needs[min(place, needs.count - 1)]
                let name = "\(side) \(place)"
                guard number != -1 else {
                    if need.isOptional { continue }
                    return OperandProblem(progress: seen.progress, text: "lacks its \(name)", isMalformed: true)
                }
                if let problem = problem(of: number, need, name, &seen) { return problem }
                seen.progress += 1
            }
        }
        return way.options.flatMap { optionProblem($0, seen.progress) }
    }

    /// The types and shapes that earlier operands set for their letter.
    private struct Bindings {
        // Begins at 1, so that an operator without operands fits better than one with a wrong count.
        var progress = 1
        var types: [Character: (type: ElementType, name: String)] = [:]
        var shapes: [Character: (shape: [Int], name: String)] = [:]
    }

    // MARK: Counts

    private func countProblem(_ way: OperatorRequirement) -> OperandProblem? {
        let (inputs, outputs) = (OperandCount(way.inputs), OperandCount(way.outputs))
        let (given, made) = (node.inputs.count, node.outputs.count)
        guard given >= inputs.minimum, made >= outputs.minimum else {
            return countProblem("it needs \(inputs.minimum) and \(outputs.minimum)", isMalformed: true)
        }
        guard given <= inputs.maximum, made <= outputs.maximum else {
            return countProblem("it takes \(inputs.mostText) and \(outputs.mostText)", isMalformed: false)
        }
        return nil
    }

    private func countProblem(_ text: String, isMalformed: Bool) -> OperandProblem {
        OperandProblem(
            progress: 0, text: "has \(node.inputs.count) inputs and \(node.outputs.count) outputs; \(text)",
            isMalformed: isMalformed)
    }

    private struct OperandCount {
        let minimum: Int
        let maximum: Int

        init(_ needs: [OperandRequirement]) {
            minimum = needs.reduce(0) { $0 + ($1.canEndBefore ? 0 : $1.minimumCount ?? 1) }
            maximum = needs.contains { $0.minimumCount != nil } ? Int.max : needs.count
        }

        var mostText: String { maximum == Int.max ? "any number" : "at most \(maximum)" }
    }

    // MARK: Operands

    private func problem(
        of number: Int, _ need: OperandRequirement, _ name: String, _ seen: inout Bindings
    ) -> OperandProblem? {
        let tensor = graph.tensors[number]
        func complain(_ text: String, isMalformed: Bool) -> OperandProblem {
            OperandProblem(progress: seen.progress, text: "\(text) as \(name)", isMalformed: isMalformed)
        }
        guard need.types.contains(tensor.type) else {
            return complain("cannot use \(tensor.type), only \(need.types.text),", isMalformed: false)
        }
        if let letter = need.typeVariable {
            let first = seen.types[letter] ?? (tensor.type, name)
            guard first.type == tensor.type else {
                return complain("has \(first.type) as \(first.name) but \(tensor.type)", isMalformed: false)
            }
            seen.types[letter] = first
        }
        if tensor.isBlockwise, need.scale == .ofTensor || need.scale == .ofChannels {
            return complain("has block-wise scales", isMalformed: false)
        }
        if tensor.quantization?.detailsKind == 3, need.scale != .any, need.scale != .none {
            return complain("has scales along several dimensions", isMalformed: false)
        }
        if let text = scaleProblem(of: tensor, need.scale) { return complain(text, isMalformed: true) }
        if let text = shapeProblem(of: tensor, need, isInput: graph.inputs.contains(number)) {
            return complain(text, isMalformed: false)
        }
        if let letter = need.shapeVariable, let shape = tensor.knownShape {
            let first = seen.shapes[letter] ?? (shape, name)
            guard first.shape == shape else {
                return complain("has \(first.shape) elements as \(first.name) but \(shape)", isMalformed: false)
            }
            seen.shapes[letter] = first
        }
        guard !need.isPositive || tensor.integers(in: bytes).allSatisfy({ $0 > 0 }) else {
            return complain("has a number that is not above 0", isMalformed: true)
        }
        return nil
    }

    private func scaleProblem(of tensor: ModelGraph.Tensor, _ scale: OperandRequirement.Scale) -> String? {
        if scale == .none {
            let zeroPoints = tensor.quantization?.zeroPoints ?? []
            return zeroPoints.allSatisfy { $0 == 0 } ? nil : "has a zero point"
        }
        guard scale != .any, [.int8, .uint8, .int16].contains(tensor.type) else { return nil }
        let count = tensor.quantization?.scales.count ?? 0
        guard count > 0 || tensor.isBlockwise else { return "has \(tensor.type) without a scale" }
        return count <= 1 || scale != .ofTensor ? nil : "has several scales for one tensor"
    }

    private func shapeProblem(of tensor: ModelGraph.Tensor, _ need: OperandRequirement, isInput: Bool) -> String? {
        // Kernels treat a graph's input without a shape as a scalar.
        guard let shape = isInput ? tensor.shape : tensor.knownShape else { return nil }
        if let rank = need.rank, !rank.contains(shape.count) {
            return "has a tensor of \(shape.count) dimensions"
        }
        if let elements = need.elements, let count = tensor.elementCount, !elements.contains(count) {
            return "has a tensor of \(count) elements"
        }
        return nil
    }

    // MARK: Options

    private func optionProblem(_ needs: OptionRequirement, _ progress: Int) -> OperandProblem? {
        for field in needs.fields {
            let number = node.optionNumbers[field.id] ?? field.defaultValue
            guard !field.range.contains(number) else { continue }
            let most = field.range.upperBound == Int(Int32.max) ? "more" : "\(field.range.upperBound)"
            return OperandProblem(
                progress: progress,
                text:
                    """
                    has \(number) in field \(field.id) of its options; \(field.range.lowerBound) to \(most) is \
                    allowed
                    """,
                isMalformed: true)
        }
        return nil
    }
}

extension ModelGraph.Tensor {
    /// The numbers of an integer constant in the file's bytes; empty for computed tensors and other types.
    func integers(in bytes: ModelBytes) -> [Int] {
        guard let place = data else { return [] }
        return bytes.withUnsafeBytes { all in
            switch type {
            case .int32:
                stride(from: place.lowerBound, to: place.upperBound - 3, by: 4).map {
                    Int(Int32(littleEndian: all.loadUnaligned(fromByteOffset: $0, as: Int32.self)))
                }
            case .int64:
                stride(from: place.lowerBound, to: place.upperBound - 7, by: 8).map {
                    Int(Int64(littleEndian: all.loadUnaligned(fromByteOffset: $0, as: Int64.self)))
                }
            default: []
            }
        }
    }

    /// The shape, if the file states it. An empty shape means a scalar only for a constant.
    var knownShape: [Int]? {
        !shape.isEmpty || data?.isEmpty == false ? shape : nil
    }

    /// nil when a dimension is dynamic, or when the number does not fit into an integer.
    var elementCount: Int? {
        guard !(shapeSignature ?? []).contains(-1) else { return nil }
        var count = 1
        for length in shape {
            let (product, overflows) = count.multipliedReportingOverflow(by: length)
            guard length >= 0, !overflows else { return nil }
            count = product
        }
        return count
    }
}
