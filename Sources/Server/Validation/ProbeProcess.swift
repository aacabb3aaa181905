import CSpawn
import Glibc

/// One running probe. Owns the process and the pipe to its output; releasing it kills and reaps the process.
final class ProbeProcess {
    /// How a probe ended.
    enum Termination {
        case exited(Int32, output: [UInt8])
        case killed(signal: Int32)
        case timedOut
        case outputTooLarge
    }

    /// The descriptor at which the probe finds the model.
    static let modelDescriptor: Int32 = 3

    private let process: pid_t
    private let output: Int32
    private var isReaped = false
    /// What `wait` has collected so far, however the probe ended.
    private(set) var collected: [UInt8] = []

    /// Starts `executable` with an empty environment, its output in a pipe, and its errors on /dev/null.
    ///
    /// - Parameter input: what it finds as its standard input; nil for /dev/null. The caller keeps it.
    init(executable: String, arguments: [String], model: Int32, input: Int32? = nil) throws(ProbeFailure) {
        var ends: [Int32] = [-1, -1]
        guard pipe2(&ends, O_CLOEXEC) == 0 else { throw Self.failure("make a pipe", errno) }
        defer { close(ends[1]) }

        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        if let input {
            posix_spawn_file_actions_adddup2(&actions, input, 0)
        } else {
            posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        }
        posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
        posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, model, Self.modelDescriptor)
        posix_spawn_file_actions_addclosefrom_np(&actions, Self.modelDescriptor + 1)

        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        Self.resetSignals(&attributes)

        var arguments: [UnsafeMutablePointer<CChar>?] = (["hearth"] + arguments).map { strdup($0) } + [nil]
        var environment: [UnsafeMutablePointer<CChar>?] = [nil]
        defer { arguments.forEach { free($0) } }
        var process: pid_t = 0
        let status = posix_spawn(&process, executable, &actions, &attributes, &arguments, &environment)
        guard status == 0 else {
            close(ends[0])
            throw Self.failure("start \(executable)", status)
        }
        self.process = process
        output = ends[0]
    }

    /// Resets every signal to its default, because threads of this process block or ignore some, and a child inherits
    /// that.
    private static func resetSignals(_ attributes: inout posix_spawnattr_t) {
        var none = sigset_t()
        var all = sigset_t()
        sigemptyset(&none)
        sigfillset(&all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
    }

    deinit {
        close(output)
        if !isReaped {
            kill(process, SIGKILL)
            _ = reap()
        }
    }

    /// Collects the output until the probe closes it, and returns how the probe ended. Kills the probe when it exceeds
    /// a limit.
    ///
    /// - Throws: if the system does not report how the probe ended. That is a failure of the machine, and not of the
    ///   model.
    func wait(seconds: Double, outputBytes: Int) throws(ProbeFailure) -> Termination {
        let deadline = Self.now() + seconds
        var chunk = [UInt8](repeating: 0, count: 16_384)
        while true {
            let left = deadline - Self.now()
            guard left > 0 else { return end(as: .timedOut) }
            guard waitForOutput(seconds: left) else { continue }
            let count = chunk.withUnsafeMutableBytes { read(output, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            if count <= 0 { break }
            guard collected.count + count <= outputBytes else { return end(as: .outputTooLarge) }
            collected.append(contentsOf: chunk[..<count])
        }
        // The pipe is closed: the probe has ended, or it has closed its output to continue beyond its time.
        while Self.now() < deadline {
            switch reap(options: WNOHANG) {
            case .ended(let status): return Self.ending(status, collected)
            case .running: usleep(1000)
            case .lost(let number): throw Self.failure("wait for the probe", number)
            }
        }
        return end(as: .timedOut)
    }

    /// Reads what the probe has printed, as soon as there is something, but for `seconds` at most.
    ///
    /// - Returns: nil if nothing came; empty when the probe has closed its output.
    func readOutput(seconds: Double, limitBytes: Int) -> [UInt8]? {
        guard waitForOutput(seconds: seconds) else { return nil }
        var chunk = [UInt8](repeating: 0, count: limitBytes)
        let count = chunk.withUnsafeMutableBytes { read(output, $0.baseAddress, $0.count) }
        if count < 0, errno == EINTR { return nil }
        return Array(chunk[..<max(0, count)])
    }

    /// The processor time of all its threads so far; 0 if it has ended.
    var processorSeconds: Double {
        var clock = clockid_t()
        var time = timespec()
        guard clock_getcpuclockid(process, &clock) == 0, clock_gettime(clock, &time) == 0 else { return 0 }
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    /// Kills the probe.
    func end() { _ = end(as: .timedOut) }

    private func end(as ending: Termination) -> Termination {
        kill(process, SIGKILL)
        _ = reap()
        return ending
    }

    /// Whether output, or its end, has arrived; false after the time or a signal.
    private func waitForOutput(seconds: Double) -> Bool {
        var request = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
        return poll(&request, 1, Int32(min(seconds * 1000 + 1, 3_600_000))) > 0
    }

    /// The result of waiting for the process.
    private enum Reaping {
        case running
        case ended(status: Int32)
        /// The system does not know how it ended, for example because the parent of this process set SIGCHLD to be
        /// ignored.
        case lost(errno: Int32)
    }

    private func reap(options: Int32 = 0) -> Reaping {
        var status: Int32 = 0
        while true {
            let found = waitpid(process, &status, options)
            if found == 0 { return .running }
            if found < 0, errno == EINTR { continue }
            isReaped = true
            return found == process ? .ended(status: status) : .lost(errno: errno)
        }
    }

    /// Splits a wait status like `WIFEXITED` and the related macros, which Swift cannot call.
    private static func ending(_ status: Int32, _ output: [UInt8]) -> Termination {
        let signal = status & 0x7F
        return signal == 0 ? .exited((status >> 8) & 0xFF, output: output) : .killed(signal: signal)
    }

    private static func now() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    private static func failure(_ operation: String, _ number: Int32) -> ProbeFailure {
        ProbeFailure("Cannot check the model: cannot \(operation): \(String(cString: strerror(number)))")
    }
}

/// The signals that a process causes itself. Others come from outside, for example from the kernel when memory is
/// short.
enum CrashSignals {
    static let all: Set = [SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV, SIGSYS]
}
