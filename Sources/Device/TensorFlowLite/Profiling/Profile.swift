/// How long the operators of a model took, from ``Interpreter/profile(_:)``.
public struct Profile: Sendable, Equatable, Codable {
    /// The number of runs that succeeded.
    public let invocationCount: Int

    /// By total time, the longest first.
    public let operators: [OperatorTiming]
}

/// How long one operator took.
///
/// The engine measures in whole microseconds, rounded down: operators that take less count as 0.
public struct OperatorTiming: Sendable, Equatable, Codable {
    /// The operator's name in the model, such as `CONV_2D`; of delegated ones the kernel's, such as
    /// `Convolution (NHWC, F32) IGEMM`.
    public let name: String

    /// The operator's number in its subgraph; of delegated ones its place in the piece of the model that XNNPACK runs,
    /// which has no fixed relation to that number. Two of one name and number are counted together: those of two such
    /// pieces, or of two subgraphs.
    public let nodeIndex: Int

    /// Whether XNNPACK or an accelerator ran it.
    public let isDelegated: Bool

    /// How often it was run; more than once in each run of the model if in a loop.
    public let count: Int

    /// The time of all of them together.
    public let total: Duration

    /// The shortest of them.
    public let minimum: Duration

    /// The longest of them.
    public let maximum: Duration
}
