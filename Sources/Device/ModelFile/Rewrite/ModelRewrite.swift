/// Changes to a model for the engine that is to run it, collected first and then written as a new file.
///
/// ```swift
/// var rewrite = ModelRewrite(model)
/// rewrite.divertOutput(0, ofSubgraph: 0, toCustom: "Sink")
/// let changed = try rewrite.modelFile()
/// try changed.checkForLoading()
/// ```
///
/// The new file is a few new tables with the whole old file behind them, so numbers of tensors, operators and
/// subgraphs stay what they are, constants and metadata included; new ones are added at the end of each list. Files
/// that are appended as a zip are to be read from the old file: the zip's own offsets do not know of the change.
package struct ModelRewrite: Sendable {
    enum Change: Sendable {
        case replaceOperator(Int, subgraph: Int, code: String, inputs: [Int])
        case clearVariable(Int, subgraph: Int)
        case divertOutput(Int, subgraph: Int, code: String)
        case setSignatures([ModelGraph.Signature])
    }

    private let model: ModelFile
    private var changes: [Change] = []

    /// - Parameter model: What the changes start from. It stays as it is.
    package init(_ model: ModelFile) {
        self.model = model
    }

    /// Puts a custom operator in the place of an operator. Its outputs stay, its options and state are dropped.
    /// - Parameters:
    ///   - number: Index into the subgraph's operators.
    ///   - code: The custom operator's name, under which the engine looks for its kernel; its version is 1.
    ///   - inputs: Indices into the subgraph's tensors.
    package mutating func replaceOperator(
        _ number: Int, inSubgraph subgraph: Int, withCustom code: String, inputs: [Int]
    ) {
        changes.append(.replaceOperator(number, subgraph: subgraph, code: code, inputs: inputs))
    }

    /// Makes a variable tensor an ordinary one.
    /// - Parameter tensor: Index into the subgraph's tensors.
    package mutating func clearVariable(tensor: Int, inSubgraph subgraph: Int) {
        changes.append(.clearVariable(tensor, subgraph: subgraph))
    }

    /// Hands an output to a custom operator, with its shape: for an engine that cannot hand out a tensor whose size
    /// depends on data, or writes past the end of the memory it is given for it.
    ///
    /// The custom operator takes two tensors that are never empty, as engines may not pass on empty ones. As uint8, the
    /// bytes of the output's elements in row-major order, and one zero behind them. As int32, the output's dimensions:
    /// behind them the bytes of an element, or where an element has only one byte, before them 1. Its result, a uint8
    /// tensor of shape [1], takes the output's place among the outputs and in signatures.
    /// - Parameters:
    ///   - output: Index into the subgraph's list of outputs, of at most seven dimensions and of a type whose elements
    ///     have whole bytes. Only this place of the list changes, also where its tensor is listed again.
    ///   - code: The custom operator's name; its version is 1.
    package mutating func divertOutput(_ output: Int, ofSubgraph subgraph: Int, toCustom code: String) {
        changes.append(.divertOutput(output, subgraph: subgraph, code: code))
    }

    /// Replaces all signatures.
    /// - Parameter signatures: May be empty. Tensors are indices into the new file; changes that come later adjust them.
    package mutating func setSignatures(_ signatures: [ModelGraph.Signature]) {
        changes.append(.setSignatures(signatures))
    }

    /// Writes the new file and reads it again.
    /// - Returns: A model that shares no memory with the old one. As any other, it has to pass
    ///   ``ModelFile/checkForLoading(limits:)`` before an engine sees it.
    /// - Throws: `invalidRewrite` when a change names what the model does not have, `unsupported` when an output
    ///   cannot be diverted, `malformed` when the old file is damaged in a place that its reader passes over,
    ///   `tooLarge` when more than 1,000 outputs are to be diverted or the new file would have 2 GiB or more,
    ///   `unreadable` when there is not enough memory.
    package func modelFile() throws(ModelFileError) -> ModelFile {
        let source = try SourceTables(model.bytes)
        var plan = RewritePlan(model.graph, bufferCount: source.buffers.count, codeCount: source.codes.count)
        for change in changes { try plan.apply(change) }
        return try ModelFile(RewriteWriter(source: source, plan: plan).bytes(behind: model.bytes))
    }
}
