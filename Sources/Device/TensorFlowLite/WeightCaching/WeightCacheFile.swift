import Foundation
import HearthCrypto
import HearthModelFile

/// One model's file in a weight cache, for one compilation.
///
/// The engine writes a missing file in place, where others may read it, and ends the process when the disk is full. So it
/// is only ever shown a file that is complete, or a file in memory to build, which is copied to the folder afterwards.
final class WeightCacheFile {
    private let finalPath: String
    /// What the engine builds; nil when it reads. Lives as long as the model compiled with it, because the engine knows
    /// the file by the descriptor's number.
    private let built: MemoryFile?
    private let log: RuntimeLog

    /// What the engine is to read or to write.
    var path: String { built?.path ?? finalPath }

    /// nil when there is nothing to cache, or the folder cannot be used.
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
            log.warning("The weight cache '\(cache.directory)' is not used: no file in memory can be made (\(error)).")
            return nil
        }
    }

    /// Puts what the engine built into the folder, in place of a damaged file if there is one. To be called after the
    /// compilation, which completes it. When that fails, the model goes on without.
    func keepWhatWasBuilt() {
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
            // Whatever the process takes away from the modes of new files.
            try SystemError.check(fchmod(descriptor, 0o600))
            try SystemError.check(fsync(descriptor))
            try SystemError.check(rename(temporaryPath, finalPath))
        } catch {
            unlink(temporaryPath)
            throw error
        }
    }

    /// Weights as XNNPACK arranges them may be a few times larger than in the model, such as those of four bits.
    private static func capacity(for model: ModelBytes) -> Int {
        // No overflow: the model is in memory, which ends far below an eighth of what an Int counts.
        model.count * 8 + 1_048_576
    }

    private static func name(for model: ModelBytes, _ cache: WeightCache) -> String {
        let modelHash = cache.modelHash ?? model.withUnsafeBytes { SHA256Hasher.hash($0).hex }
        // The size tells a model apart from what other versions of the interpreter make of it for the engine.
        let rest = SHA256Hasher.hash(
            "litert \(Runtime.version), xnnpack default flags, \(ProcessorKind.text), \(model.count) bytes".utf8)
        return WeightCacheName.complete(modelHash: modelHash, rest: rest.hex.prefix(16))
    }
}
