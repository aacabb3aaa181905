import Dispatch

/// Where and when work runs. Tests bring one of their own, so that they need no clock.
public protocol WorkScheduler: Sendable {
    /// Runs it soon, never inside this call, on a thread that may wait.
    func run(_ work: @escaping @Sendable () -> Void)

    /// Runs it `seconds` from now, on a thread that may wait.
    func run(afterSeconds seconds: Double, _ work: @escaping @Sendable () -> Void)
}

/// Threads of their own, by Dispatch.
public struct DispatchScheduler: WorkScheduler {
    private let queue: DispatchQueue

    /// - Parameter label: names the threads in a debugger.
    public init(label: String) { queue = DispatchQueue(label: label, attributes: .concurrent) }

    public func run(_ work: @escaping @Sendable () -> Void) { queue.async(execute: work) }

    public func run(afterSeconds seconds: Double, _ work: @escaping @Sendable () -> Void) {
        queue.asyncAfter(deadline: .now() + seconds, execute: work)
    }
}
