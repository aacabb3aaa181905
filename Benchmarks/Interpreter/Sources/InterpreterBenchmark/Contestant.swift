/// One way to run a model, made anew for each round. It does its loops itself, so that calling it costs nothing that
/// counts.
protocol Contestant: AnyObject {
    init(modelPath: String, threads: Int) throws

    /// Copies the inputs in, runs, and copies the outputs out.
    func runWithCopies(_ count: Int) throws

    /// Runs on what the inputs hold.
    func run(_ count: Int) throws

    /// The first output as it was copied out last.
    var output: [UInt8] { get }
}

/// What a contestant does in one call.
enum Work: String {
    case copies
    case run

    func `do`(_ count: Int, by contestant: any Contestant) throws {
        switch self {
        case .copies: try contestant.runWithCopies(count)
        case .run: try contestant.run(count)
        }
    }
}
