import HearthApp
import HearthFiles
import HearthTransport

/// One request for a model's file, or for the rest of it. Blocks.
struct FileTransfer {
    let link: DownloadRules.Link
    let file: PartialFile
    let settings: DeliverySettings
    let environment: DeviceEnvironment
    let attempts: FetchAttempts
    let progress: ByteProgress

    private static let maxRedirects = 3

    enum Outcome: Sendable, Equatable {
        /// All bytes are there. `isPieced`: some of them from an earlier request.
        case complete(isPieced: Bool)
        /// The link was refused.
        case badLink(DownloadRules.LinkState)
        /// The rest cannot be had: the bytes were forgotten, and the whole file is to be asked for.
        case askAnew
    }

    /// Ends a transfer at the head of its answer.
    private struct EndedEarly: Error {
        let outcome: Outcome
    }

    func run() throws(DownloadFailure) -> Outcome {
        // To open the file may have taken its time: the bytes of an earlier try were read.
        try attempts.check()
        guard file.size < link.size || link.size == 0 else {
            progress(file.size, link.size)
            return .complete(isPieced: true)
        }
        let rangeHeaders = ResumeRules.headers(size: file.size, validator: file.validator)
        var isPieced = false
        do {
            _ = try environment.transport.send(
                request(rangeHeaders),
                onHead: { head in isPieced = try begin(head, rangeHeaders) == .append },
                onBody: { bytes in
                    try file.write(bytes)
                    progress(file.size, link.size)
                })
        } catch {
            return try afterEnd(of: error)
        }
        guard file.size == link.size else {
            throw DownloadFailure(
                .truncated, "The answer ended after \(file.size) of \(link.size) bytes; the rest is asked for again.",
                error: .failedPrecondition, isTemporary: true)
        }
        return .complete(isPieced: isPieced)
    }

    private func request(_ rangeHeaders: [(String, String)]) -> TransportRequest {
        TransportRequest(
            url: link.url, headers: rangeHeaders, totalTimeoutSeconds: attempts.remainingSeconds,
            stallTimeoutSeconds: settings.stallSeconds, maxResponseBytes: link.size,
            maxBytesPerSecond: settings.maxBytesPerSecond, redirects: .followSameHost(max: Self.maxRedirects),
            cancellation: attempts.cancellation)
    }

    /// Decides by the head of the answer whether its body is the file. Throwing ends the transfer: no byte of an error page
    /// is read, however long it is.
    private func begin(
        _ head: TransportResponseHead, _ rangeHeaders: [(String, String)]
    ) throws -> ResumeRules.Step {
        let now = environment.clock.now()
        switch head.status {
        case 200...299, 416: break
        case 400:
            let state = DownloadRules.state(of: link, refusedBy: head, now: now)
            if state != .fresh { throw EndedEarly(outcome: .badLink(state)) }
            throw DownloadRules.fileFailure(head, now: now)
        default: throw DownloadRules.fileFailure(head, now: now)
        }
        let step = ResumeRules.afterHead(
            status: head.status, headers: head.headers, requested: rangeHeaders, size: file.size, total: link.size)
        switch step {
        case .append: progress(file.size, link.size)
        case .startOver(let validator):
            try DownloadRules.checkType(head, of: link)
            try DownloadRules.checkLength(head, of: link)
            try file.restart(validator: validator)
        case .askAnew:
            guard !rangeHeaders.isEmpty else { throw DownloadRules.fileFailure(head, now: now) }
            try file.restart(validator: nil)
            throw EndedEarly(outcome: .askAnew)
        }
        return step
    }

    private func afterEnd(of error: TransportError) throws(DownloadFailure) -> Outcome {
        switch error.cause {
        case let early as EndedEarly: return early.outcome
        case let failure as DownloadFailure: throw failure
        case let cause as FileError: throw failure(DownloadFailure(cause))
        default: throw failure(.aboutFile(error))
        }
    }

    /// Too many bytes: those that fitted are not the file's either.
    private func failure(_ failure: DownloadFailure) -> DownloadFailure {
        if failure.code == .tooLong { file.discard() }
        return failure
    }
}
