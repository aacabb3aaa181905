import CLiteRT
import Foundation

/// Owns the `LiteRtOptions` that one compilation takes.
final class CompileOptions {
    let handle: LiteRtOptions

    init(threadCount: Int?, kernels: [CustomKernel]) throws(RuntimeFailure) {
        var created: LiteRtOptions?
        try RuntimeFailure.check(LiteRtCreateOptions(&created), .create, "make options")
        guard let created else { throw RuntimeFailure(.create, "LiteRT made no options.") }
        handle = created
        try RuntimeFailure.check(
            LiteRtSetOptionsHardwareAccelerators(handle, Int32(kLiteRtHwAcceleratorCpu)), .create, "choose the CPU")
        // The XNNPACK delegate reads its options under the first name, the kernels outside of it under the second.
        let threads = "num_threads = \(Self.threads(threadCount))"
        try add("xnnpack", threads)
        try add("cpu_delegate", threads)
        // Kernels report into a buffer that we ask for, not to standard error.
        try add("runtime_options_string", "error_reporter_mode = 2")
        for kernel in kernels { try kernel.add(to: handle) }
    }

    deinit {
        LiteRtDestroyOptions(handle)
    }

    private func add(_ identifier: String, _ text: String) throws(RuntimeFailure) {
        var options: LiteRtOpaqueOptions?
        let payload = strdup(text)
        let status = LiteRtCreateOpaqueOptions(identifier, payload, free, &options)
        if status != kLiteRtStatusOk { free(payload) }
        try RuntimeFailure.check(status, .create, "make options")
        try RuntimeFailure.check(LiteRtAddOpaqueOptions(handle, options), .create, "add options")
    }

    /// Threads beyond the processors would only spin against each other.
    private static func threads(_ wanted: Int?) -> Int {
        guard let wanted, wanted > 0 else { return 1 }
        return min(wanted, max(1, ProcessInfo.processInfo.activeProcessorCount))
    }
}
