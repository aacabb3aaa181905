import Foundation
import Glibc
import TensorFlowLite

/// A run of the real engine on two threads, in which a page of the input is missing: a fault of the engine on a thread that
/// the engine made.
struct EngineFault {
    private let interpreter: Interpreter

    /// - Parameter modelPath: A model that calculates each element of its output from one of its input, `[1, n, n, 3]`.
    init(modelPath: String) throws {
        var options = Interpreter.Options()
        options.threadCount = 2
        interpreter = try Interpreter(modelPath: modelPath, options: options)
        // Large, so that the calling thread is still at the first half when the other one begins with the second.
        try interpreter.resizeInput(at: 0, to: [1, 2048, 2048, 3])
        try interpreter.allocateTensors()
    }

    /// Does not return. If the calling thread comes to the page first, the program exits with 77, without a signal.
    func run() throws -> Never {
        CallingThread.set()
        let page = sysconf(Int32(_SC_PAGESIZE))
        try interpreter.withUnsafeMutableInputBytes(at: 0) { bytes in
            let second = UInt(bitPattern: bytes.baseAddress) + UInt(bytes.count / 2)
            let start = UnsafeMutableRawPointer(bitPattern: (second + UInt(page) - 1) / UInt(page) * UInt(page))
            guard mprotect(start, page, PROT_NONE) == 0 else { fatalError("mprotect failed") }
        }
        try interpreter.invoke()
        exit(78)
    }
}

/// Ends the program when the thread that called the engine crashes, before any other handler knows.
private enum CallingThread {
    // Safe: written once, before the handler that reads it is installed.
    nonisolated(unsafe) private static var thread = pthread_t()
    // Safe: written once, before the handler that reads it is installed.
    nonisolated(unsafe) private static var before = sigaction()

    static func set() {
        thread = pthread_self()
        sigaction(SIGSEGV, nil, &before)
        var action = sigaction()
        action.__sigaction_handler = .init(sa_sigaction: { signal, info, context in
            if pthread_equal(pthread_self(), CallingThread.thread) != 0 { _exit(77) }
            CallingThread.before.__sigaction_handler.sa_sigaction(signal, info, context)
        })
        action.sa_flags = SA_SIGINFO | SA_ONSTACK
        sigaction(SIGSEGV, &action, nil)
    }
}
