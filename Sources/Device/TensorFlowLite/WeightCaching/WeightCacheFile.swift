import Foundation
import HearthCrypto
import HearthModelFile
import Synchronization

/// One model's file in a weight cache, for one compilation.
///
/// The engine writes a missing or damaged file in place, while others may read it. So it is only ever shown a file that
/// is complete, or one of its own to build, which gets its name once complete.
struct WeightCacheFile {
    /// What the engine is to read or to write.
    let path: String
    private let finalPath: String
    private let log: RuntimeLog

    /// nil when there is nothing to cache, or the folder cannot be used.
    init?(for model: ModelBytes, options: Interpreter.Options, log: RuntimeLog) {
        guard let cache = options.weightCache, options.kernelMode == .xnnPack, options.accelerator == .cpu else {
            return nil
        }
        if let problem = WeightCacheFolder.problem(with: cache.directory) {
            log.warning("The weight cache '\(cache.directory)' is not used: \(problem).")
            return nil
        }
        finalPath = "\(cache.directory)/\(Self.name(for: model, cache))"
        path = WeightCacheHeader.isComplete(finalPath) ? finalPath : "\(finalPath).\(getpid())-\(Self.takeNumber())"
        self.log = log
    }

    /// Gives a file that the engine built its name, which replaces a damaged one. To be called after the compilation,
    /// whether it succeeded or not.
    func keepWhatWasBuilt() {
        guard path != finalPath else { return }
        let isComplete = WeightCacheHeader.isComplete(path)
        if isComplete, chmod(path, 0o600) == 0, rename(path, finalPath) == 0 { return }
        if isComplete { log.warning("The weight cache file '\(finalPath)' cannot be written (errno \(errno)).") }
        unlink(path)
    }

    private static func name(for model: ModelBytes, _ cache: WeightCache) -> String {
        let modelHash = cache.modelHash ?? model.withUnsafeBytes { SHA256Hasher.hash($0).hex }
        // The size tells a model apart from what other versions of the interpreter make of it for the engine.
        let rest = SHA256Hasher.hash(
            "litert \(Runtime.version), xnnpack default flags, \(ProcessorKind.text), \(model.count) bytes".utf8)
        return "\(modelHash)-\(rest.hex.prefix(16)).weights"
    }

    private static let number = Atomic(0)

    private static func takeNumber() -> Int {
        number.wrappingAdd(1, ordering: .relaxed).newValue
    }
}
