import HearthCalls
import HearthCatalog
import HearthDevicePlane
import HearthHTTP
import HearthRemoteConfigTemplates
import HearthRouting
import HearthServing
import HearthStorage
import HearthTargeting
import HearthWire

/// Says what a device would get of a template, and why: with the code that answers devices.
struct EvaluationRoutes {
    private typealias Bodies = TemplateEvaluationBodies

    private let context: RouteContext
    private let editing: TemplateEditing

    init(_ context: RouteContext) {
        self.context = context
        editing = TemplateEditing(context: context)
    }

    var routes: [CallRoute] {
        [EvaluationCalls.ofProject, EvaluationCalls.ofNamespace].map { call in
            context.on(call, limitBytes: TemplateRoutes.bodyLimit, checkPath: TemplatePath.check) { try evaluate($0) }
        }
    }

    private func evaluate(
        _ call: Reading<AdminCall, TemplateEvaluationBodies.Request>
    ) throws -> TemplateEvaluationBodies.Result {
        let namespace = try TemplatePath(call.path).namespace
        let request = try call.body("an evaluation", isOptional: true)
        guard let part = try context.serving.current().projects[call.project.id] else { throw APIError.notFound }
        let given = request.device ?? Bodies.Device()
        let now = try request.time.map { try Self.time($0, "time") } ?? context.nowMicroseconds
        let registered = try given.installationId.flatMap { id in
            try call.read { try $0.installation(fid: id, project: call.project.id) }
        }
        let facts = try GivenDevice(given, appID: registered?.appID).facts()
        let (number, compiled) = try template(request, call, namespace, part)
        // Servers that evaluate their template themselves take part in nothing.
        let values = ConfigValues(
            compiled, for: facts, in: namespace == .client ? part : nil, nowMicroseconds: now, isExplained: true)
        var device = Bodies.Device(facts)
        device.installationId = nil
        let shown = EvaluationPresentation(values, facts)
        return Bodies.Result(
            namespace: namespace.rawValue, version: number, time: WireTime.text(now),
            installation: given.installationId.map { InstallationLogName(id: $0).description },
            isRegistered: registered != nil, isPinned: values.pins != nil, device: device,
            parameters: shown.parameters, conditions: shown.conditions,
            experiments: namespace == .client
                ? EvaluationPresentation.experiments(part, values, facts, nowMicroseconds: now) : [])
    }

    /// - Returns: the number of the version; nil for the template of the request.
    private func template(
        _ request: TemplateEvaluationBodies.Request, _ call: Reading<AdminCall, TemplateEvaluationBodies.Request>,
        _ namespace: TemplateNamespace,
        _ part: ServingSnapshot.ProjectPart
    ) throws -> (Int64?, CompiledTemplate) {
        let project = part.project.id
        if let template = request.template {
            guard request.version == nil else {
                let text = "Give a template or a version, not both."
                throw APIError.invalid("version", text, message: text)
            }
            return (nil, try editing.compiled(template, member: "template", of: call.bytes, namespace, call))
        }
        if request.version == nil, namespace == .client {
            // What devices get, even if that is an older version because the active one is damaged.
            guard let served = part.template else { return (0, try CompiledTemplate(RemoteConfigTemplate())) }
            let content = try context.serving.content(of: served)
            return (content.number, try content.compiled ?? CompiledTemplate(RemoteConfigTemplate()))
        }
        let version = try call.read {
            try $0.template(project: project, namespace: namespace.rawValue, number: request.version)
        }
        guard let version else {
            guard let number = request.version else { return (0, try CompiledTemplate(RemoteConfigTemplate())) }
            throw APIError(.notFound, "There is no version \(number) of the template.")
        }
        let known = editing.known(in: project)
        return (version.number, try CompiledTemplate(version.template(), known: known))
    }

    fileprivate static func time(_ text: String, _ field: String) throws(APIError) -> Int64 {
        if let time = Timestamp(rfc3339: text) { return time.microseconds }
        let text = "This must be a time such as 2026-11-21T13:00:00Z."
        throw .invalid(field, text, message: "\(field): \(text)")
    }
}

/// The device of a request. A value that no device can send is refused: of a real device it would count as missing.
private struct GivenDevice {
    private let device: TemplateEvaluationBodies.Device
    private let appID: String?

    /// - Parameter appID: of the registered installation.
    init(_ device: TemplateEvaluationBodies.Device, appID: String?) {
        self.device = device
        self.appID = appID
    }

    /// - Throws: 400 that names the field.
    func facts() throws(APIError) -> DeviceFacts {
        var facts = DeviceFacts(
            installationID: try word("installationId", device.installationId) { (1...200).contains($0.utf8.count) }
                ?? "",
            appID: try word("appId", device.appId) { (1...200).contains($0.utf8.count) } ?? appID ?? "")
        facts.tags = device.tags ?? []
        guard facts.tags.count <= DeviceFacts.tagLimit, facts.tags.allSatisfy(WireNames.isDisplayName) else {
            throw Self.refusal("tags")
        }
        var body = FetchBody()
        body.appVersion = try word("appVersion", device.appVersion, Self.isVersion)
        body.appBuild = try word("appBuild", device.appBuild, Self.isVersion)
        body.languageCode = try word("language", device.language) {
            (1...DeviceLimits.languageCharacters).contains($0.utf16.count)
        }
        body.countryCode = try word("country", device.country) { WireNames.isCountry($0.uppercased()) }
        body.userProperties = try signals("userProperties", device.userProperties)
        body.customSignals = try signals("customSignals", device.customSignals)
        if let time = device.firstOpenTime { _ = try EvaluationRoutes.time(time, "device.firstOpenTime") }
        body.firstOpenTime = device.firstOpenTime
        let system = try word("os", device.os) { WireNames.isOperatingSystem($0.lowercased()) }
        ConfigSignals.apply(body, namedOperatingSystem: system?.lowercased(), to: &facts)
        return facts
    }

    private static func isVersion(_ text: String) -> Bool {
        (1...DeviceLimits.versionCharacters).contains(text.utf16.count)
    }

    private func word(
        _ name: String, _ value: String?, _ isValid: (String) -> Bool
    ) throws(APIError) -> String? {
        guard let value else { return nil }
        guard isValid(value) else { throw Self.refusal(name) }
        return value
    }

    private func signals(_ name: String, _ values: [String: String]?) throws(APIError) -> [String: String] {
        let values = values ?? [:]
        guard values.count <= CustomSignalLimits.count,
            values.allSatisfy({ CustomSignalLimits.isKey($0.key) && CustomSignalLimits.isText($0.value) })
        else { throw Self.refusal(name) }
        return values
    }

    private static func refusal(_ name: String) -> APIError {
        let text =
            name == "country" ? "A country has two letters, such as CH." : "No device can send this \(name)."
        return .invalid("device.\(name)", text, message: text)
    }
}

extension TemplateEvaluationBodies.Device {
    fileprivate init(_ facts: DeviceFacts) {
        self.init()
        appId = facts.appID.isEmpty ? nil : facts.appID
        appVersion = facts.appVersion
        appBuild = facts.appBuild
        os = facts.operatingSystem
        language = facts.languages.first
        country = facts.country
        tags = facts.tags.isEmpty ? nil : facts.tags
        userProperties = facts.userProperties.isEmpty ? nil : facts.userProperties
        customSignals = facts.customSignals.isEmpty ? nil : facts.customSignals
        firstOpenTime = facts.firstOpenMicroseconds.map(WireTime.text)
    }
}
