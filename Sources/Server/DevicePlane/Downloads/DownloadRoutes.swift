import HearthCalls
import HearthCatalog
import HearthConcurrency
import HearthCrypto
import HearthHTTP
import HearthIdentity
import HearthMetrics
import HearthRouting
import HearthServing
import HearthStorage
import HearthTargeting
import HearthWire

/// The calls of devices: the look-up of a model by its display name, and the file behind a signed link.
struct DownloadRoutes {
    private let context: RouteContext
    private let observers: [any DeviceObserver]
    private let metrics: ModelMetrics
    private let answers = DownloadResponseCache()

    init(_ context: RouteContext, _ observers: [any DeviceObserver], _ metrics: ModelMetrics) {
        self.context = context
        self.observers = observers
        self.metrics = metrics
    }

    private static let filePath = "/hearth/v1/files/"

    var routes: [CallRoute] {
        [
            CallRoute(DeviceCalls.download) { head, path in
                context.answer(head) { try info(head, path) }
            },
            CallRoute(DeviceCalls.file) { head, path in
                do { return try file(head, path["sha256"]) } catch { return .answer(context.failure(head, error)) }
            },
        ]
    }

    private func info(_ head: RequestHead, _ path: RouteParameters) throws -> Response {
        let call = try context.deviceCall(head, project: path["project"])
        let device = AskingDevice.call(
            DeviceHeaders(head, countryHeader: context.services.countryHeader),
            installationID: call.installation.fid, appID: call.installation.appId)
        var part = call.part
        if part.releases[path["model"]] == nil, let newer = context.serving.newerModels(than: part) { part = newer }
        let releases = part.releases[path["model"]] ?? []
        let choice = DownloadChooser(
            part: part, model: path["model"], releases: releases, nowMicroseconds: call.now.microseconds
        ).choose(for: device)
        let known = choice.version ?? releases.first?.served
        guard let known else { throw APIError.notFound }
        let question = ModelQuestion(
            call: call, device: device, model: path["model"], modelID: known.release.modelID, releases: releases,
            choice: choice, headers: head.headers)
        for observer in observers { observer.observe(question) }
        guard let version = choice.version else { throw APIError.notFound }
        var response = answer(version, path["model"], call, head)
        if let tag = choice.experimentTag { response.headers.add(WireHeader.experiment, tag) }
        return response
    }

    private func answer(
        _ version: ServedRelease, _ model: String, _ call: DeviceCall, _ head: RequestHead
    ) -> Response {
        let expires = call.signingSeconds + context.services.limits.linkSeconds
        let isPresent = head.ifNoneMatch?.contains(version.sha256) == true
        metrics.count(isPresent ? .unchanged : .download, project: call.part.project.id, model: model)
        if isPresent {
            return answers.answer(version, expires: expires) { named(Response(status: 304), version) }
        }
        let base = PublicAddress.base(head, context.services)
        let mayBeCoded = head.acceptedCodings.anyCoding
        return answers.answer(version, base: base, mayBeCoded: mayBeCoded, expires: expires) {
            var response = named(.json(body(for: version, base: base, expires)), version)
            // Here and not by `AnswerCoding`, because the answer is encoded once for many requests.
            if mayBeCoded { response.headers.add("Content-Encoding", "identity") }
            return response
        }
    }

    private func named(_ response: Response, _ version: ServedRelease) -> Response {
        var response = response
        // Unquoted on purpose: clients keep it as an opaque string and send it back unchanged.
        response.headers.add("ETag", version.sha256)
        response.headers.add(WireHeader.modelVersion, String(version.release.version))
        // The body contains a link with which any client can fetch the file.
        response.headers.add("Cache-Control", "no-store")
        return response
    }

    private func body(for version: ServedRelease, base: String, _ expires: Int64) -> [UInt8] {
        DownloadInfo(
            downloadUri: outsideLink(version.sha256) ?? base + link(version.sha256, expires),
            expireTime: Timestamp(seconds: expires).rfc3339(fractionDigits: 3),
            sizeBytes: String(version.sizeBytes)
        ).json
    }

    /// A link past this server; nil if it sends the bytes itself, or the store has no links.
    private func outsideLink(_ sha256: String) -> String? {
        switch context.services.modelLinks {
        case .server: return nil
        case .prefix(let prefix): return prefix + sha256
        case .store:
            guard let digest = SHA256Digest(hex: sha256) else { return nil }
            let seconds = Int(context.services.limits.linkSeconds)
            return try? context.services.blobs.downloadURL(digest, seconds: seconds)
        }
    }

    private func link(_ sha256: String, _ expires: Int64) -> String {
        let path = Self.filePath + sha256
        return "\(path)?expires=\(expires)&signature=\(context.services.links.signature(path: path, expires: expires))"
    }

    private func file(_ head: RequestHead, _ sha256: String) throws -> RequestPlan {
        guard let digest = SHA256Digest(hex: sha256), let expires = head.query.first("expires").flatMap({ Int64($0) }),
            let signature = head.query.first("signature")
        else { throw APIError(.permissionDenied, "The link is incomplete or altered.") }
        let check = context.services.links.check(
            path: Self.filePath + sha256, expires: expires, signature: signature, nowSeconds: context.signingSeconds)
        switch check {
        case .forged: throw APIError(.permissionDenied, "The link is incomplete or altered.")
        // 400, not 403: clients ask for a new link only after 400.
        case .expired: throw APIError(.invalidArgument, "The link has expired; ask for a new one.")
        case .valid: break
        }
        guard head.ifMatch?.allow(sha256) ?? true else {
            throw APIError(.failedPrecondition, "The file behind this link has the ETag \(sha256).", httpStatus: 412)
        }
        // Only a trusted proxy is known to send the file in place of this answer.
        if let prefix = context.services.accelRedirectPrefix, head.forwarded != nil {
            return .answer(
                Response(
                    status: 200,
                    headers: ["X-Accel-Redirect": prefix + digest.hex, "Content-Type": "application/octet-stream"]))
        }
        return context.answer(head, withBytesOf: digest) { head, blob in
            Response.file(
                OwnedDescriptor(takingOwnershipOf: blob.descriptor), length: blob.size, etag: "\"\(sha256)\"",
                for: head)
        }
    }
}

/// The answers of `:download` that were made in the present second.
///
/// The link in an answer expires at a whole second and does not name a device. So all devices that ask for a version
/// within one second get the same answer, which is signed and encoded once. Safe to call from any thread.
final class DownloadResponseCache: Sendable {
    /// What an answer depends on: the release, the address in its link, and whether a proxy might compress it.
    private struct Key: Hashable {
        let release: ObjectIdentifier
        let base: String?
        let mayBeCoded: Bool
    }

    /// An answer, with its release.
    private struct Kept {
        /// Kept too, so that no other object can get the same `ObjectIdentifier`.
        let release: ServedRelease
        let response: Response
    }

    /// The answers with one expiry time.
    private struct Made {
        var expires: Int64 = 0
        var answers: [Key: Kept] = [:]
    }

    /// The largest number of answers kept. It is bounded because clients choose the address under which they reach a
    /// proxy.
    private static let maximum = 1000

    private let made = Lock(Made())

    /// Returns the answer for that release, with a link under the address `base`, or without a link if `base` is nil.
    /// Calls `make` if there is no such answer yet.
    func answer(
        _ release: ServedRelease, base: String? = nil, mayBeCoded: Bool = false, expires: Int64, make: () -> Response
    ) -> Response {
        let key = Key(release: ObjectIdentifier(release), base: base, mayBeCoded: mayBeCoded)
        if let known = made.withLock({ $0.expires == expires ? $0.answers[key]?.response : nil }) { return known }
        let response = make().forManyRequests
        made.withLock { made in
            if made.expires != expires { made = Made(expires: expires) }
            if made.answers.count < Self.maximum { made.answers[key] = Kept(release: release, response: response) }
        }
        return response
    }
}

extension DownloadInfo {
    /// The text that `WireJSON.encode` would make, put together by hand: all devices ask for it repeatedly, and an
    /// encoder takes longer than the rest of the answer.
    var json: [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(downloadUri.utf8.count + 160)
        text.append(contentsOf: #"{"downloadUri":"#.utf8)
        JSONText.append(downloadUri, to: &text)
        text.append(contentsOf: #","expireTime":"#.utf8)
        JSONText.append(expireTime, to: &text)
        if let modelFormat {
            text.append(contentsOf: #","modelFormat":"#.utf8)
            JSONText.append(modelFormat, to: &text)
        }
        text.append(contentsOf: #","sizeBytes":"#.utf8)
        JSONText.append(sizeBytes, to: &text)
        text.append(UInt8(ascii: "}"))
        return text
    }
}
