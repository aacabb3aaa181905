/// Why the server is asked, as it is told.
enum FetchKind: Sendable, Equatable {
    case base
    /// After an update was announced; the attempt, from 1.
    case realtime(attempt: Int)

    var header: String {
        switch self {
        case .base: "BASE/1"
        case .realtime(let attempt): "REALTIME/\(attempt)"
        }
    }
}
