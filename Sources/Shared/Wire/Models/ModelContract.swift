/// What a model takes and gives, as the probe found it. Readers compare it between versions.
public struct ModelContract: Codable, Sendable, Equatable {
    /// An input or an output.
    public struct Tensor: Codable, Sendable, Equatable {
        /// The tensor's name.
        public var name: String
        /// The element type in TensorFlow's spelling: `float32`, `uint8`, …
        public var type: String
        /// The dimensions as the file has them; −1 for an open dimension.
        public var shape: [Int]
        /// The real value is scale × (stored − zeroPoint). Absent for tensors without per-tensor quantization.
        public var scale: Float?
        /// See `scale`; absent with it.
        public var zeroPoint: Int64?

        package init(name: String, type: String, shape: [Int], scale: Float? = nil, zeroPoint: Int64? = nil) {
            self.name = name
            self.type = type
            self.shape = shape
            self.scale = scale
            self.zeroPoint = zeroPoint
        }
    }

    /// An operator of the graph.
    public struct Operator: Codable, Sendable, Equatable {
        /// Such as `CONV_2D`.
        public var name: String
        /// How often the graph contains it.
        public var count: Int

        package init(name: String, count: Int) {
            self.name = name
            self.count = count
        }
    }

    /// In their order.
    public var inputs: [Tensor]
    /// In their order.
    public var outputs: [Tensor]
    /// The operators, each once.
    public var operators: [Operator]
    /// The names of the signatures.
    public var signatures: [String]
    /// How many labels the file contains; absent when it contains none.
    public var labelCount: Int?
    /// A hash by which readers can tell whether two versions have the same labels: SHA-256, as 64 lower-case hex
    /// digits, of the file's class names in order, each as UTF-8 without its line end and followed by one LF. Absent
    /// when the file contains no labels.
    public var labelsSHA256: String?
    /// How images go in and what comes out; absent for models that take no image, and in reports of earlier versions.
    public var vision: Vision?
    /// From the metadata, for readers.
    public var title: String?
    /// From the metadata, for readers.
    public var summary: String?
    /// From the metadata, for readers.
    public var author: String?
    /// From the metadata, for readers.
    public var license: String?

    package init(inputs: [Tensor], outputs: [Tensor], operators: [Operator], signatures: [String]) {
        self.inputs = inputs
        self.outputs = outputs
        self.operators = operators
        self.signatures = signatures
    }
}

/// The exit codes of `hearth probe`.
package enum ProbeExitCode {
    /// The probe could not read the model because of the machine: no sandbox, or not enough memory.
    package static let notRun: Int32 = 70
}
