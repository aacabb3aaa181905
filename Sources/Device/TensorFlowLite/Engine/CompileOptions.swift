import CLiteRT
import Foundation

/// Owns the `LiteRtOptions` that one compilation takes.
final class CompileOptions {
    let handle: LiteRtOptions

    /// Where kernels say why they fail.
    enum ErrorReporter {
        /// To a buffer that we ask for.
        case buffer
        /// To the `stderr` stream: for compilations that fail, of which no buffer is left to ask.
        case standardError
    }

    /// - Parameters:
    ///   - kernels: Operators of ours, which must live as long as models compiled with these options.
    ///   - weightCachePath: Without quotes and line breaks.
    init(
        _ options: Interpreter.Options, kernels: [CustomKernel], weightCachePath: String? = nil,
        errors: ErrorReporter = .buffer
    ) throws(RuntimeFailure) {
        var created: LiteRtOptions?
        try RuntimeFailure.check(LiteRtCreateOptions(&created), .create, "make options")
        guard let created else { throw RuntimeFailure(.create, "LiteRT did not create the options.") }
        handle = created
        try RuntimeFailure.check(
            LiteRtSetOptionsHardwareAccelerators(handle, options.accelerator.hardware), .create,
            "choose the accelerator")
        // The XNNPACK delegate reads its options under the first name, the kernels outside of it under the second.
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

    private func add(_ identifier: String, _ lines: [String]) throws(RuntimeFailure) {
        var options: LiteRtOpaqueOptions?
        let payload = strdup(lines.joined(separator: "\n"))
        let status = LiteRtCreateOpaqueOptions(identifier, payload, free, &options)
        if status != kLiteRtStatusOk { free(payload) }
        try RuntimeFailure.check(status, .create, "make options")
        try RuntimeFailure.check(LiteRtAddOpaqueOptions(handle, options), .create, "add options")
    }

    /// Threads beyond the processors would only spin against each other.
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
