/// The body of an answer, piece by piece, with the points of holds and faults. Pure.
struct BodyStream {
    enum Event {
        case piece(ArraySlice<UInt8>)
        case hold
        case disconnect
        case stall
        case end
    }

    private let answer: HostAnswer
    private let pieceBytes: Int
    /// After how many bytes the transfer is held; nil when it is not to be held, or was held.
    private var holdPoint: Int?
    private(set) var sent = 0

    init(_ answer: HostAnswer, held holdPoint: Int?, pieceBytes: Int) {
        (self.answer, self.holdPoint, self.pieceBytes) = (answer, holdPoint, pieceBytes)
    }

    private var length: Int { answer.isEndless && !answer.body.isEmpty ? .max : answer.body.count }

    mutating func next() -> Event {
        if let point = holdPoint, sent >= min(point, length) {
            holdPoint = nil
            return .hold
        }
        if let point = answer.breaksAfter, sent >= point { return .disconnect }
        if let point = answer.stallsAfter, sent >= point { return .stall }
        guard sent < length else { return .end }
        let stop = [holdPoint, answer.breaksAfter, answer.stallsAfter, length].compactMap { $0 }.min() ?? length
        let start = sent % answer.body.count
        let count = min(stop - sent, answer.body.count - start, pieceBytes)
        sent += count
        return .piece(answer.body[start..<start + count])
    }
}
