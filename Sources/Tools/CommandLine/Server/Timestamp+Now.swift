import Foundation
import HearthWire

extension Timestamp {
    /// This moment, by the machine's clock.
    static var now: Timestamp { Timestamp(microseconds: Int64(Date().timeIntervalSince1970 * 1_000_000)) }
}
