/// What a model takes and gives, as the probe found it: the part of a version that people compare.
public struct ModelContract: Codable, Sendable, Equatable {
    /// An input or an output.
    public struct Tensor: Codable, Sendable, Equatable {
        /// The tensor's name.
        public var name: String
        /// Element type in the TensorFlow spelling: `float32`, `uint8`, …
        public var type: String
        /// Dimensions as the file states them; −1 where a dimension is open.
        public var shape: [Int]
        /// Real value = scale × (stored − zeroPoint); absent for tensors without per-tensor quantization.
        public var scale: Float?
        /// Absent like `scale`.
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
        /// How often the graph has it.
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
    /// Each once.
    public var operators: [Operator]
    /// Their names.
    public var signatures: [String]
    /// How many labels the file carries; absent when it carries none.
    public var labelCount: Int?
    /// Tells whether two versions have the same labels: SHA-256, as 64 lower-case hex digits, over the file's class
    /// names in their order, each as UTF-8 without its line end and followed by one LF. Absent when it carries none.
    public var labelsSHA256: String?
    /// Of the metadata, for people.
    public var title: String?
    /// Of the metadata, for people.
    public var summary: String?
    /// Of the metadata, for people.
    public var author: String?
    /// Of the metadata, for people.
    public var license: String?

    package init(inputs: [Tensor], outputs: [Tensor], operators: [Operator], signatures: [String]) {
        self.inputs = inputs
        self.outputs = outputs
        self.operators = operators
        self.signatures = signatures
    }
}

/// How `hearth probe` ends.
package enum ProbeExitCode {
    /// It could not look at the model at all, for reasons of the machine: no sandbox, not enough memory.
    package static let notRun: Int32 = 70
}

/// What `hearth probe` prints, as one JSON object on standard output, but for the figures: those are of a process of
/// their own, `hearth probe --measure`.
package struct ProbeReport: Codable, Sendable, Equatable {
    package enum Verdict: String, Codable, Sendable {
        case ok
        /// Well formed, but this engine cannot run it, or running it crashed here; other devices may.
        case unsupported
        case malformed
    }

    package var verdict: Verdict
    /// One line; absent with `ok`.
    package var message: String?
    /// Absent with `malformed`.
    package var contract: ModelContract?
    /// What running it took; only for models that could be run.
    package var figures: ModelMeasurements?
    /// One line: why a sound model has no figures.
    package var figuresNote: String?
    /// Of a malformed file: the check ran out of time, so another one may come to another verdict. The server tells, not
    /// the probe.
    package var ranOutOfTime: Bool?

    package init(verdict: Verdict, message: String? = nil, contract: ModelContract? = nil) {
        self.verdict = verdict
        self.message = message
        self.contract = contract
    }
}
