import Glibc
import HearthCatalog
import HearthCrypto
import HearthStorage
package import HearthWire

/// The validation of one file, from the pending row to the stored verdict.
struct ValidationCheck: Sendable {
    let metadata: any MetadataStore
    let blobs: any BlobStore
    let checker: any FileChecker
    let now: @Sendable () -> Timestamp

    /// Validates the file, unless it already has a verdict.
    ///
    /// - Throws: if the validation could not run, or its verdict could not be stored. Nothing has changed then.
    func run(_ sha256: String) throws {
        guard let validation = try metadata.read({ try $0.validation(sha256: sha256) }),
            validation.verdict == .pending
        else { return }
        let report = try report(on: sha256)
        try record(report, on: sha256)
    }

    /// Records that the server could not validate the file, for reasons other than the file: it stays pending and keeps
    /// its bytes. The next start, and the next upload of the file, validate it again.
    func giveUp(_ sha256: String) throws {
        let isGone = try SHA256Digest(hex: sha256).map { try blobs.size(of: $0) == nil } ?? true
        try metadata.write { store in
            guard var validation = try store.validation(sha256: sha256), validation.verdict == .pending else { return }
            validation.note = isGone ? Self.missingFileText : Self.notCheckedText
            try store.put(validation)
            try store.append(Self.entry(validation, atMicroseconds: now().microseconds))
        }
    }

    /// Makes those malformed files pending again of which another validation may think better.
    func renewProvisional() throws {
        let provisional = try metadata.read { try $0.validations().filter(\.isProvisional) }
        guard !provisional.isEmpty else { return }
        try metadata.write { store in
            for known in provisional where try store.validation(sha256: known.sha256) == known {
                try store.put(
                    Validation(
                        sha256: known.sha256, sizeBytes: known.sizeBytes, requestedMicroseconds: now().microseconds))
            }
        }
    }

    private static let notCheckedText =
        "This server could not run its check of the file; its log says why. It tries again at its next start, and when "
        + "the file is uploaded again."
    private static let missingFileText = "The uploaded file is not on the server's disk. Upload it again."

    private func report(on sha256: String) throws -> ProbeReport {
        guard let digest = SHA256Digest(hex: sha256), let blob = try open(digest) else {
            // A disk that is not mounted says nothing about the file, so there is no verdict.
            throw ProbeFailure("the file is missing from the server's folder of model files")
        }
        defer { close(blob.descriptor) }
        let report = try checker.report(descriptor: blob.descriptor)
        // A failing disk returns other bytes than the uploaded ones, so there is no verdict on them.
        if report.verdict == .malformed, report.ranOutOfTime != true, Self.hash(of: blob) != digest {
            throw ProbeFailure("the server's copy of the file is damaged, or cannot be read")
        }
        return report
    }

    /// Nil if the bytes cannot be read.
    private static func hash(of blob: OpenBlob) -> SHA256Digest? {
        var (hasher, offset) = (SHA256Hasher(), 0)
        var piece = [UInt8](repeating: 0, count: pieceBytes)
        while true {
            let count = pread(blob.descriptor, &piece, piece.count, offset)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return count == 0 ? hasher.finalize() : nil }
            piece.withUnsafeBytes { hasher.update(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
            offset += count
        }
    }

    private static let pieceBytes = 262_144

    private func open(_ digest: SHA256Digest) throws -> OpenBlob? {
        do throws(StorageError) {
            return try blobs.open(digest)
        } catch {
            guard error.code == .notFound else { throw error }
            return nil
        }
    }

    private func record(_ report: ProbeReport, on sha256: String) throws {
        let verdict: Verdict =
            switch report.verdict {
            case .ok: .ok
            case .unsupported: .unsupported(report.message ?? "")
            case .malformed: .malformed(report.message ?? "")
            }
        // A malformed file keeps its bytes: who uploaded it may want to read it, and maintenance removes unused uploads.
        try write(verdict, report, on: sha256)
    }

    /// Writes the verdict and all its consequences in one transaction. An existing verdict stays.
    private func write(_ verdict: Verdict, _ report: ProbeReport, on sha256: String) throws {
        let contract = try report.contract.map(Self.json)
        let figures = try Self.measurement(report).map(Self.json)
        try metadata.write { store in
            guard var validation = try store.validation(sha256: sha256), validation.verdict == .pending else { return }
            validation.verdict = verdict
            validation.note = nil
            validation.isProvisional = report.isProvisional
            validation.contractJSON = contract
            validation.measurementsJSON = figures
            validation.finishedMicroseconds = now().microseconds
            try store.put(validation)
            try store.append(Self.entry(validation, atMicroseconds: now().microseconds))
            for model in try store.modelsToPublish(sha256: sha256) { try publish(model, store) }
        }
    }

    private static func json(_ value: some Encodable) throws -> String {
        String(decoding: try WireJSON.encode(value), as: UTF8.self)
    }

    private static func measurement(_ report: ProbeReport) -> MeasurementReport? {
        report.figures.map { MeasurementReport(figures: $0) }
            ?? report.figuresNote.map { MeasurementReport(failure: $0) }
    }

    private func publish(_ model: Model, _ store: any MetadataWriter) throws {
        guard let known = try store.known(model.publishWhenValidated, of: model) else { return }
        // In the name of the account or token that created the version and asked for its release.
        let context = ModelLifecycle.Context(actor: known.version.createdBy, nowMicroseconds: now().microseconds)
        let state = try store.state(of: model, nowMicroseconds: context.nowMicroseconds)
        if let change = ModelLifecycle.validated(known, in: state, context: context) { try store.save(change) }
    }

    private static let actor = "hearth"

    private static func entry(_ validation: Validation, atMicroseconds: Int64) -> AuditEntry {
        let detail =
            switch validation.verdict {
            case .pending: "pending: \(validation.note ?? "not checked yet")"
            case .ok: "ok"
            case .unsupported(let message): "unsupported: \(message)"
            case .malformed(let message): "malformed: \(message)"
            }
        return AuditEntry(
            projectID: "", actor: actor, action: "file.check", subject: "files/\(validation.sha256)", detail: detail,
            atMicroseconds: atMicroseconds)
    }
}

extension ProbeReport {
    /// Whether the verdict malformed may not be the last one: a zip may be packed.
    fileprivate var isProvisional: Bool { verdict == .malformed && (ranOutOfTime == true || isZip == true) }
}

/// Validates a file by its bytes.
package protocol FileChecker: Sendable {
    /// Blocks during the validation. The caller keeps the descriptor.
    ///
    /// - Throws: `ProbeFailure` if no validation could run. The cause is the machine, and not the file.
    func report(descriptor: Int32) throws(ProbeFailure) -> ProbeReport
}

extension ModelValidator: FileChecker {}
