import HearthCatalog
import HearthCrypto
import HearthHTTP
import HearthStorage
import HearthValidation
import HearthWire

/// Sees to it that the bytes of an upload are checked.
struct UploadCheck: Sendable {
    let services: Services

    /// The verdict on the bytes, which are looked at if nobody has yet. Blocks meanwhile.
    func verdict(on sha256: String) throws -> Validation {
        guard var validation = try services.metadata.read({ try $0.validation(sha256: sha256) }),
            let digest = SHA256Digest(hex: sha256)
        else { throw StorageError(.corrupt, "There is no verdict on the file \(sha256)") }
        guard validation.verdict == .pending else { return validation }
        let descriptor = OwnedDescriptor(takingOwnershipOf: try services.blobs.open(digest).descriptor)
        let report = try services.validator.report(descriptor: descriptor.rawValue)
        validation.verdict = Self.verdict(report)
        validation.contractJSON = try report.contract.map { String(decoding: try WireJSON.encode($0), as: UTF8.self) }
        validation.finishedMicroseconds = services.now().microseconds
        try services.metadata.write { try $0.put(validation) }
        // A malformed file is remembered by its hash and verdict; nobody can ever need its bytes.
        if !validation.verdict.isPublishable { try services.blobs.remove(digest) }
        return validation
    }

    private static func verdict(_ report: ProbeReport) -> Verdict {
        switch report.verdict {
        case .ok: .ok
        case .unsupported: .unsupported(report.message ?? "")
        case .malformed: .malformed(report.message ?? "")
        }
    }
}
