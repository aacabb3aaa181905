import HearthFiles
import Synchronization

/// A device's disk, which fails when a test wants it to. Use it from any thread.
public final class TestDisk: Sendable {
    private struct State {
        var fault: DiskFault?
        var roomBytes = 0
    }

    private let state = Mutex(State())

    init() {}

    /// From now on, in the place of what failed before.
    public func fail(with fault: DiskFault) {
        state.withLock { $0 = State(fault: fault, roomBytes: fault.roomBytes ?? 0) }
    }

    /// The disk works again.
    public func endFaults() { state.withLock { $0 = State() } }

    /// Before every change of the disk; `bytes` are to be written.
    func check(_ operation: String, _ path: String, bytes: Int = 0) throws(FileError) {
        let error: FileError? = state.withLock { state in
            guard let fault = state.fault else { return nil }
            if fault.roomBytes != nil, bytes <= state.roomBytes {
                state.roomBytes -= bytes
                return nil
            }
            return fault.error(operation, path)
        }
        if let error { throw error }
    }

    /// What the disk says is free; nil for the truth.
    var claimedFreeBytes: UInt64? { state.withLock { $0.fault?.freeBytes } }
}
