/// Writes the changes of a plan in front of the old file.
///
/// ```text
/// root offset | TFL3 | new tables, which refer to old ones | padding to a multiple of 64 | the old file
/// ```
///
/// Distances inside the old file stay valid. Offsets from the file's first byte are adjusted in the copy.
struct RewriteWriter {
    let source: SourceTables
    let plan: RewritePlan

    func bytes(behind old: ModelBytes) throws(ModelFileError) -> ModelBytes {
        let front = FlatWriter(try model(), identifier: "TFL3")
        let alignment = ModelBytes.alignment
        let shift = (front.bytes.count + alignment - 1) / alignment * alignment
        guard old.count <= ModelBytes.largestModel - shift else {
            throw ModelFileError(.tooLarge, "the model has no room left for changes: 2 GiB are the most")
        }
        let offsets = try source.absoluteOffsets()
        let cleared = try clearedBytes()
        return try ModelBytes(count: shift + old.count) { target in
            target.copyBytes(from: front.bytes)
            target[front.bytes.count..<shift].initializeMemory(as: UInt8.self, repeating: 0)
            old.withUnsafeBytes { UnsafeMutableRawBufferPointer(rebasing: target[shift...]).copyMemory(from: $0) }
            for reference in front.openReferences {
                let distance = UInt32(shift + reference.target - reference.slot)
                target.storeBytes(of: distance.littleEndian, toByteOffset: reference.slot, as: UInt32.self)
            }
            for (place, offset) in offsets {
                let moved = offset + UInt64(shift)
                target.storeBytes(of: moved.littleEndian, toByteOffset: shift + place, as: UInt64.self)
            }
            for place in cleared { target[shift + place] = 0 }
        }
    }

    /// The positions of the old file's marks for variable tensors that are variable no longer.
    private func clearedBytes() throws(ModelFileError) -> [Int] {
        var places: [Int] = []
        for (subgraph, changes) in plan.subgraphs.enumerated() {
            for tensor in changes.clearedTensors where tensor < source.subgraphs[subgraph].tensors.count {
                if let place = try source.tensor(tensor, inSubgraph: subgraph).fieldPosition(5, width: 1) {
                    places.append(place)
                }
            }
        }
        return places
    }

    // MARK: Model

    private func model() throws(ModelFileError) -> FlatValue {
        let old = source.model
        let version: UInt32 = try old.integer(0)
        var fields: [Int: FlatValue] = [0: .integer(version)]
        // Description, list of metadata buffers, external buffer groups, external buffers.
        for id in [3, 5, 8, 9] { fields[id] = try Self.kept(id, of: old) }
        fields[1] = try Self.extended(1, of: old, source.codes, by: plan.newCodes.map(Self.code))
        fields[2] = .vector(try source.subgraphs.indices.map(subgraph))
        fields[4] = try Self.extended(4, of: old, source.buffers, by: plan.newBuffers.map { .table([0: .bytes($0)]) })
        fields[6] = plan.newMetadata.isEmpty ? try Self.kept(6, of: old) : try metadata()
        fields[7] = plan.hasNewSignatures ? signatures() : try Self.kept(7, of: old)
        return .table(fields)
    }

    /// The old entries, with new ones in the places of those with the same name, because subgraphs refer to entries by
    /// their numbers.
    private func metadata() throws(ModelFileError) -> FlatValue {
        let names = try source.metadata.map { position throws(ModelFileError) in
            try source.metadataName(at: position)
        }
        let entries = zip(source.metadata, names).map { position, name in
            plan.newMetadata.first { $0.name == name }.map(Self.entry) ?? .existing(position)
        }
        return .vector(entries + plan.newMetadata.filter { !names.contains($0.name) }.map(Self.entry))
    }

    private static func entry(_ block: (name: String, buffer: Int)) -> FlatValue {
        .table([0: .string(block.name), 1: .integer(UInt32(block.buffer))])
    }

    private static func kept(_ id: Int, of table: FlatTable) throws(ModelFileError) -> FlatValue? {
        try table.target(id).map(FlatValue.existing)
    }

    /// The old vector or, if there are new tables, a vector of the old tables followed by the new ones.
    private static func extended(
        _ id: Int, of table: FlatTable, _ old: [Int], by new: [FlatValue]
    ) throws(ModelFileError) -> FlatValue? {
        new.isEmpty ? try kept(id, of: table) : .vector(old.map(FlatValue.existing) + new)
    }

    private static func code(_ code: RewritePlan.OperatorCode) -> FlatValue {
        // Field 0 is the number from the time when it fit into a byte: 127 means that field 3 has the number.
        var fields: [Int: FlatValue] = [
            0: .integer(Int8(clamping: code.builtin)), 2: .integer(Int32(1)), 3: .integer(Int32(code.builtin)),
        ]
        fields[1] = code.custom.map(FlatValue.string)
        return .table(fields)
    }

    private func signatures() -> FlatValue? {
        guard !plan.graph.signatures.isEmpty else { return nil }
        return .vector(
            plan.graph.signatures.map { signature in
                .table([
                    0: Self.names(signature.inputs), 1: Self.names(signature.outputs), 2: .string(signature.key),
                    4: .integer(UInt32(signature.subgraph)),
                ])
            })
    }

    private static func names(_ tensors: [ModelGraph.NamedTensor]) -> FlatValue {
        .vector(tensors.map { .table([0: .string($0.name), 1: .integer(UInt32($0.tensor))]) })
    }

    // MARK: Subgraphs

    private func subgraph(_ number: Int) throws(ModelFileError) -> FlatValue {
        let old = source.subgraphs[number]
        let changes = plan.subgraphs[number]
        guard changes.isChanged else { return .existing(old.position) }
        let graph = plan.graph.subgraphs[number]
        var fields: [Int: FlatValue] = [2: Self.indices(graph.outputs)]
        for id in [1, 4] { fields[id] = try Self.kept(id, of: old.table) }
        // The number of a metadata block for debuggers.
        if try old.table.fieldPosition(5, width: 4) != nil {
            let metadata: Int32 = try old.table.integer(5)
            fields[5] = .integer(metadata)
        }
        fields[0] = try tensors(of: number)
        fields[3] = .vector(
            try graph.operators.indices.map { index throws(ModelFileError) in
                (changes.precedingOperators[index] ?? []).map(Self.operation) + [try operation(index, of: number)]
                    + (changes.followingOperators[index] ?? []).map(Self.operation)
            }.flatMap(\.self))
        return .table(fields)
    }

    /// The vector of the file if all its tensors stay and none is added.
    private func tensors(of number: Int) throws(ModelFileError) -> FlatValue? {
        let old = source.subgraphs[number]
        let tensors = plan.graph.subgraphs[number].tensors
        let restated = plan.subgraphs[number].restatedTensors
        guard tensors.count > old.tensors.count || !restated.isEmpty else { return try Self.kept(0, of: old.table) }
        return .vector(
            try tensors.indices.map { index throws(ModelFileError) in
                guard index < old.tensors.count else { return tensor(index, in: number) }
                return restated.contains(index)
                    ? try restatedTensor(index, in: number) : .existing(old.tensors[index])
            })
    }

    private func operation(_ index: Int, of number: Int) throws(ModelFileError) -> FlatValue {
        let old = source.subgraphs[number]
        let changes = plan.subgraphs[number]
        let node = plan.graph.subgraphs[number].operators[index]
        guard index < old.operators.count, !changes.replacedOperators.contains(index) else {
            return Self.operation(node)
        }
        guard changes.reconnectedOperators.contains(index) else { return .existing(old.operators[index]) }
        let table = try source.operation(index, inSubgraph: number)
        var fields = Self.connections(of: node)
        for union in [3, 11] where try table.fieldPosition(union, width: 1) != nil {
            let kind: UInt8 = try table.integer(union)
            fields[union] = .integer(kind)
        }
        // Options, and the second kind of options.
        for id in [4, 12] { fields[id] = try Self.kept(id, of: table) }
        return .table(fields)
    }

    private static func connections(of node: ModelGraph.Operator) -> [Int: FlatValue] {
        [0: .integer(UInt32(node.codeIndex)), 1: indices(node.inputs), 2: indices(node.outputs)]
    }

    private static func operation(_ node: ModelGraph.Operator) -> FlatValue {
        var fields = connections(of: node)
        // The only new operator that needs more than its defaults: its options must state that it counts in int32.
        if node.builtinCode == shapeCode {
            fields[3] = .integer(shapeOptions)
            fields[4] = .table([0: .integer(ElementType.int32.rawValue)])
        }
        return .table(fields)
    }

    private static let shapeCode = BuiltinOperator.codes("SHAPE").first
    /// The type of SHAPE's options in the union of all options.
    private static let shapeOptions: UInt8 = 55

    private func tensor(_ number: Int, in subgraph: Int) -> FlatValue {
        var fields = fields(ofTensor: number, in: subgraph)
        fields[4] = plan.graph.subgraphs[subgraph].tensors[number].quantization.map(Self.quantization)
        return .table(fields)
    }

    private static func quantization(_ quantization: ModelGraph.Quantization) -> FlatValue {
        .table([
            2: .integers(quantization.scales.map { Int32(bitPattern: $0.bitPattern) }),
            3: .longIntegers(quantization.zeroPoints), 6: .integer(Int32(quantization.dimension)),
        ])
    }

    /// A tensor of the file under another shape.
    private func restatedTensor(_ number: Int, in subgraph: Int) throws(ModelFileError) -> FlatValue {
        let table = try source.tensor(number, inSubgraph: subgraph)
        var fields = fields(ofTensor: number, in: subgraph)
        // Quantization, layout of a sparse constant, tensors in a variant.
        for id in [4, 6, 9] { fields[id] = try Self.kept(id, of: table) }
        let tensor = plan.graph.subgraphs[subgraph].tensors[number]
        fields[5] = .integer(tensor.isVariable ? UInt8(1) : 0)
        if tensor.externalBuffer != 0 { fields[10] = .integer(UInt32(truncatingIfNeeded: tensor.externalBuffer)) }
        return .table(fields)
    }

    private func fields(ofTensor number: Int, in subgraph: Int) -> [Int: FlatValue] {
        let tensor = plan.graph.subgraphs[subgraph].tensors[number]
        var fields: [Int: FlatValue] = [
            0: Self.indices(tensor.shape), 1: .integer(tensor.type.rawValue), 2: .integer(UInt32(tensor.buffer)),
        ]
        fields[3] = tensor.name.map(FlatValue.string)
        fields[7] = tensor.shapeSignature.map(Self.indices)
        return fields
    }

    private static func indices(_ values: [Int]) -> FlatValue {
        .integers(values.map(Int32.init(truncatingIfNeeded:)))
    }
}
