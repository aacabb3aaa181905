import CPostgres
import HearthStorage

/// What a refusal by the database means. An answer of libpq becomes a storage error only here.
struct PostgresFailure {
    let error: StorageError
    /// Whether the same transaction may succeed when it is repeated: another one came in between.
    var mustRepeat = false
    /// Whether the connection is over.
    var isLost = false

    /// - Parameters:
    ///   - state: five letters, as in the appendix "PostgreSQL Error Codes" of its manual.
    ///   - operation: completes "Cannot …".
    init(state: String, message: String, _ operation: String) {
        let text = "Cannot \(operation): \(message)"
        switch state {
        case "40001", "40P01", "55P03":
            mustRepeat = true
            error = StorageError(.unavailable, text)
        case "53100":
            error = StorageError(.noSpace, text)
        // The server stops, starts, or is a standby that only reads.
        case "57P01", "57P02", "57P03", "25006":
            isLost = true
            error = StorageError(.unavailable, text)
        // A key or a row beyond PostgreSQL's limits.
        case "54000", "54001", "54011":
            error = StorageError(.tooLarge, text)
        // A statement that took too long, and shortages of the server.
        case "57014", "57P05", "25P03":
            error = StorageError(.unavailable, text)
        case "XX001", "XX002":
            error = StorageError(.corrupt, text)
        case let state where state.hasPrefix("08"):
            isLost = true
            error = StorageError(.unavailable, text)
        case let state where state.hasPrefix("53"):
            error = StorageError(.unavailable, text)
        case let state where state.hasPrefix("23"):
            error = StorageError(.conflict, text)
        default:
            error = StorageError(.io, "\(text) (\(state))")
        }
    }

    /// The connection ended, or the server does not answer.
    init(lost message: String) {
        isLost = true
        error = StorageError(.unavailable, message)
    }
}
