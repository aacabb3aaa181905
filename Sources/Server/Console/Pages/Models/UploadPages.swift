import HearthCatalog
import HearthHTTP
import HearthWire

/// Where people upload a new model, or a new version of one. The file goes in parts, by a script; the page says what to do
/// without one.
enum UploadPages {
    static let routes: [ConsoleRoute] = [
        .page("projects/{project}/models/new", for: .publisher, newModel),
        .page("projects/{project}/models/{model}/upload", for: .publisher, newVersion),
    ]

    private static let scripts = ["zip.js", "storage.js", "sending.js", "creation.js", "upload.js"]

    private static func newModel(_ request: PageRequest) throws -> Page {
        Page(
            "Upload a model", .models, above: [("Models", request.link("models"))],
            commands: ["hearth models push NAME FILE.tflite"], scripts: scripts
        ) {
            upload(request, model: nil) {
                Field.text(
                    "name", "Name",
                    hint: "1 to 32 letters, digits, hyphens or underscores. Apps ask for the model by this name.",
                    Attribute("maxlength", "32"), .required, Attribute("pattern", "[A-Za-z0-9_\\-]{1,32}"))
                Field.text(
                    "tags", "Tags",
                    hint: "Each as a name, with commas between them, at most 64; may stay empty.",
                    Attribute("title", "1 to 32 letters, digits, hyphens or underscores each; at most 64 tags."),
                    Attribute("pattern", tagsPattern))
            }
        }
    }

    /// The rule that models have for tags, so that a wrong one is told before the file is uploaded.
    private static let tagsPattern: String = {
        let tag = #"\s*([A-Za-z0-9_\-]{1,32}\s*)?"#
        return "\(tag)(,\(tag)){0,63}"
    }()

    private static func newVersion(_ request: PageRequest) throws -> Page {
        let model = try PageModel(request)
        return Page(
            "Upload a version of \(model.name)", .models, above: model.above,
            commands: [ShellText.command("hearth", "models", "push", model.name, "FILE.tflite")],
            scripts: scripts
        ) {
            upload(request, model: model) {
                Field.text(
                    "note", "Note", hint: "One line, such as what changed in the training; may stay empty.",
                    Attribute("maxlength", "500"))
            }
        }
    }

    private static func upload(
        _ request: PageRequest, model: PageModel?, @MarkupBuilder fields: () -> Markup
    ) -> Markup {
        .joined {
            Markup.element(
                "noscript", [],
                p(.class("hint")) {
                    "Uploading in the browser needs JavaScript. Without it, use the command line: ";
                    code { "hearth models push" }; "."
                })
            Markup.element(
                "form",
                [
                    .id("upload"), Attribute("data-project", request.project),
                    Attribute("data-model", model?.id ?? ""),
                    .data("data-models", request.link("models")),
                ],
                .joined {
                    fields()
                    div(.class("drop"), .id("drop")) {
                        p { "Drop a .tflite file, an AutoML folder or its .zip here, or choose it:" }
                        div(.class("actions")) {
                            label(for: "file") { "File" }
                            input(.id("file"), .type("file"), Attribute("accept", ".tflite,.zip,.lite,.bin"))
                            label(for: "folder") { "Folder" }
                            input(.id("folder"), .type("file"), Attribute("webkitdirectory", if: true))
                        }
                        p(.id("chosen"), .class("faint"), Attribute("role", "status")) { "Nothing is chosen." }
                    }
                    p {
                        button(.class("primary"), .id("send"), Attribute("disabled", if: true)) { "Upload" }
                    }
                })
            div(.id("progress"), Attribute("hidden", if: true)) {
                label(for: "bar") { "Progress of the upload" }
                progress(.id("bar"), Attribute("max", "100"), .value("0")) { "0 %" }
                p(.id("status"), Attribute("role", "status")) { "" }
                p { button(.type("button"), .id("cancel")) { "Cancel the upload" } }
            }
            div(.id("result"), Attribute("role", "alert"), Attribute("hidden", if: true)) { "" }
        }
    }
}
