import HearthApp
import HearthClient
import HearthFiles
import HearthTransport

/// One request for a model's file, or for the missing part of it. Blocks.
struct FileDownload {
    let link: DownloadRules.Link
    let file: PartialFile
    let settings: DeliverySettings
    let environment: DeviceEnvironment
    let attempts: DownloadAttempts
    let progress: ByteProgress

    private static let maxRedirects = 3

    enum Outcome: Sendable, Equatable {
        /// All bytes have arrived. `isResumed`: some of them in an earlier request.
        case complete(isResumed: Bool)
        /// The host refused the link.
        case linkRefused(DownloadRules.LinkState)
        /// The host does not send the missing part: the bytes were deleted, and the next request must ask for the whole
        /// file.
        case requestWholeFile
    }

    /// Ends a transfer after the head of its answer.
    private struct EndedEarly: Error {
        let outcome: Outcome
    }

    func run() throws(DownloadFailure) -> Outcome {
        // The deadline may have passed while the bytes of an earlier attempt were read.
        try attempts.check()
        guard file.size < link.size || link.size == 0 else {
            progress(file.size, link.size)
            return .complete(isResumed: true)
        }
        let rangeHeaders = ResumeRules.headers(size: file.size, validator: file.validator)
        var isResumed = false
        do {
            _ = try environment.transport.send(
                request(rangeHeaders),
                onHead: { head in isResumed = try begin(head, rangeHeaders) == .append },
                onBody: { bytes in
                    try file.write(bytes)
                    progress(file.size, link.size)
                })
        } catch {
            return try afterEnd(of: error)
        }
        guard file.size == link.size else {
            throw DownloadFailure(
                .truncated,
                "The answer ended after \(file.size) of \(link.size) bytes; the next attempt resumes there.",
                error: .failedPrecondition, isTemporary: true)
        }
        return .complete(isResumed: isResumed)
    }

    private func request(_ rangeHeaders: [(String, String)]) -> TransportRequest {
        TransportRequest(
            url: link.url, headers: rangeHeaders, totalTimeoutSeconds: attempts.deadline.remainingSeconds,
            stallTimeoutSeconds: settings.stallSeconds, maxResponseBytes: link.size,
            maxBytesPerSecond: settings.maxBytesPerSecond, redirects: .followSameHost(max: Self.maxRedirects),
            cancellation: attempts.cancellation)
    }

    /// Decides by the head of the answer whether its body is the file. An error ends the transfer before the body, so
    /// that an error page is not read, no matter how long it is.
    private func begin(
        _ head: TransportResponseHead, _ rangeHeaders: [(String, String)]
    ) throws -> ResumeRules.Step {
        let now = environment.clock.now()
        switch head.status {
        case 200...299, 416: break
        case 400:
            let state = DownloadRules.state(of: link, refusedBy: head, now: now)
            if state != .fresh { throw EndedEarly(outcome: .linkRefused(state)) }
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
        case .requestWholeFile:
            guard !rangeHeaders.isEmpty else { throw DownloadRules.fileFailure(head, now: now) }
            try file.restart(validator: nil)
            throw EndedEarly(outcome: .requestWholeFile)
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

    /// If too many bytes arrived, the ones that fitted do not belong to the file either.
    private func failure(_ failure: DownloadFailure) -> DownloadFailure {
        if failure.code == .tooLong { file.discard() }
        return failure
    }
}

/// How a download resumes where an earlier one stopped: `Range` and `If-Range` of RFC 9110. Pure.
enum ResumeRules {
    /// What the head of the answer means for the bytes that have arrived.
    enum Step: Sendable, Equatable {
        /// The missing part follows.
        case append
        /// The whole file follows, from its first byte. `validator` is to be stored with it.
        case startOver(validator: String?)
        /// The answer is unusable: delete the bytes and request the whole file.
        case requestWholeFile
    }

    /// The headers that request the missing part of a file of which `size` bytes have arrived, on the condition that
    /// the file is unchanged. Empty when the earlier answer had no validator by which a host can check that.
    static func headers(size: UInt64, validator: String?) -> [(String, String)] {
        guard size > 0, let validator, isStrong(validator) else { return [] }
        return [("Range", "bytes=\(size)-"), ("If-Range", validator)]
    }

    /// The next step after the head of an answer.
    ///
    /// - Parameters:
    ///   - status: 200...299 or 416.
    ///   - requested: What ``headers(size:validator:)`` returned for the request.
    ///   - size: How many bytes have arrived.
    ///   - total: How many bytes the whole file has.
    static func afterHead(
        status: Int, headers: TransportHeaders, requested: [(String, String)], size: UInt64, total: UInt64
    ) -> Step {
        switch status {
        case 206:
            let validator = requested.first { $0.0 == "If-Range" }?.1
            let isSame = validator != nil && (headers["etag"] ?? validator) == validator
            return isSame && fits(headers["content-range"], size: size, total: total) ? .append : .requestWholeFile
        case 416: return .requestWholeFile
        default: return .startOver(validator: headers["etag"].flatMap { isStrong($0) ? $0 : nil })
        }
    }

    /// Whether `bytes first-last/total` continues `size` bytes of a file of `total`.
    private static func fits(_ contentRange: String?, size: UInt64, total: UInt64) -> Bool {
        guard let match = contentRange?.wholeMatch(of: /[Bb][Yy][Tt][Ee][Ss] ([0-9]+)-([0-9]+)\/([0-9]+|\*)/),
            let first = UInt64(match.1), let last = UInt64(match.2)
        else { return false }
        return first == size && first <= last && last < total && (match.3 == "*" || UInt64(match.3) == total)
    }

    /// A quoted entity tag that is not a weak one: equal tags mean equal bytes.
    private static func isStrong(_ tag: String) -> Bool {
        tag.utf8.count > 2 && tag.hasPrefix("\"") && tag.hasSuffix("\"")
    }
}
