/// How a model was measured.
struct BenchSetting {
    /// As the user named it.
    var model: String
    var kernels: KernelChoice
    /// Those that a run used.
    var threads: Int
    var signature: String?
    /// Whether the user said how many runs.
    var isRunCountGiven: Bool
}
