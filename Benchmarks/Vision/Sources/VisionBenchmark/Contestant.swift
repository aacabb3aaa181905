/// One way from a photo to a result. It does its loops itself, so that calling it costs nothing that counts.
protocol Contestant: AnyObject {
    /// - Throws: also when there is no such work.
    func `do`(_ work: String, _ count: Int) throws

    /// What it found, in words.
    func output() throws -> String
}

/// What a contestant is opened with.
struct Job {
    enum Task: String {
        case labels
        case boxes
    }

    let task: Task
    let model: String
    let picture: String
    let threads: Int
    /// Width and height of the model's input.
    let side: Int
}
