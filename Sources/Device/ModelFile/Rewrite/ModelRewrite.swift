/// Changes to a model for the engine that is to run it. They are collected first and then written as a new file.
///
/// ```swift
/// var rewrite = ModelRewrite(model)
/// rewrite.divertOutput(0, ofSubgraph: 0, toCustom: "Sink")
/// let changed = try rewrite.modelFile()
/// try changed.checkForLoading()
/// ```
///
/// The new file consists of a few new tables followed by the whole old file. So the numbers of tensors, operators and
/// subgraphs do not change, nor do constants; new ones are added at the end of each list. Read files in an
/// appended zip from the old file, because the zip's own offsets are not adjusted.
package struct ModelRewrite: Sendable {
    enum Change: Sendable {
        case replaceOperator(Int, subgraph: Int, code: String, inputs: [Int])
        case clearVariable(Int, subgraph: Int)
        case restateShape(Int, subgraph: Int, shape: [Int], signature: [Int]?)
        case copyInput(Int, subgraph: Int)
        case reinterpretInput(Int, operator: Int, subgraph: Int, type: ElementType)
        case reinterpretOutput(Int, operator: Int, subgraph: Int, type: ElementType)
        case repeatScale(Int, operator: Int, subgraph: Int, dimension: Int)
        case divertOutput(Int, subgraph: Int, code: String)
        case setSignatures([ModelGraph.Signature])
        case setMetadata(name: String, [UInt8])
    }

    private let model: ModelFile
    private var changes: [Change] = []

    /// - Parameter model: The model to change. It remains unchanged.
    package init(_ model: ModelFile) {
        self.model = model
    }

    /// Replaces an operator by a custom operator. The outputs stay; options and state are dropped.
    /// - Parameters:
    ///   - number: The index into the subgraph's operators.
    ///   - code: The custom operator's name, by which the engine finds its kernel; its version is 1.
    ///   - inputs: Indices into the subgraph's tensors.
    package mutating func replaceOperator(
        _ number: Int, inSubgraph subgraph: Int, withCustom code: String, inputs: [Int]
    ) {
        changes.append(.replaceOperator(number, subgraph: subgraph, code: code, inputs: inputs))
    }

    /// Makes a variable tensor an ordinary one.
    /// - Parameter tensor: The index into the subgraph's tensors.
    package mutating func clearVariable(tensor: Int, inSubgraph subgraph: Int) {
        changes.append(.clearVariable(tensor, subgraph: subgraph))
    }

    /// States another shape for a tensor.
    /// - Parameters:
    ///   - tensor: The index into the subgraph's tensors.
    ///   - shape: The sizes, with 1 for each dynamic dimension. Empty for a shape that is not stated.
    ///   - signature: The sizes, with -1 for each dynamic dimension; nil if there is none.
    package mutating func restateShape(
        ofTensor tensor: Int, inSubgraph subgraph: Int, as shape: [Int], signature: [Int]?
    ) {
        changes.append(.restateShape(tensor, subgraph: subgraph, shape: shape, signature: signature))
    }

    /// Gives an operator a copy of its first input, with the same elements in one dimension.
    ///
    /// The engine learns the size of the copy only during the run. So the operator cannot work in the memory of the
    /// tensor that is copied.
    /// - Parameter number: The index into the subgraph's operators. The elements of its first input have 8, 16, 32 or
    ///   64 bits. Its own options stay.
    package mutating func copyInput(ofOperator number: Int, inSubgraph subgraph: Int) {
        changes.append(.copyInput(number, subgraph: subgraph))
    }

    /// Gives an operator the bits of an input as elements of another type.
    /// - Parameters:
    ///   - place: The index into the operator's inputs.
    ///   - number: The index into the subgraph's operators. Its own options stay.
    ///   - type: A type whose elements have as many bits.
    package mutating func reinterpretInput(
        _ place: Int, ofOperator number: Int, inSubgraph subgraph: Int, as type: ElementType
    ) {
        changes.append(.reinterpretInput(place, operator: number, subgraph: subgraph, type: type))
    }

    /// Has an operator compute elements of another type, into a tensor without a stated shape. Their bits become the
    /// output.
    /// - Parameters:
    ///   - place: The index into the operator's outputs.
    ///   - number: The index into the subgraph's operators. Its own options stay.
    ///   - type: A type whose elements have as many bits.
    package mutating func reinterpretOutput(
        _ place: Int, ofOperator number: Int, inSubgraph subgraph: Int, as type: ElementType
    ) {
        changes.append(.reinterpretOutput(place, operator: number, subgraph: subgraph, type: type))
    }

    /// Gives an operator a constant under a tensor of its own, with one scale and one zero point for each index of a
    /// dimension. All have the value of the one that the constant has in the file.
    /// - Parameters:
    ///   - place: The index into the operator's inputs.
    ///   - number: The index into the subgraph's operators. Its own options stay.
    ///   - dimension: The dimension of the constant.
    package mutating func repeatScale(
        ofInput place: Int, ofOperator number: Int, inSubgraph subgraph: Int, along dimension: Int
    ) {
        changes.append(.repeatScale(place, operator: number, subgraph: subgraph, dimension: dimension))
    }

    /// Passes an output to a custom operator, with its shape. This is for engines that cannot return a tensor whose
    /// size depends on data, or that write past the end of its memory.
    ///
    /// The custom operator receives two tensors. They are never empty, because engines may not pass on empty tensors.
    /// - As uint8: the bytes of the output's elements in row-major order, followed by one zero.
    /// - As int32: the output's dimensions, followed by the number of bytes of an element. If an element has only one
    ///   byte, a 1 before the dimensions replaces that number.
    ///
    /// Its result, a uint8 tensor of shape [1], replaces the output in the list of outputs and in signatures.
    /// - Parameters:
    ///   - output: The index into the subgraph's list of outputs. The output has at most seven dimensions and a type
    ///     whose elements have whole bytes. Only this entry of the list changes, even if its tensor is listed again.
    ///   - code: The custom operator's name; its version is 1.
    package mutating func divertOutput(_ output: Int, ofSubgraph subgraph: Int, toCustom code: String) {
        changes.append(.divertOutput(output, subgraph: subgraph, code: code))
    }

    /// Replaces all signatures.
    /// - Parameter signatures: May be empty. Tensors are indices into the new file; later changes adjust them.
    package mutating func setSignatures(_ signatures: [ModelGraph.Signature]) {
        changes.append(.setSignatures(signatures))
    }

    /// Gives the model a block of metadata, in place of all that it has under this name.
    ///
    /// The old block's bytes stay in the file, and only the list of blocks no longer refers to them.
    /// - Parameters:
    ///   - name: Such as ``ModelMetadata/blockName``.
    ///   - bytes: The block. In the new file it is aligned to 16 bytes.
    package mutating func setMetadata(_ name: String, _ bytes: [UInt8]) {
        changes.append(.setMetadata(name: name, bytes))
    }

    /// Writes the new file and parses it.
    /// - Returns: A model that shares no memory with the old one. Like any other, it must pass
    ///   ``ModelFile/checkForLoading(limits:)`` before an engine reads it.
    /// - Throws: `invalidRewrite` when a change names something that the model lacks, `unsupported` when an output
    ///   cannot be diverted or an input cannot be copied, `malformed` when the old file is damaged in a place that its
    ///   parser does not read, `tooLarge` when more than 1,000 outputs are to be diverted, when more than 1,000 inputs
    ///   are to be copied, when more than 1,048,576 scales are to be written or when the new file would have 2 GiB or more,
    ///   `unreadable` when there is not enough memory.
    package func modelFile() throws(ModelFileError) -> ModelFile {
        let source = try SourceTables(model.bytes)
        var plan = RewritePlan(model.graph, bufferCount: source.buffers.count, codeCount: source.codes.count)
        for change in changes { try plan.apply(change) }
        return try ModelFile(RewriteWriter(source: source, plan: plan).bytes(behind: model.bytes))
    }
}
