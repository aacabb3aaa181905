import HearthStorage
import HearthTransport

/// Why one try of a request failed.
struct S3Failure: Error {
    let error: StorageError
    /// Whether the same request may succeed in a moment.
    var isRetryable = false
    /// What the store asks for; nil if it does not.
    var retryAfterSeconds: Double?

    /// No complete answer came.
    init(_ failure: TransportError, _ configuration: S3Configuration) {
        if failure.code == .aborted, let own = failure.cause as? StorageError {
            error = own
            return
        }
        let hint = failure.code == .tls ? ". The CA file of a model store is the parameter 'ca' of its address" : ""
        let code: StorageError.Code = failure.isRetryable || failure.code == .tls ? .unavailable : .io
        error = StorageError(
            code, "The model store (\(configuration.place)) did not answer: \(failure.message)\(hint)", cause: failure)
        isRetryable = failure.isRetryable
    }

    /// An answer that is no success.
    ///
    /// - Parameter body: may contain XML with the store's own code. Its other texts are not shown, because they repeat
    ///   what was signed.
    init(
        status: Int, headers: TransportHeaders, body: [UInt8], _ configuration: S3Configuration, nowSeconds: Int64
    ) {
        let code = Self.storeCode(in: body)
        let reason = Reason(status: status, code: code)
        let name = code.map { "\(status) \($0)" } ?? "status \(status)"
        error = StorageError(
            reason.code, "The model store (\(configuration.place)) answered with \(name). \(reason.advice)")
        isRetryable = reason.isRetryable
        retryAfterSeconds = RetryAfter.seconds(in: headers, nowSeconds: nowSeconds)
    }

    /// A word of letters and digits; nil for anything else, which is not shown in messages.
    static func storeCode(in body: [UInt8]) -> String? {
        guard let root = XMLElement(document: body), root.name == "Error", let code = root["Code"],
            (1...64).contains(code.utf8.count), code.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber) })
        else { return nil }
        return code
    }
}

/// What an answer of a store means.
private struct Reason {
    var code: StorageError.Code
    var advice: String
    var isRetryable = false

    private init(_ code: StorageError.Code, _ advice: String, isRetryable: Bool = false) {
        (self.code, self.advice, self.isRetryable) = (code, advice, isRetryable)
    }

    init(status: Int, code: String?) {
        self = Self.byCode(code) ?? Self.byStatus(status)
    }

    private static func byCode(_ code: String?) -> Reason? {
        switch code {
        case "NoSuchKey": Reason(.notFound, "There is no such object.")
        case "NoSuchUpload": Reason(.notFound, "The upload in parts has ended.")
        case "NoSuchBucket": Reason(.io, "Make the bucket, or correct its name in the settings.")
        case "QuotaExceeded", "EntityTooLarge", "StorageFull":
            Reason(.noSpace, "Delete objects, or raise the quota of the bucket or the account.")
        case "XAmzContentSHA256Mismatch", "BadDigest", "InvalidDigest":
            Reason(.corrupt, "The bytes changed on their way. Check the disk, the memory and the network.")
        case "InvalidRange": Reason(.corrupt, "The object has fewer bytes than the store announced.")
        case "AccessDenied", "AllAccessDisabled", "AccountProblem":
            Reason(.io, "Allow the access key to read, write, list and delete objects in this bucket.")
        case "SignatureDoesNotMatch":
            Reason(.io, "Check the secret key and the region, and that no proxy changes requests.")
        case "InvalidAccessKeyId": Reason(.io, "Check the access key, and that the endpoint is the right store.")
        case "ExpiredToken", "InvalidToken", "TokenRefreshRequired":
            Reason(.io, "The session token is no longer valid. Give new keys, and start the server again.")
        case "RequestTimeTooSkewed", "RequestExpired":
            Reason(.io, "The clock of this machine is wrong. Set it, for example with timedatectl set-ntp true.")
        case "PermanentRedirect", "AuthorizationHeaderMalformed", "IllegalLocationConstraintException":
            Reason(.io, "The bucket is elsewhere. Correct the endpoint and the region.")
        case "SlowDown", "ServiceUnavailable", "InternalError", "RequestLimitExceeded", "TooManyRequests", "Throttling":
            Reason(.unavailable, "It is overloaded or broken; try again later.", isRetryable: true)
        default: nil
        }
    }

    private static func byStatus(_ status: Int) -> Reason {
        switch status {
        case 404: Reason(.notFound, "There is no such object.")
        case 429, 500, 502, 503, 504:
            Reason(.unavailable, "It is overloaded or broken; try again later.", isRetryable: true)
        case 416: Reason(.corrupt, "The object has fewer bytes than the store announced.")
        case 507: Reason(.noSpace, "Free space in the store, or raise its quota.")
        case 401, 403: Reason(.io, "Check the keys, and that they may read, write, list and delete in this bucket.")
        case 300...399: Reason(.io, "The bucket is elsewhere. Correct the endpoint and the region.")
        case 200...299: Reason(.io, "The answer is not that of an S3-compatible store. Check the endpoint.")
        default: Reason(.io, "Check the endpoint, the bucket and the log of the store.")
        }
    }
}
