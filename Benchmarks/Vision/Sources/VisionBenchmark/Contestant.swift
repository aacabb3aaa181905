/// One way from a photo to a result. It does its loops itself, so that calling it costs nothing that counts.
protocol Contestant: AnyObject {
    /// - Throws: also when there is no such work.
    func `do`(_ work: String, _ count: Int) throws

    /// What it found: of Hearth a JSON array of ``Found``, best first; of the floor, words.
    func output() throws -> String
}

/// What a contestant is opened with.
struct Job {
    enum Task: String {
        case labels
        case boxes
    }

    /// How a photo goes into a square input.
    enum Placement: String {
        case stretch
        case letterbox
    }

    /// What a byte of a photo is in the input.
    enum Values: String {
        case bytes
        /// The byte less 128.
        case int8
        case minusOneToOne = "-1..1"
        case zeroToOne = "0..1"

        /// In bytes.
        var size: Int {
            switch self {
            case .bytes, .int8: 1
            case .minusOneToOne, .zeroToOne: 4
            }
        }
    }

    let task: Task
    let model: String
    let picture: String
    let threads: Int
    /// Width and height of the model's input.
    let side: Int
    let placement: Placement
    let values: Values
    /// Boxes count above this score; nil for what is usual.
    let threshold: Float?
}

/// A label, or a box with its label.
struct Found: Encodable {
    let index: Int
    let text: String
    let score: Float
    /// Left, top, right, bottom, in pixels of the photo.
    var box: [Double]?
}
