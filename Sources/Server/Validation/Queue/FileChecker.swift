public import HearthWire

/// Says what a file is, from its bytes.
public protocol FileChecker: Sendable {
    /// Blocks for as long as the check takes. The descriptor stays the caller's.
    ///
    /// - Throws: `ValidationError` when no check could be run at all: the machine's fault, not the file's.
    func report(descriptor: Int32) throws(ValidationError) -> ProbeReport
}

extension ModelValidator: FileChecker {}
