import HearthModelFile

/// The names of a detection model's classes. Pure.
///
/// Label files of detectors may begin with a line for the background, which the model's classes do not count, so that
/// class 0 is line 1. Where the model says how many classes it has, the count of lines decides; else a first line
/// `background`.
struct DetectionLabels: Sendable {
    /// How many classes the model scores, where that is known.
    enum ClassCount: Sendable {
        case unknown
        /// Classes of chosen boxes: the background is none of them.
        case chosen(Int)
        /// Classes of places, of which the first may be the background.
        case places(Int)
    }

    private let map: LabelMap?
    /// The line of class 0.
    let offset: Int
    /// Whether class 0 stands for the background.
    let hasBackgroundClass: Bool

    private static let background = "background"

    /// - Parameter offset: The line of class 0, when the caller knows better.
    /// - Throws: when the labels cannot be those of the classes.
    init(_ map: LabelMap?, _ classCount: ClassCount, offset: Int? = nil) throws {
        self.map = map
        self.offset = try offset ?? map.map { try Self.offset($0, classCount) } ?? 0
        if case .places = classCount, let map {
            hasBackgroundClass = self.offset == -1 || (self.offset == 0 && map.className(0) == Self.background)
        } else {
            hasBackgroundClass = false
        }
    }

    /// The label's text for people; empty when there is none.
    func text(ofClass index: Int) -> String {
        let (line, overflow) = index.addingReportingOverflow(offset)
        guard !overflow, let text = map?.displayName(line) else { return "" }
        return PythonBytes.text(of: text) ?? text
    }

    private static func offset(_ map: LabelMap, _ classCount: ClassCount) throws -> Int {
        switch classCount {
        case .unknown: return map.className(0) == background ? 1 : 0
        case .chosen(let count), .places(let count):
            if map.count == count { return 0 }
            if map.count == count + 1 { return 1 }
            if case .places = classCount, map.count == count - 1 { return -1 }
            throw VisionError.make(
                .failedPrecondition,
                """
                The model has \(count) classes, but its label file has \(map.count) labels; to use them all the same, \
                say in the options which line is class 0.
                """)
        }
    }
}
