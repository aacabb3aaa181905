/// What several servers have seen, until all of them have sent what they saw at that time. One thread at a time.
///
/// Each server sends what it saw in ten seconds as one piece, and all servers begin pieces at the same times. Pieces of the
/// same ten seconds are taken out together, their observations in the order of time.
package struct SettlingObservations: Sendable {
    /// The length of a piece, in seconds.
    package static let pieceSeconds: Int64 = 10

    private var pieces: [Int64: [(id: Int64, observations: [RolloutObservation])]] = [:]

    package init() {}

    package var isEmpty: Bool { pieces.isEmpty }

    /// The number of the piece to which an observation of that second belongs.
    package static func piece(atSeconds seconds: Int64) -> Int64 { seconds / pieceSeconds }

    package mutating func add(_ observations: [RolloutObservation], id: Int64) {
        let number = observations.first.map { Self.piece(atSeconds: $0.seconds) } ?? .min
        pieces[number, default: []].append((id, observations))
    }

    /// Takes out the pieces that ended before that second, and those of the future: the clock of their server is wrong, and
    /// nothing else comes for that time.
    ///
    /// - Returns: their ids, and their observations, earliest first.
    package mutating func take(
        endedBefore seconds: Int64, atSeconds now: Int64
    ) -> (ids: [Int64], observations: [RolloutObservation]) {
        var (ids, observations): ([Int64], [RolloutObservation]) = ([], [])
        let last = Self.piece(atSeconds: seconds)
        let present = Self.piece(atSeconds: now)
        for number in pieces.keys.sorted() where number < last || number > present + 1 {
            for piece in pieces.removeValue(forKey: number) ?? [] {
                ids.append(piece.id)
                observations += piece.observations
            }
        }
        // A stable order: servers keep the order of calls within a second.
        let order = observations.indices.sorted {
            (observations[$0].seconds, $0) < (observations[$1].seconds, $1)
        }
        return (ids, order.map { observations[$0] })
    }
}
