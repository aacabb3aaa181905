import Glibc
import HearthWire

/// Runs `hearth probe --pack` on an uploaded file, because the server itself never parses its bytes.
///
/// The process may be in the file's power. So nothing waits for it longer than it is told, and it passes on exactly as
/// many bytes as it announced. What it passes on is validated like any upload.
package struct BundlePacker {
    private let executable: String
    private let limits: PackLimits

    /// The longest wait before the next look at `isCancelled`.
    private static let stepSeconds = 0.2
    private static let pieceBytes = 64 << 10

    /// - Parameter executable: a program that packs a file when it is started as `PROGRAM probe --pack`.
    package init(executable: String, limits: PackLimits = PackLimits()) {
        self.executable = executable
        self.limits = limits
    }

    /// - Parameters:
    ///   - file: a descriptor, which the caller keeps.
    ///   - write: gets the packed model piece by piece. What it throws ends the process.
    /// - Throws: `ProbeFailure`, and what `write` throws.
    package func pack(
        _ file: Int32, isCancelled: () -> Bool, write: (UnsafeRawBufferPointer) throws -> Void
    ) throws -> PackQueue.PackedFile {
        let process = try ProbeProcess(executable: executable, arguments: ["probe", "--pack"], model: file)
        let deadline = ContinuousClock.now + .seconds(limits.wallSeconds)
        var received: [UInt8] = []
        /// False at the end of the output.
        func receive() throws -> Bool {
            received = try piece(of: process, before: deadline, isCancelled)
            return !received.isEmpty
        }

        var line: [UInt8] = []
        while true {
            guard try receive() else { throw try ending(of: process, before: deadline) ?? Self.unreadable }
            if let end = received.firstIndex(of: UInt8(ascii: "\n")) {
                line += received[..<end]
                received.removeFirst(end + 1)
                break
            }
            line += received
            guard line.count <= limits.lineBytes else { throw Self.unreadable }
        }
        guard let size = try size(from: line) else { return .isModel }

        var written = 0
        repeat {
            guard written + received.count <= size else { throw Self.unreadable }
            written += received.count
            try received.withUnsafeBytes { if !$0.isEmpty { try write($0) } }
        } while try receive()
        if let failure = try ending(of: process, before: deadline) { throw failure }
        guard written == size else { throw Self.unreadable }
        return .packed
    }

    /// Nil if the file needs no packing.
    private func size(from line: [UInt8]) throws(ProbeFailure) -> Int? {
        guard let report = try? WireJSON.decode(PackReport.self, from: line) else { throw Self.unreadable }
        if let failure = report.failure {
            var texts = ProbeLimits()
            texts.textCharacters = limits.textCharacters
            throw ProbeFailure(TextSanitizer(limits: texts).clean(failure), .model)
        }
        if report.isModel == true { return nil }
        guard let size = report.sizeBytes, size > 0 else { throw Self.unreadable }
        guard size <= limits.packedBytes else {
            throw ProbeFailure("It has \(size) bytes; at most \(limits.packedBytes) are accepted.", .model)
        }
        return size
    }

    private func piece(
        of process: ProbeProcess, before deadline: ContinuousClock.Instant, _ isCancelled: () -> Bool
    ) throws(ProbeFailure) -> [UInt8] {
        while true {
            if isCancelled() { throw .stopping }
            let left = (deadline - ContinuousClock.now) / .seconds(1)
            guard left > 0 else { throw tooSlow }
            let seconds = min(left, Self.stepSeconds)
            if let piece = process.readOutput(seconds: seconds, limitBytes: Self.pieceBytes) { return piece }
        }
    }

    /// Why the process, which has closed its output, did not end well; nil if it did.
    private func ending(
        of process: ProbeProcess, before deadline: ContinuousClock.Instant
    ) throws(ProbeFailure) -> ProbeFailure? {
        let left = max(0, (deadline - ContinuousClock.now) / .seconds(1))
        switch try process.wait(seconds: left, outputBytes: 0) {
        case .exited(0, _): return nil
        case .exited(ProbeExitCode.notRun, _), .exited(127, _):
            return ProbeFailure("This machine cannot pack files; `hearth probe --pack 3< ZIP` says what it lacks.")
        case .exited(let status, _): return Self.failure("The packing ended with exit code \(status).")
        case .killed(SIGXCPU): return Self.failure("The packing took too much processor time.")
        case .killed(let signal) where CrashSignals.all.contains(signal):
            return Self.failure(
                "The packing crashed (signal \(signal), \(String(cString: strsignal(signal)))); it may have needed too "
                    + "much memory.")
        case .killed(let signal):
            return Self.failure(
                "The packing was stopped (signal \(signal)): it took too much memory or processor time.")
        case .timedOut: return tooSlow
        case .outputTooLarge: return Self.unreadable
        }
    }

    private var tooSlow: ProbeFailure {
        Self.failure("Packing it took longer than \(Int(limits.wallSeconds)) seconds.")
    }

    private static func failure(_ text: String) -> ProbeFailure { ProbeFailure(text, .model) }

    private static let unreadable = failure("The packing gave no readable result.")
}
