/// A `.tflite` file whose structure was read with bounds checks.
public struct ModelFile: Sendable {
    /// The file's bytes; keep them for as long as an engine uses the model.
    public let bytes: ModelBytes

    /// What the file says about its subgraphs, tensors, operators and signatures.
    public let graph: ModelGraph

    /// Reads the whole structure.
    /// - Throws: `notAModel` when the bytes are something else, `malformed` when they are damaged.
    public init(_ bytes: ModelBytes) throws(ModelFileError) {
        self.bytes = bytes
        graph = try ModelGraphParser.parse(bytes)
    }

    /// The check to run before an engine sees the bytes.
    /// - Throws: `malformed` for files that could crash an engine, `unsupported` for what the engine refuses, `tooLarge`.
    public func checkForLoading(limits: ModelLimits = ModelLimits()) throws(ModelFileError) {
        try LoadingCheck(graph: graph, limits: limits).run()
    }
}
