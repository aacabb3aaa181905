import Foundation
import HearthCrypto
import HearthModelFile

/// One model's file in a weight cache, for one compilation.
///
/// The engine writes a missing file in place, where other processes may read it, and ends the process when the disk is
/// full. So the engine only sees a complete file, or a file in memory to build, which is copied to the folder
/// afterwards.
final class WeightCacheFile {
    private let finalPath: String
    /// The file that the engine builds; nil when it reads one. Lives as long as the model compiled with it, because the
    /// engine refers to the file by the descriptor's number.
    private let built: MemoryFile?
    private let log: RuntimeLog

    /// The file that the engine reads or writes.
    var path: String { built?.path ?? finalPath }

    /// nil when there is nothing to cache, or when the folder cannot be used.
    init?(for model: ModelBytes, options: Interpreter.Options, log: RuntimeLog) {
        guard let cache = options.weightCache, options.kernelMode == .xnnPack, options.accelerator == .cpu else {
            return nil
        }
        if let problem = WeightCacheFolder.problem(with: cache.directory) {
            log.warning("The weight cache '\(cache.directory)' is not used: \(problem).")
            return nil
        }
        WeightCacheFolder.removeStaleFiles(in: cache.directory)
        finalPath = "\(cache.directory)/\(Self.name(for: model, cache))"
        self.log = log
        do {
            let isComplete = WeightCacheHeader.isComplete(finalPath)
            built = isComplete ? nil : try MemoryFile(capacity: Self.capacity(for: model))
        } catch {
            log.warning(
                "The weight cache '\(cache.directory)' is not used: no in-memory file could be created (\(error)).")
            return nil
        }
    }

    /// Copies what the engine built to the folder, and replaces a damaged file there. Call it after the compilation,
    /// which completes the file. If it fails, the model works without the cache.
    func saveBuiltFile() {
        guard let built, WeightCacheHeader.isComplete(built.descriptor) else { return }
        do {
            try write(built)
        } catch {
            log.warning("The weight cache file '\(finalPath)' cannot be written: \(error).")
        }
    }

    private func write(_ built: MemoryFile) throws(SystemError) {
        let temporaryPath = WeightCacheName.temporary(for: finalPath)
        let descriptor = try SystemError.check(
            open(temporaryPath, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600))
        do {
            defer { close(descriptor) }
            try built.copy(to: descriptor)
            // Sets the mode explicitly, because the process's umask may have removed bits from it.
            try SystemError.check(fchmod(descriptor, 0o600))
            try SystemError.check(fsync(descriptor))
            try SystemError.check(rename(temporaryPath, finalPath))
        } catch {
            unlink(temporaryPath)
            throw error
        }
    }

    /// XNNPACK's arrangement may be several times larger than the weights in the model, for example with those of four
    /// bits.
    private static func capacity(for model: ModelBytes) -> Int {
        // No overflow: the model is in memory, which ends far below an eighth of the range of `Int`.
        model.count * 8 + 1_048_576
    }

    private static func name(for model: ModelBytes, _ cache: WeightCache) -> String {
        let modelHash = cache.modelHash ?? model.withUnsafeBytes { SHA256Hasher.hash($0).hex }
        // The size distinguishes a model from the engine's forms of it that other versions of the interpreter produce.
        let rest = SHA256Hasher.hash(
            "litert \(Runtime.version), xnnpack default flags, \(ProcessorKind.text), \(model.count) bytes".utf8)
        return WeightCacheName.complete(modelHash: modelHash, rest: rest.hex.prefix(16))
    }
}

/// The first bytes of a weight cache file: the version, and the place and size of the table at its end, in 64 bits
/// each. The engine writes them last.
enum WeightCacheHeader {
    private static let byteCount = 32
    private static let version: UInt64 = 4

    /// Whether the file exists, is complete, has this engine's format, and can be written only by its owner.
    static func isComplete(_ path: String) -> Bool {
        let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid(),
            status.st_mode & 0o022 == 0
        else { return false }
        return isComplete(descriptor)
    }

    /// Whether an open file is complete and has this engine's format.
    static func isComplete(_ descriptor: Int32) -> Bool {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return false }
        var header = [UInt64](repeating: 0, count: byteCount / 8)
        let count = header.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, $0.count, 0) }
        guard count == byteCount, header[0] == version else { return false }
        let (end, overflow) = header[1].addingReportingOverflow(header[2])
        return !overflow && header[1] >= byteCount && header[2] > 0 && end == UInt64(status.st_size)
    }
}

/// The names of files in a weight cache's folder: `<hash>-<rest>.weights`, followed by `.<number>` while they are
/// written.
enum WeightCacheName {
    private static let marker = ".weights"
    private static let hashDigits = 64
    private static let restDigits = 16

    static func complete(modelHash: String, rest: some StringProtocol) -> String {
        "\(modelHash)-\(rest)\(marker)"
    }

    /// A different name for each call and each process.
    static func temporary(for path: String) -> String {
        "\(path).\(String(UInt64.random(in: .min ... .max), radix: 16))"
    }

    /// Whether a name is that of a file being written, in the form of this version or an earlier one.
    static func isTemporary(_ name: String) -> Bool {
        let parts = name.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 3, !parts[2].isEmpty, String(parts[1]) == String(marker.dropFirst()) else { return false }
        let digits = parts[0].split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        return digits.map(\.count) == [hashDigits, restDigits] && digits.joined().allSatisfy(isHexDigit)
    }

    private static func isHexDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
    }
}

/// What distinguishes processors for which XNNPACK arranges weights differently.
enum ProcessorKind {
    /// The architecture and, where the system lists them, the instruction sets.
    static let text: String = {
        let file = (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)) ?? ""
        let features = file.split(separator: "\n").first { $0.hasPrefix("flags") || $0.hasPrefix("Features") }
        return "\(architecture), \(features ?? "")"
    }()

    private static var architecture: String {
        #if arch(x86_64)
            "x86_64"
        #elseif arch(arm64)
            "arm64"
        #else
            "other"
        #endif
    }
}
