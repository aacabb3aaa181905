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

    /// Reads the file at `path` into memory; it may change or go afterwards.
    /// - Throws: as ``ModelBytes/init(contentsOfFile:limitBytes:)`` and ``init(_:)``.
    public init(contentsOfFile path: String, limitBytes: Int = ModelBytes.largestModel) throws(ModelFileError) {
        try self.init(ModelBytes(contentsOfFile: path, limitBytes: limitBytes))
    }

    /// Maps the file at `path`, which must never be written to again: read the warning at
    /// ``ModelBytes/init(mappingImmutableFile:limitBytes:)``.
    /// - Throws: as ``ModelBytes/init(mappingImmutableFile:limitBytes:)`` and ``init(_:)``.
    public init(mappingImmutableFile path: String, limitBytes: Int = ModelBytes.largestModel) throws(ModelFileError) {
        try self.init(ModelBytes(mappingImmutableFile: path, limitBytes: limitBytes))
    }

    /// The named ways to run the model, in file order; empty for models exported without.
    public var signatures: [ModelGraph.Signature] { graph.signatures }

    /// The check to run before an engine sees the bytes.
    /// - Throws: `malformed` for files that could crash an engine, `unsupported` for what the engine refuses, `tooLarge`.
    public func checkForLoading(limits: ModelLimits = ModelLimits()) throws(ModelFileError) {
        try LoadingCheck(graph: graph, limits: limits, bytes: bytes).run()
    }
}
