import HearthCalls
import HearthCatalog
import HearthCrypto
import HearthHTTP
import HearthIdentity
import HearthRemoteConfigTemplates
import HearthRouting
import HearthServing
import HearthTargeting
import HearthWire

/// Answers devices that fetch their Remote Config values: `POST …/namespaces/firebase:fetch`, in the forms that
/// existing clients really send.
struct ConfigFetchRoutes {
    private let context: RouteContext

    init(_ context: RouteContext) { self.context = context }

    var routes: [CallRoute] {
        [
            CallRoute(DeviceCalls.fetchConfig) { head, path in
                context.buffered(
                    head, check: { try context.apiKeyCall(head, project: path["project"]) }
                ) { call, head, bytes in
                    guard path["namespace"] == TemplateNamespace.client.rawValue else { throw APIError.notFound }
                    return try fetch(call, head, bytes)
                }
            }
        ]
    }

    private func fetch(_ keyed: KeyedCall, _ head: RequestHead, _ bytes: [UInt8]) throws -> Outcome {
        guard let body = FetchBody(try context.inflated(bytes)) else {
            throw APIError(.invalidArgument, "The body is not a Remote Config fetch request.")
        }
        // Web clients send the token in the body only.
        let token = head.headers[WireHeader.installationToken] ?? body.installationToken
        let call = withTemplate(try context.deviceCall(head, keyed, token: token))
        let facts = ConfigSignals.facts(body, head, call.installation, context.services)
        let number = call.part.project.number
        guard let template = call.part.template else {
            return .respond(try Self.noTemplate.response(to: head, projectNumber: number))
        }
        if let content = template.content, Self.isQuick(content, call, facts) {
            let response = try answer(call, facts, content).response(to: head, projectNumber: number)
            guard context.coding.isSlow(response, for: head) else { return .respond(coded(response, for: head)) }
            return try context.queuedForDevice(head, project: call.part.project.id) { coded(response, for: head) }
        }
        return try context.queuedForDevice(head, project: call.part.project.id) {
            call.part.experiments.read()
            let response = try answer(call, facts, context.serving.content(of: template))
                .response(to: head, projectNumber: number)
            return coded(response, for: head)
        }
    }

    private func coded(_ response: Response, for head: RequestHead) -> Response {
        context.coding.coded(response, for: head, hasNoSecret: true)
    }

    /// The call with a template that another server may have published a moment ago.
    private func withTemplate(_ call: DeviceCall) -> DeviceCall {
        guard call.part.template == nil, let newer = context.serving.newerTemplate(than: call.part) else { return call }
        var call = call
        call.part = newer
        return call
    }

    private static let noTemplate = ConfigFetchResult(state: .noTemplate, templateVersion: 0)

    /// The most steps of conditions that run on the HTTP server's threads: a few milliseconds.
    private static let quickSteps = 2_000_000

    /// Whether the answer takes few steps, whichever of the template's conditions hold.
    private static func isQuick(_ content: ServedTemplate.Content, _ call: DeviceCall, _ facts: DeviceFacts) -> Bool {
        guard let compiled = content.compiled, let experiments = call.part.experiments.cost else { return false }
        return (compiled.cost + experiments).steps(bytes: facts.longestText) <= quickSteps
    }

    private func answer(_ call: DeviceCall, _ facts: DeviceFacts, _ content: ServedTemplate.Content)
        -> ConfigFetchResult
    {
        guard let compiled = content.compiled else { return Self.noTemplate }
        let values = ConfigValues(compiled, for: facts, in: call.part, nowMicroseconds: call.now.microseconds)
        if values.isExhausted, content.claimExhaustionLog() {
            context.log(
                """
                project '\(call.part.project.id)': a device got only a part of template \(content.number): evaluating all conditions takes \
                more than the \(ConditionLimits.fetchSteps) steps of one fetch; write shorter regular expressions, or fewer conditions
                """)
        }
        let resolution = values.resolution
        return ConfigFetchResult(
            state: resolution.entries.isEmpty ? .emptyConfig : .update, templateVersion: content.number,
            entries: resolution.entries,
            // A device reports exposures only to experiments that are named here.
            experiments: values.pins == nil ? values.assignments.map { $0.experiment.descriptions[$0.variant] } : [],
            rollouts: resolution.rollouts)
    }
}

/// The answer to a fetch: a `RemoteConfigFetchResponse`, put together from pieces that were encoded when the template
/// and the experiments changed.
struct ConfigFetchResult {
    let state: RemoteConfigFetchResponse.State
    let templateVersion: Int64
    /// In the order of their keys.
    var entries: [ConfigEntry] = []
    /// The description of each experiment that the device takes part in, as JSON; nil without a template.
    var experiments: [[UInt8]]?
    /// For each rollout that changed something, the keys of the parameters that it changed.
    var rollouts: [String: [String]] = [:]

    /// Always 200: mobile clients accept no other status. If the device already has the values, the state is
    /// `NO_CHANGE`, and only the entries are left out.
    func response(to head: RequestHead, projectNumber: Int64) throws -> Response {
        let rest = try rest()
        let etag = etag(rest, projectNumber: projectNumber)
        // Not `*`, which the web client sends when it has no values.
        let isKnown = head.ifNoneMatch?.contains(etag) == true
        var response = Response.json(isKnown ? json(.noChange, nil, rest) : json(state, shownEntries, rest))
        response.headers["ETag"] = etag
        response.headers["Cache-Control"] = "no-store"
        return response
    }

    /// The ETag of what this device gets. The template's version is not enough: a device may begin to meet a condition
    /// while the template stays the same.
    private func etag(_ rest: [UInt8], projectNumber: Int64) -> String {
        var parts = Array(state.rawValue.utf8) + rest
        parts.reserveCapacity(parts.count + entries.count * 8)
        // Digests, because the entries may have a megabyte.
        for entry in entries { withUnsafeBytes(of: entry.digest) { parts.append(contentsOf: $0) } }
        let digest = SHA256Hasher.hash(parts).bytes.prefix(4)
        let number = Int32(bitPattern: digest.reduce(UInt32(0)) { $0 << 8 | UInt32($1) })
        return "etag-\(projectNumber)-firebase-fetch-\(number)"
    }

    private var shownEntries: [ConfigEntry]? { state == .noTemplate ? nil : entries }

    private func json(_ state: RemoteConfigFetchResponse.State, _ entries: [ConfigEntry]?, _ rest: [UInt8]) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity((entries ?? []).reduce(64 + rest.count) { $0 + $1.json.count + 1 })
        text.append(contentsOf: "{".utf8)
        if let entries {
            text.append(contentsOf: #""entries":{"#.utf8)
            Self.append(entries.lazy.map(\.json), to: &text)
            text.append(contentsOf: "},".utf8)
        }
        text.append(contentsOf: #""state":"#.utf8)
        JSONText.append(state.rawValue, to: &text)
        text.append(contentsOf: rest)
        return text
    }

    /// What follows the state, to the end of the object.
    private func rest() throws -> [UInt8] {
        var text: [UInt8] = []
        text.append(contentsOf: #","templateVersion":"\#(templateVersion)""#.utf8)
        if let experiments {
            text.append(contentsOf: #","experimentDescriptions":["#.utf8)
            Self.append(experiments, to: &text)
            text.append(UInt8(ascii: "]"))
        }
        if !rollouts.isEmpty {
            let metadata = rollouts.sorted { $0.key < $1.key }.map {
                RemoteConfigFetchResponse.RolloutMetadata(
                    rolloutId: $0.key, variantId: "1", affectedParameterKeys: $0.value)
            }
            text.append(contentsOf: #","rolloutMetadata":"#.utf8)
            text.append(contentsOf: try WireJSON.encode(metadata))
        }
        text.append(UInt8(ascii: "}"))
        return text
    }

    private static func append(_ items: some Sequence<[UInt8]>, to text: inout [UInt8]) {
        var isFirst = true
        for item in items {
            if !isFirst { text.append(UInt8(ascii: ",")) }
            isFirst = false
            text.append(contentsOf: item)
        }
    }
}
