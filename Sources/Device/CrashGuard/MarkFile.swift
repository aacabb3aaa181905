import CCrashGuard
import HearthFiles

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The file that a process leaves about a version: `<hash>.<random>.mark`. The process holds its lock while it lives.
enum MarkFile {
    private static let ending = ".mark"
    private static let hashLength = 64

    static func newName(_ hash: String) -> String {
        hash + "." + String(UInt64.random(in: 0 ... .max), radix: 36) + ending
    }

    /// nil for other files.
    static func hash(of name: String) -> String? {
        let hash = String(name.prefix(hashLength))
        return name.hasSuffix(ending) && hash.utf8.count == hashLength ? hash : nil
    }

    /// Creates and locks the file. Hold the folder's lock.
    ///
    /// - Returns: A descriptor, which the caller closes; nil when the disk does not work.
    static func create(_ path: String) -> Int32? {
        let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return nil }
        // Written, not only reserved: a store into a mapped page that the disk has no room for would end the process.
        let zeros = [UInt8](repeating: 0, count: MemoryLayout<hearth_mark>.size)
        guard Descriptor.write(zeros, to: descriptor) == nil, flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            close(descriptor)
            unlink(path)
            return nil
        }
        return descriptor
    }

    static func close(_ descriptor: Int32) {
        #if canImport(Glibc)
            _ = Glibc.close(descriptor)
        #else
            _ = Darwin.close(descriptor)
        #endif
    }

    /// Whether the process that made the file still lives. Hold the folder's lock.
    static func isInUse(_ path: String) -> Bool { FileLease.isInUse(path) }

    /// How the process ended, or what it has done so far; nil when it died before it began.
    static func life(_ bytes: [UInt8]) -> TrialRecord.Life? {
        guard bytes.count >= MemoryLayout<hearth_mark>.size else { return nil }
        let mark = bytes.withUnsafeBytes { $0.loadUnaligned(as: hearth_mark.self) }
        guard mark.form == HEARTH_MARK_FORM else { return nil }
        return TrialRecord.Life(
            successes: Int(clamping: mark.successes), isRunning: mark.running > 0,
            crashSignal: mark.crash_signal == 0 ? nil : Int32(bitPattern: mark.crash_signal),
            isOrderly: mark.ended != 0)
    }
}

extension TrialRecord.Life {
    /// What the server hears of the end: the name of the signal, or `died`. nil when there is nothing to tell.
    func code(isOnTrial: Bool) -> String? {
        switch crashSignal {
        case SIGSEGV?: "SIGSEGV"
        case SIGBUS?: "SIGBUS"
        case SIGILL?: "SIGILL"
        case SIGFPE?: "SIGFPE"
        case SIGABRT?: "SIGABRT"
        case SIGTRAP?: "SIGTRAP"
        case .some(let other): "signal-\(other)"
        case nil: isOnTrial && isDeath ? "died" : nil
        }
    }
}
