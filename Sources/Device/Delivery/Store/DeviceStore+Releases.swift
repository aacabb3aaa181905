import HearthCrypto
import HearthFiles

/// What the server's releases ask for without sending a file.
extension DeviceStore {
    /// Notes under which number the server knows the installed bytes now, and for which experiments it chose them.
    func note(_ model: CustomModel) throws(FileError) {
        let lock = try layout.lock()
        defer { withExtendedLifetime(lock) {} }
        guard var pointer = try pointers.pointer(model.name), pointer.current?.hash == model.hash else { return }
        pointer.current?.version = model.version
        pointer.current?.experiments = model.experiments
        try pointers.write(pointer)
    }

    /// The version before the installed one, verified, if it has these bytes. Hold the model's lock.
    func previous(_ digest: SHA256Digest, of name: String) throws(FileError) -> CustomModel? {
        guard let previous = try pointers.pointer(name)?.previous, previous.digest == digest else { return nil }
        return try open(previous, of: name)
    }

    /// Installs the version before the installed one again, and keeps the installed one, if that is whole, as the one before.
    /// Hold the model's lock.
    ///
    /// - Parameter mayWait: as for `begin`.
    /// - Returns: nil when the version before has other bytes, or is not whole.
    func goBack(
        to digest: SHA256Digest, of name: String, version: Int?, experiments: [ModelExperiment] = [],
        mayWait: (() -> Bool)? = nil
    ) throws(FileError) -> CustomModel? {
        // The slow part, before the lock.
        let seen = try pointers.pointer(name)?.current
        let isOldWhole = try seen.map { old throws(FileError) in try layout.wholeFile(old) != nil } ?? false

        let lock = try layout.lock(mayWait: mayWait)
        defer { withExtendedLifetime(lock) {} }
        guard var pointer = try pointers.pointer(name), var new = pointer.previous, new.digest == digest,
            let lease = try layout.wholeFile(new)
        else { return nil }
        new.version = version ?? new.version
        new.experiments = experiments
        pointer.previous = isOldWhole || pointer.current != seen ? pointer.current?.replaced : nil
        pointer.current = new
        pointer.aside.removeAll { $0.hash == new.hash }
        try pointers.write(pointer)
        let model = handOut(lease, new, of: name)
        tidyUp()
        return model
    }
}
