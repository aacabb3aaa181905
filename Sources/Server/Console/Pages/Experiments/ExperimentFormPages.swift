import HearthCalls
import HearthCatalog
import HearthHTTP
import HearthRemoteConfigTemplates
import HearthWire

/// The form that makes an experiment, or changes a draft.
enum ExperimentFormPages {
    static let routes: [ConsoleRoute] =
        ConsoleRoute.form("projects/{project}/experiments/new", for: .publisher, show: new, submit: create)
        + ConsoleRoute.form(
            "projects/{project}/experiments/{experiment}/edit", for: .publisher, show: edit, submit: save)

    private static func new(_ request: PageRequest) throws -> Page {
        try page("Create an experiment", request, request.link("experiments", "new"), name: nil)
    }

    private static func edit(_ request: PageRequest) throws -> Page {
        let name = request.path["experiment"]
        var request = request
        if request.head.method == .get {
            let item = try request.api.call(ExperimentCalls.get, name)
            request.fields = ExperimentFields(item.definition).fields
        }
        return try page("Edit \(name)", request, request.link("experiments", name, "edit"), name: name)
    }

    private static func page(_ title: String, _ request: PageRequest, _ action: Link, name: String?) throws -> Page {
        let view = ExperimentFormView(request, try ExperimentChoices(request))
        return Page(
            title, .experiments,
            above: [("Experiments", request.link("experiments"))]
                + (name.map { [($0, request.link("experiments", $0))] } ?? []),
            commands: ["hearth experiments create --name NAME --model flowers --versions 1,2 --goal purchase"]
        ) {
            view.form(action, name: name)
        }
    }

    // MARK: What the form does

    private static func create(_ request: PageRequest) throws -> ConsoleRoute.Answer {
        if ExperimentFormView.asksForVersions(request) { return .page(try new(request)) }
        let choices = try ExperimentChoices(request)
        let definition = try checked(request, choices)
        try request.api.call(ExperimentCalls.create, body: definition)
        try makeParameters(of: definition, request, choices)
        return .redirect(request.link("experiments", definition.name).done(.created))
    }

    private static func save(_ request: PageRequest) throws -> ConsoleRoute.Answer {
        if ExperimentFormView.asksForVersions(request) { return .page(try edit(request)) }
        let name = request.path["experiment"]
        let choices = try ExperimentChoices(request)
        let definition = try checked(request, choices)
        try request.api.call(ExperimentCalls.replace, name, body: definition)
        try makeParameters(of: definition, request, choices)
        return .redirect(request.link("experiments", name).done(.saved))
    }

    /// The API allows an experiment over a parameter that the template does not have, with a warning. On a page this is
    /// most often a slip of the pen, so the person has to say that the parameter is new.
    private static func checked(
        _ request: PageRequest, _ choices: ExperimentChoices
    ) throws -> ExperimentBodies.Definition {
        let definition = try ExperimentFields.definition(
            request.fields,
            conditions: Dictionary(choices.conditions.map { ($0.name, $0.expression) }, uniquingKeysWith: { $1 }))
        if let key = choices.unknownParameters(of: definition).first, !request.fields.isSet("new-parameter") {
            throw APIFailure.field(
                "parameter",
                "The template has no parameter '\(key.prefix(300))'. Choose one that it has, or tick ‘Create the parameter’."
            )
        }
        return definition
    }

    /// Publishes the parameters that the person said are new, with the app's own default.
    private static func makeParameters(
        of definition: ExperimentBodies.Definition, _ request: PageRequest, _ choices: ExperimentChoices
    ) throws {
        guard !choices.unknownParameters(of: definition).isEmpty else { return }
        let scope = ConfigScope(request, .client)
        // Someone may publish at the same moment.
        for attempt in 1...3 {
            var (template, etag) = try scope.template()
            for key in ExperimentChoices.parameters(of: definition) where template.parameter(key) == nil {
                template.setParameter(key, RemoteConfigParameter(defaultValue: .inAppDefault), group: nil)
            }
            template.version = RemoteConfigVersion(description: "For experiment '\(definition.name)'")
            do {
                _ = try scope.put(WireJSON.encode(template), ifMatch: etag)
                return
            } catch let failure as APIFailure where failure.status == 412 && attempt < 3 {
                continue
            } catch let failure as APIFailure {
                throw failure.with(
                    message:
                        "The draft '\(definition.name)' is kept, but its parameter was not created: \(failure.message)"
                )
            }
        }
    }
}

/// What the form offers: models, versions, parameters and conditions that there are.
struct ExperimentChoices {
    let models: [String]
    /// Of the model that is chosen, newest first; nil if none is.
    let versions: [ReleaseBodies.Version]?
    /// The keys of the live template, in order.
    let parameters: [String]
    let conditions: [RemoteConfigCondition]

    init(_ request: PageRequest) throws {
        let models = try request.api.call(ModelCalls.names).models
        self.models = models.map(\.displayName).sorted()
        let chosen = request.fields.text("model").flatMap { name in models.first { $0.displayName == name } }
        versions = try chosen.map { chosen in
            try request.api.call(VersionCalls.list, chosen.model, query: [("contracts", "false")]).versions ?? []
        }
        let template = try ConfigScope(request, .client).template().template
        parameters = template.allParameters.map(\.key).sorted()
        conditions = template.conditions ?? []
    }

    func unknownParameters(of definition: ExperimentBodies.Definition) -> [String] {
        let known = Set(parameters)
        return Self.parameters(of: definition).filter { !known.contains($0) }
    }

    static func parameters(of definition: ExperimentBodies.Definition) -> [String] {
        Set(definition.variants.flatMap { ($0.parameters ?? [:]).keys }).sorted()
    }
}
