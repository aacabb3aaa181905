import CLiteRT
import Foundation

/// Owns a `LiteRtEnvironment`, to which every model and compiled model refers.
///
/// Each interpreter has its own. It costs a tenth of a millisecond, and interpreters on different threads then share
/// only what the library itself protects.
final class RuntimeEnvironment {
    let handle: LiteRtEnvironment
    /// Lives as long as the environment, which may read the text later.
    private let libraryDirectoryText: UnsafeMutablePointer<CChar>?
    private let log: RuntimeLog

    init(_ options: Interpreter.Options, log: RuntimeLog) throws(EngineError) {
        guard !(options.acceleratorLibraryDirectory?.utf8.contains(0) ?? false) else {
            throw EngineError(
                .unsupported, "The accelerators' folder needs a path without NUL characters; choose another one.")
        }
        let libraryDirectoryText = options.acceleratorLibraryDirectory.flatMap { strdup($0) }
        var created: LiteRtEnvironment?
        let status = log.capturingOutput {
            LogSeverity.raised(to: options.logLevel) { severity in
                let options = Self.options(options.accelerator, severity, libraryDirectoryText)
                return LiteRtCreateEnvironment(Int32(options.count), options, &created)
            }
        }
        guard status == kLiteRtStatusOk, let created else {
            free(libraryDirectoryText)
            throw EngineError(.create, call: "start", status: status)
        }
        handle = created
        self.libraryDirectoryText = libraryDirectoryText
        self.log = log
        try requireAccelerator(options.accelerator, in: options.acceleratorLibraryDirectory)
    }

    deinit {
        log.capturingOutput { LiteRtDestroyEnvironment(handle) }
        free(libraryDirectoryText)
    }

    /// Without this check, the library would run the model on the CPU without an error.
    private func requireAccelerator(
        _ wanted: Interpreter.Options.Accelerator, in directory: String?
    ) throws(EngineError) {
        guard let advice = wanted.missingPlugInAdvice else { return }
        // The library registers an NPU for every folder, and searches the folder only later, which is too late for an
        // error.
        let files = directory.flatMap { try? FileManager.default.contentsOfDirectory(atPath: $0) } ?? []
        let hasDispatchLibrary = files.contains { $0.hasPrefix("libLiteRtDispatch") && $0.hasSuffix(".so") }
        if wanted == .npu && !hasDispatchLibrary { throw EngineError(.unsupported, advice) }
        var count = 0
        try EngineError.check(LiteRtGetNumAccelerators(handle, &count), .create, "list the accelerators")
        for index in 0..<count {
            var accelerator: LiteRtAccelerator?
            var hardware: Int32 = 0
            guard LiteRtGetAccelerator(handle, index, &accelerator) == kLiteRtStatusOk,
                LiteRtGetAcceleratorHardwareSupport(accelerator, &hardware) == kLiteRtStatusOk
            else { continue }
            if hardware & wanted.hardware & ~Int32(kLiteRtHwAcceleratorCpu) != 0 { return }
        }
        throw EngineError(.unsupported, advice)
    }

    private static func options(
        _ accelerator: Interpreter.Options.Accelerator, _ severity: Int64,
        _ libraryDirectory: UnsafeMutablePointer<CChar>?
    ) -> [LiteRtEnvOption] {
        var options = [
            // Avoids the search for plug-ins that the app did not choose, and warnings about missing ones.
            option(kLiteRtEnvOptionTagAutoRegisterAccelerators, Int64(accelerator.hardware)),
            option(kLiteRtEnvOptionTagMinLoggerSeverity, severity),
        ]
        if accelerator != .cpu, let libraryDirectory {
            options.append(option(kLiteRtEnvOptionTagRuntimeLibraryDir, libraryDirectory))
            options.append(option(kLiteRtEnvOptionTagDispatchLibraryDir, libraryDirectory))
        }
        return options
    }

    static func option(_ tag: some BinaryInteger, _ value: Int64) -> LiteRtEnvOption {
        var option = LiteRtEnvOption()
        option.tag = Int32(tag)
        option.value.type = Int32(kLiteRtAnyTypeInt)
        option.value.int_value = value
        return option
    }

    private static func option(_ tag: some BinaryInteger, _ value: UnsafeMutablePointer<CChar>) -> LiteRtEnvOption {
        var option = LiteRtEnvOption()
        option.tag = Int32(tag)
        option.value.type = Int32(kLiteRtAnyTypeString)
        option.value.str_value = UnsafePointer(value)
        return option
    }
}

extension Interpreter.Options.Accelerator {
    /// The library's bits for the accelerator. They include the CPU, which runs what the accelerator does not support.
    var hardware: Int32 {
        let bits =
            switch self {
            case .cpu: kLiteRtHwAcceleratorCpu
            case .gpu: kLiteRtHwAcceleratorGpu | kLiteRtHwAcceleratorCpu
            case .npu: kLiteRtHwAcceleratorNpu | kLiteRtHwAcceleratorCpu
            }
        return Int32(bits)
    }

    /// What to do when the accelerator's plug-in is missing; nil for the CPU, which needs none.
    fileprivate var missingPlugInAdvice: String? {
        switch self {
        case .cpu: nil
        case .gpu:
            "No plug-in for GPUs was found (libLiteRtWebGpuAccelerator.so or libLiteRtGpuAccelerator.so, from LiteRT's "
                + "Python package); name its folder in acceleratorLibraryDirectory, or use the accelerator .cpu."
        case .npu:
            "No plug-in for NPUs was found (libLiteRtDispatch_….so, from the NPU's vendor); name its folder in "
                + "acceleratorLibraryDirectory, or use the accelerator .cpu."
        }
    }
}
