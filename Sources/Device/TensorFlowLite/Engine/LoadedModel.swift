import CLiteRT
import HearthModelFile

/// Owns a `LiteRtModel` and keeps what it stands on: the file's bytes, which the library reads in place, and the
/// environment. Both are released after the model, because a deinit runs before the properties go.
final class LoadedModel {
    let environment: RuntimeEnvironment
    let handle: LiteRtModel
    private let bytes: ModelBytes

    init(_ bytes: ModelBytes, environment: RuntimeEnvironment) throws(RuntimeFailure) {
        var created: LiteRtModel?
        // From memory only: the library verifies what it reads from a buffer, but not what it reads from a file.
        let status = LiteRtCreateModelFromBuffer(environment.handle, bytes.baseAddress, bytes.count, &created)
        try RuntimeFailure.check(status, .load, "load the model")
        guard let created else { throw RuntimeFailure(.load, call: "load the model", status: status) }
        self.environment = environment
        self.bytes = bytes
        handle = created
    }

    deinit {
        LiteRtDestroyModel(handle)
    }
}
