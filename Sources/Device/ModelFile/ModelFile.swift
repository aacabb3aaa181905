/// A `.tflite` file whose structure was read with bounds checks. Immutable, so any thread may use it.
public struct ModelFile: Sendable {
    /// The file's bytes. Keep them for as long as an engine uses the model.
    public let bytes: ModelBytes

    /// The file's subgraphs, tensors, operators and signatures.
    public let graph: ModelGraph

    /// Reads the whole structure.
    /// - Throws: `notAModel` when the bytes are something else, `malformed` when they are damaged.
    public init(_ bytes: ModelBytes) throws(ModelFileError) {
        self.bytes = bytes
        graph = try ModelGraphParser.parse(bytes)
    }

    /// Reads the file at `path` into memory; it may change or be deleted afterwards.
    /// - Throws: The errors of ``ModelBytes/init(contentsOfFile:limitBytes:)`` and ``init(_:)``.
    public init(contentsOfFile path: String, limitBytes: Int = ModelBytes.largestModel) throws(ModelFileError) {
        try self.init(ModelBytes(contentsOfFile: path, limitBytes: limitBytes))
    }

    /// Maps the file at `path`, which must never be written to again: read the warning at
    /// ``ModelBytes/init(mappingImmutableFile:limitBytes:)``.
    /// - Throws: The errors of ``ModelBytes/init(mappingImmutableFile:limitBytes:)`` and ``init(_:)``.
    public init(mappingImmutableFile path: String, limitBytes: Int = ModelBytes.largestModel) throws(ModelFileError) {
        try self.init(ModelBytes(mappingImmutableFile: path, limitBytes: limitBytes))
    }

    /// The named functions of the model, in file order; empty for models exported without signatures.
    public var signatures: [ModelGraph.Signature] { graph.signatures }

    /// Checks the model. Call it before an engine reads the bytes.
    /// - Throws: `malformed` for files that could crash an engine, `unsupported` for models that the engine refuses,
    ///   `tooLarge`.
    public func checkForLoading(limits: ModelLimits = ModelLimits()) throws(ModelFileError) {
        try LoadingCheck(graph: graph, limits: limits, bytes: bytes).run()
    }
}
