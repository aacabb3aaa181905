import Foundation
import HearthTestSupport
import HearthValidation
import HearthWire

/// A check that takes until the test opens the gate.
final class GatedChecker: FileChecker {
    private let gate = NSCondition()
    // Guarded by `gate`.
    nonisolated(unsafe) private var isOpen = false

    func report(descriptor: Int32) throws(ValidationError) -> ProbeReport {
        gate.lock()
        while !isOpen { gate.wait() }
        gate.unlock()
        return try StandInProbe.validator.report(descriptor: descriptor)
    }

    func open() {
        gate.lock()
        isOpen = true
        gate.broadcast()
        gate.unlock()
    }
}
