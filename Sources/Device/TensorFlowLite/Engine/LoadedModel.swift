import CLiteRT
import Foundation
import HearthModelFile

/// Owns a `LiteRtModel` and keeps what it depends on: the file's bytes, which the library reads in place, and the
/// environment. Both are released after the model, because a deinit runs before the properties are released.
final class LoadedModel {
    let environment: RuntimeEnvironment
    let handle: LiteRtModel
    let bytes: ModelBytes

    init(_ bytes: ModelBytes, environment: RuntimeEnvironment, log: RuntimeLog) throws(EngineError) {
        var created: LiteRtModel?
        let status = log.capturingOutput { Self.load(bytes, environment, &created) }
        guard status == kLiteRtStatusOk, let created else {
            throw EngineError(
                .load, call: "load the model", status: status, report: Self.reason(bytes, environment))
        }
        self.environment = environment
        self.bytes = bytes
        handle = created
    }

    deinit {
        LiteRtDestroyModel(handle)
    }

    private static func load(
        _ bytes: ModelBytes, _ environment: RuntimeEnvironment, _ created: inout LiteRtModel?
    ) -> LiteRtStatus {
        // Always from memory: the library verifies models that it reads from a buffer, but not those that it reads from
        // a file.
        LiteRtCreateModelFromBuffer(environment.handle, bytes.baseAddress, bytes.count, &created)
    }

    private static func reason(_ bytes: ModelBytes, _ environment: RuntimeEnvironment) -> String {
        FailureReason.byRetrying {
            var created: LiteRtModel?
            if load(bytes, environment, &created) == kLiteRtStatusOk { LiteRtDestroyModel(created) }
        }
    }
}
