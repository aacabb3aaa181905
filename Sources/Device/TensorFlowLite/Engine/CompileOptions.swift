import CLiteRT
import Foundation

/// Owns the `LiteRtOptions` of one compilation.
final class CompileOptions {
    let handle: LiteRtOptions

    /// Where kernels write the reason for a failure.
    enum ErrorReporter {
        /// To a buffer that the compiled model returns later.
        case buffer
        /// To the stream `stderr`, for compilations that fail and so leave no compiled model with a buffer.
        case standardError
    }

    /// - Parameters:
    ///   - kernels: Hearth's own operators. They must live as long as models compiled with these options.
    ///   - weightCachePath: A path without quotes and line breaks.
    init(
        _ options: Interpreter.Options, kernels: [CustomKernel], weightCachePath: String? = nil,
        errors: ErrorReporter = .buffer
    ) throws(EngineError) {
        var created: LiteRtOptions?
        try EngineError.check(LiteRtCreateOptions(&created), .create, "make options")
        guard let created else { throw EngineError(.create, "LiteRT did not create the options.") }
        handle = created
        try EngineError.check(
            LiteRtSetOptionsHardwareAccelerators(handle, options.accelerator.hardware), .create,
            "choose the accelerator")
        // The XNNPACK delegate reads its options under the first name. The kernels outside of it read them under the
        // second.
        let execution = [
            "num_threads = \(Self.threads(options.threadCount))", "kernel_mode = \"\(options.kernelMode.runtimeName)\"",
        ]
        try add("xnnpack", execution + (weightCachePath.map { ["weight_cache_file_path = \"\($0)\""] } ?? []))
        try add("cpu_delegate", execution)
        try add(
            "runtime_options_string",
            ["error_reporter_mode = \(errors == .buffer ? 2 : 0)", "enable_profiling = \(options.isProfilingEnabled)"])
        for kernel in kernels { try kernel.add(to: handle) }
    }

    deinit {
        LiteRtDestroyOptions(handle)
    }

    private func add(_ identifier: String, _ lines: [String]) throws(EngineError) {
        var options: LiteRtOpaqueOptions?
        let payload = strdup(lines.joined(separator: "\n"))
        let status = LiteRtCreateOpaqueOptions(identifier, payload, free, &options)
        if status != kLiteRtStatusOk { free(payload) }
        try EngineError.check(status, .create, "make options")
        try EngineError.check(LiteRtAddOpaqueOptions(handle, options), .create, "add options")
    }

    /// More threads than processors would only compete with each other by spinning.
    static func threads(_ wanted: Int?) -> Int {
        guard let wanted, wanted > 0 else { return 1 }
        return min(wanted, max(1, ProcessInfo.processInfo.activeProcessorCount))
    }
}

extension Interpreter.Options.KernelMode {
    fileprivate var runtimeName: String {
        switch self {
        case .xnnPack: "xnnpack"
        case .builtIn: "builtin"
        case .reference: "reference"
        }
    }
}
