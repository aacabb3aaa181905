import CLiteRT
import HearthModelFile

/// Owns a `LiteRtModel` and keeps what it stands on: the file's bytes, which the library reads in place, and the
/// environment. Both are released after the model, because a deinit runs before the properties go.
final class LoadedModel {
    let environment: RuntimeEnvironment
    let handle: LiteRtModel
    let bytes: ModelBytes

    init(_ bytes: ModelBytes, environment: RuntimeEnvironment, log: RuntimeLog) throws(RuntimeFailure) {
        var created: LiteRtModel?
        let status = log.listening { Self.load(bytes, environment, &created) }
        guard status == kLiteRtStatusOk, let created else {
            throw RuntimeFailure(
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
        // From memory only: the library verifies what it reads from a buffer, but not what it reads from a file.
        LiteRtCreateModelFromBuffer(environment.handle, bytes.baseAddress, bytes.count, &created)
    }

    private static func reason(_ bytes: ModelBytes, _ environment: RuntimeEnvironment) -> String {
        FailureReason.ofRepeating {
            var created: LiteRtModel?
            if load(bytes, environment, &created) == kLiteRtStatusOk { LiteRtDestroyModel(created) }
        }
    }
}
