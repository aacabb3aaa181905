import Foundation
import Synchronization

/// Turns the first SIGINT or SIGTERM into a cancellation; the next one ends the program at once.
final class Interruption: Sendable {
    let cancellation = Cancellation()
    private let caught = Mutex<StopSignals.Stop?>(nil)

    /// To be made before the threads that do the work, so that each of them inherits the blocked signals.
    init() {
        let signals = StopSignals()
        Thread { [self] in
            let stop = signals.wait()
            caught.withLock { $0 = stop }
            cancellation.cancel()
        }.start()
    }

    /// The signal that came; nil when none did.
    var stop: StopSignals.Stop? { caught.withLock { $0 } }
}
