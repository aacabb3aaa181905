import HearthCalls
import HearthWire

extension OperationDescription {
    static var deviceOperations: [String: OperationDescription] {
        [
            "GET healthz": OperationDescription(
                tag: "health", summary: "Whether the process is alive.", access: .anyone, responseMedia: "text/plain"),
            "GET readyz": OperationDescription(
                tag: "health", summary: "Whether clients should send requests here.", access: .anyone,
                responseMedia: "text/plain"),
            "GET metrics": OperationDescription(
                tag: "health", summary: "What the server counts, for Prometheus.", access: .anyone,
                responseMedia: "text/plain"),
            "GET hearth/v1/openapi.json": OperationDescription(
                tag: "health", summary: "This description.", access: .anyone, responseMedia: "application/json"),
            "GET v1beta2/projects/{project}/models/{model}:download": OperationDescription(
                tag: "devices",
                summary: "Where the version of a model is that this device should have. The ETag is its SHA-256.",
                access: .device, response: DownloadInfo.self, answer: "The place; 304 if the device has it already."),
            "GET hearth/v1/files/{sha256}": OperationDescription(
                tag: "devices", summary: "The bytes of a version, by a signed link.", access: .anyone,
                query: [
                    Query(name: "expires", description: "From the link."),
                    Query(name: "signature", description: "From the link."),
                ], responseMedia: "application/octet-stream"),
            "POST v1/projects/{project}/installations": OperationDescription(
                tag: "devices", summary: "Register an installation of an app.", access: .apiKey,
                request: InstallationBodies.CreateRequest.self, response: InstallationBodies.CreateResponse.self),
            "POST v1/projects/{project}/installations/{fid}/authTokens:generate": OperationDescription(
                tag: "devices", summary: "A new token of an installation.", access: .apiKey,
                request: InstallationBodies.GenerateRequest.self, response: InstallationBodies.AuthToken.self),
            "DELETE v1/projects/{project}/installations/{fid}": OperationDescription(
                tag: "devices", summary: "Delete an installation.", access: .apiKey),
            "POST v1/projects/{project}/namespaces/{namespace}:fetch": OperationDescription(
                tag: "devices", summary: "The Remote Config values of this device.", access: .device),
            "POST v1/projects/{project}/namespaces/{namespace}:streamFetchInvalidations": OperationDescription(
                tag: "devices", summary: "A stream with the numbers of new templates.", access: .device),
            "POST hearth/v1/projects/{project}/events": OperationDescription(
                tag: "devices", summary: "Send events for A/B tests.", access: .device, request: EventBodies.Batch.self,
                response: EventBodies.Response.self),
        ]
    }

    private static let model = "hearth/v1/projects/{project}/models/{model}"
    private static let uploads = "hearth/v1/projects/{project}/uploads"

    static var modelOperations: [String: OperationDescription] {
        [
            "GET v1beta2/projects/{project}/models": admin(
                "models", "List the models.", ModelList.self,
                query: [Query(name: "filter", description: "Such as displayName=flowers or tags:beta.")] + Query.pages),
            "GET v1beta2/projects/{project}/models/{model}": admin("models", "Show a model.", ModelResource.self),
            "POST v1beta2/projects/{project}/models": admin(
                "models", "Create a model from an uploaded file.", OperationResource.self, body: ModelResource.self),
            "PATCH v1beta2/projects/{project}/models/{model}": admin(
                "models", "Change a model, or give it a new file.", OperationResource.self, body: ModelResource.self,
                query: [Query(name: "updateMask", description: "The changed members, such as tags,state.published.")]),
            "DELETE v1beta2/projects/{project}/models/{model}": admin("models", "Delete a model and its versions."),
            "GET v1beta2/projects/{project}/operations/{operation}": admin(
                "models", "The state of a change that validates a file.", OperationResource.self),
            "GET \(model)/versions": admin(
                "models", "List the versions of a model.", ReleaseBodies.VersionList.self,
                query: [
                    .init(
                        name: "contracts",
                        description: "Whether versions show their contracts: true (default) or false.")
                ]),
            "GET \(model)/versions/{version}": admin(
                "models", "Show a version, by its number or an alias.", ReleaseBodies.Version.self),
            "PATCH \(model)/versions/{version}": admin(
                "models", "Change the note of a version, which is named by its number or an alias.",
                ReleaseBodies.Version.self, body: ReleaseBodies.UpdateVersionRequest.self),
            "POST \(model)/versions": admin(
                "models", "Add a version without releasing it.", OperationResource.self,
                body: ReleaseBodies.CreateVersionRequest.self),
            "POST \(model)/versions/{version}:try": OperationDescription(
                tag: "models", summary: "Run a version on an image of the caller. Nothing is stored.", access: .admin,
                query: [
                    Query(
                        name: "threshold",
                        description: "The least confidence of an answer, 0 to 1, with up to 100 answers. "
                            + "Without it: 20 answers, and boxes above 0.5.")
                ],
                requestMedia: "application/octet-stream", response: TryBodies.Answers.self,
                answer: "What the version answers to the image."),
            "GET \(model)/versions/{version}:compare": admin(
                "models", "Compare the contract, size and measurements of a version with those of another one.",
                VersionComparison.self,
                query: [
                    Query(name: "with", description: "The version to compare with, by its number or an alias.")
                ]),
            "GET \(model)/aliases": admin("models", "List the aliases of versions.", AliasBodies.List.self),
            "PUT \(model)/aliases/{alias}": admin(
                "models", "Give an alias to a version, and take it from the version that has it.",
                AliasBodies.Alias.self, body: AliasBodies.PutRequest.self),
            "DELETE \(model)/aliases/{alias}": admin("models", "Remove an alias.", AliasBodies.Alias.self),
            "GET \(model)/devices": admin(
                "models", "Estimate how many devices have which version of a model.", DeviceBodies.Report.self,
                query: [Query.maxAge]),
            "GET \(model)/recentDevices": admin(
                "models", "List installations whose last calls for a model the server remembers.",
                DeviceBodies.RecentList.self,
                query: [
                    Query(name: "version", description: "Only those that have this version, by its number."),
                    Query(name: "os", description: "Only those of this operating system."),
                    Query(name: "appVersion", description: "Only those of this app version."),
                    Query(name: "language", description: "Only those of this language."),
                    Query(name: "country", description: "Only those of this country."),
                    Query(name: "tag", description: "Only those with this tag."),
                    Query(name: "pageSize", description: "1 to 1000; 100 by default."),
                ]),
            "GET \(model)/health": admin(
                "models", "Show what devices report about the versions of a model.", HealthBodies.Report.self,
                query: [
                    Query(name: "version", description: "Only this version, by its number or an alias."),
                    Query(name: "hours", description: "The last hours, 1 to 2160; 24 by default."),
                ]),
            "GET \(model)/releases": admin("releases", "List the releases of a model.", ReleaseBodies.ReleaseList.self),
            "GET \(model)/releases/{release}": admin("releases", "Show a release.", ReleaseBodies.Release.self),
            "POST \(model)/releases": admin(
                "releases", "Release a version to a share of the devices.", ReleaseBodies.Release.self,
                body: ReleaseBodies.CreateRequest.self),
            "PATCH \(model)/releases/{release}": admin(
                "releases", "Change a release.", ReleaseBodies.Release.self, body: ReleaseBodies.UpdateRequest.self),
            "POST \(model)/releases/{release}:pause": admin(
                "releases", "Pause the schedule of a release.", ReleaseBodies.Release.self),
            "POST \(model)/releases/{release}:resume": admin(
                "releases", "Go on with the schedule of a release.", ReleaseBodies.Release.self),
            "POST \(model)/releases/{release}:end": admin(
                "releases", "Stop a release for good.", ReleaseBodies.Release.self),
            "POST \(model):rollback": admin(
                "releases", "Make the release before the current one.", ReleaseBodies.Release.self,
                body: ReleaseBodies.RollbackRequest.self),
            "GET \(model)/images": admin(
                "rehearsals", "List the images for rehearsals of a model.", RehearsalBodies.ImageList.self),
            "GET \(model)/images/{image}": OperationDescription(
                tag: "rehearsals", summary: "The bytes of an image.", access: .admin,
                responseMedia: "application/octet-stream"),
            "PUT \(model)/images/{image}": OperationDescription(
                tag: "rehearsals", summary: "Add an image, or replace it.", access: .admin,
                query: [Query(name: "label", description: "The expected answer; none without it.")],
                requestMedia: "application/octet-stream", response: RehearsalBodies.Image.self),
            "DELETE \(model)/images/{image}": admin("rehearsals", "Delete an image."),
            "GET \(model)/rehearsals": admin(
                "rehearsals", "List the rehearsals of a model.", RehearsalBodies.List.self),
            "GET \(model)/rehearsals/{rehearsal}": admin(
                "rehearsals", "Show a rehearsal with all images.", RehearsalBodies.Rehearsal.self),
            "POST \(model)/rehearsals": admin(
                "rehearsals", "Compare a version with the released one on the images.", RehearsalBodies.Rehearsal.self,
                body: RehearsalBodies.StartRequest.self),
            "GET \(model)/pins": admin("releases", "List the pins of a model.", PinBodies.List.self),
            "GET \(model):explain": admin(
                "releases", "What an installation gets of a model, and why.", ReleaseBodies.Explanation.self,
                query: [
                    Query(
                        name: "installation",
                        description:
                            "The id of the installation, or its name in logs while the server remembers its calls."),
                    Query(name: "os", description: "Its operating system, in place of that of its last call."),
                    Query(name: "appVersion", description: "Its app version, in place of that of its last call."),
                    Query(name: "language", description: "Its language, in place of that of its last call."),
                    Query(name: "country", description: "Its country, in place of that of its last call."),
                    Query(
                        name: "tag",
                        description: "A tag, in place of those of its last call; several times for several."),
                ]),
            "POST \(model):pin": admin(
                "releases", "Give an installation, or the devices with a tag, a version before any release applies.",
                PinBodies.Pin.self, body: PinBodies.PinVersionRequest.self),
            "POST \(model):unpin": admin(
                "releases", "Remove a pin of a model.", PinBodies.Pin.self, body: PinBodies.UnpinRequest.self),
            "POST \(uploads)": OperationDescription(
                tag: "uploads", summary: "Upload a file, or begin an upload in parts.", access: .admin,
                query: [
                    Query(name: "name", description: "The name of the file."),
                    Query(name: "uploadType", description: "resumable begins an upload in parts."),
                ], requestMedia: "application/octet-stream", response: UploadResource.self),
            "PUT \(uploads)": OperationDescription(
                tag: "uploads", summary: "Send a part of an upload.", access: .admin,
                query: [Query(name: "upload_id", description: "The upload, from the answer that began it.")],
                requestMedia: "application/octet-stream", response: UploadResource.self,
                answer: "The file is complete; 308 with Range while parts are missing."),
            "POST \(uploads):pack": admin(
                "uploads", "Pack an uploaded zip of a model with its labels into one model file.", UploadResource.self,
                body: UploadBodies.PackRequest.self),
            "GET \(uploads)": admin("uploads", "List the unfinished uploads.", UploadBodies.List.self),
            "DELETE \(uploads)": admin(
                "uploads", "Cancel an upload.",
                query: [Query(name: "upload_id", description: "The upload, from the answer that began it.")]),
            "DELETE \(uploads)/{upload}": admin("uploads", "Cancel an upload by its id.", UploadBodies.Unfinished.self),
        ]
    }
}
