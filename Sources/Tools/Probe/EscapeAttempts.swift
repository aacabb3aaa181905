import Glibc
import HearthFiles
import HearthWire

/// Tries what a model in control of the probe would try, before and inside the sandbox. For the test of the sandbox.
package enum EscapeAttempts {
    struct Outcome: Codable {
        /// `ok`, or the system's reason.
        var before: String
        var inside: String
    }

    /// Prints a JSON object from attempt to outcome and ends the process. `paths` are files to open, such as the
    /// server's database.
    package static func run(paths: [String]) -> Never {
        let attempts = attempts(paths: paths)
        let before = attempts.map { $0.body() }
        do {
            try ProbeSandbox.enter()
        } catch {
            Probe.fail("\(error)")
        }
        var outcomes: [String: Outcome] = [:]
        for (index, attempt) in attempts.enumerated() {
            outcomes[attempt.name] = Outcome(before: before[index], inside: attempt.body())
        }
        _ = Descriptor.write((try? WireJSON.encode(outcomes)) ?? [], to: STDOUT_FILENO)
        exit(0)
    }

    private static func attempts(paths: [String]) -> [(name: String, body: () -> String)] {
        var attempts: [(name: String, body: () -> String)] = paths.map { path in
            ("open \(path)", { result(open(path, O_RDONLY | O_CLOEXEC)) { close($0) } })
        }
        attempts += [
            ("create a file", createFile),
            ("socket", { result(socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)) { close($0) } }),
            ("socket to a local server", { result(socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)) { close($0) } }),
            ("second descriptor", { result(dup(1)) { close($0) } }),
            ("start a program", { start("/bin/true") }),
            ("start a thread", startThread),
            ("signal another process", { result(kill(getppid(), 0)) { _ in } }),
            ("executable memory", { executableMemory() }),
        ]
        return attempts
    }

    private static func result(_ status: Int32, _ undo: (Int32) -> Void) -> String {
        guard status >= 0 else { return String(cString: strerror(errno)) }
        undo(status)
        return "ok"
    }

    private static func createFile() -> String {
        let path = "/tmp/hearth-escape-\(getpid())"
        return result(open(path, O_CREAT | O_EXCL | O_WRONLY, 0o600)) {
            close($0)
            unlink(path)
        }
    }

    private static func start(_ program: String) -> String {
        var child: pid_t = 0
        var arguments: [UnsafeMutablePointer<CChar>?] = [strdup(program), nil]
        defer { arguments.forEach { free($0) } }
        let status = posix_spawn(&child, program, nil, nil, &arguments, nil)
        guard status == 0 else { return String(cString: strerror(status)) }
        waitpid(child, nil, 0)
        return "ok"
    }

    private static func startThread() -> String {
        var thread = pthread_t()
        let status = pthread_create(&thread, nil, { _ in nil }, nil)
        guard status == 0 else { return String(cString: strerror(status)) }
        pthread_join(thread, nil)
        return "ok"
    }

    private static func executableMemory() -> String {
        let memory = mmap(nil, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        guard memory != MAP_FAILED else { return String(cString: strerror(errno)) }
        munmap(memory, 4096)
        return "ok"
    }
}
