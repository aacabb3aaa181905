import HearthCalls
import HearthCatalog
import HearthHTTP
import HearthWire

/// Runs one or two versions on the reader's own image, on the server, in its sandbox. Nothing is stored.
enum TryPages {
    static let routes: [ConsoleRoute] = [.page("projects/{project}/models/{model}/try", show)]

    private static func show(_ request: PageRequest) throws -> Page {
        let model = try PageModel(request)
        let versions = try model.versions().filter { $0.verdict != "malformed" && $0.verdict != "pending" }
        let first = request.fields.text("version") ?? versions.first.map { "\($0.version)" } ?? ""
        let second = request.fields["with"]
        let isKnown = versions.contains { "\($0.version)" == first }
        let chosen = isKnown ? try request.api.find(VersionCalls.get, model.id, first) : nil
        // Only publishers may see the team's images.
        let samples =
            request.may(.publisher)
            ? try request.api.find(RehearsalCalls.listImages, model.id)?.images ?? [] : []
        return Page(
            "Try \(model.name)", .models, above: model.above,
            commands: [ShellText.command("hearth", "models", "try", model.name, "IMAGE.jpg", "--version", first)],
            scripts: versions.isEmpty ? [] : ["making.js", "processing.js", "try.js"]
        ) {
            if versions.isEmpty {
                p(.class("empty")) {
                    "No version can be run here. "; a(model.link("upload")) { "Upload one" }; "."
                }
            } else {
                Markup.element(
                    "noscript", [],
                    p(.class("hint")) {
                        "Trying in the browser needs JavaScript. Without it, use the command line: ";
                        code { "hearth models try" }; "."
                    })
                controls(
                    request, model, versions, first, second, lacksProcessing: chosen?.contract?.vision?.problem != nil)
                sampleList(model, samples)
                results
            }
        }
    }

    private static func controls(
        _ request: PageRequest, _ model: PageModel, _ versions: [ReleaseBodies.Version], _ first: String,
        _ second: String, lacksProcessing: Bool
    ) -> Markup {
        .element(
            "form",
            [
                .id("try"), Attribute("data-project", request.project), Attribute("data-model", model.id),
                Attribute("data-name", model.name),
            ],
            .joined {
                div(.class("actions")) {
                    label(for: "version") { "Version" }
                    select(.id("version"), .name("version")) { choices(versions, first) }
                    label(for: "with") { "beside" }
                    select(.id("with"), .name("with")) {
                        option("", "no other version", isSelected: second.isEmpty)
                        choices(versions, second)
                    }
                }
                TryFields.markup(isOpen: lacksProcessing)
                div(.class("drop"), .id("drop")) {
                    p { "Drop an image here, or take one:" }
                    div(.class("actions")) {
                        label(for: "image") { "Image" }
                        input(.id("image"), .type("file"), Attribute("accept", "image/*"))
                        button(.type("button"), .id("camera")) { "Use the camera" }
                    }
                    p(.class("faint")) {
                        "The image goes to your server, which runs the model in its sandbox and forgets the image."
                    }
                }
                div(.id("viewfinder"), Attribute("hidden", if: true)) {
                    Markup.element(
                        "video",
                        [
                            .id("video"), Attribute("playsinline", if: true), Attribute("muted", if: true),
                            .label("What the camera sees"),
                        ], .empty)
                    div(.class("actions")) {
                        button(.type("button"), .class("primary"), .id("shoot")) { "Take the image" }
                        button(.type("button"), .id("close-camera")) { "Close the camera" }
                    }
                }
            })
    }

    private static func choices(_ versions: [ReleaseBodies.Version], _ chosen: String) -> Markup {
        .joined {
            versions.map { option("\($0.version)", "Version \($0.version)", isSelected: "\($0.version)" == chosen) }
        }
    }

    @MarkupBuilder
    private static func sampleList(_ model: PageModel, _ samples: [RehearsalBodies.Image]) -> Markup {
        if !samples.isEmpty {
            details {
                summary { "Images of the rehearsals (\(samples.count))" }
                ul(.class("images")) {
                    samples.prefix(24).map { sample in
                        li {
                            button(.type("button"), .class("plain"), Attribute("data-sample", sample.name)) {
                                sample.name
                            }
                        }
                    }
                }
            }
        }
    }

    private static var results: Markup {
        .joined {
            p(.id("status"), Attribute("role", "status")) { "" }
            div(.id("result"), .class("problem"), Attribute("role", "alert"), Attribute("hidden", if: true)) { "" }
            div(.id("answers"), Attribute("hidden", if: true)) {
                div(.class("field")) {
                    label(for: "threshold") {
                        "Least confidence: "; span(.id("threshold-text")) { "50 %" }
                    }
                    input(
                        .id("threshold"), .type("range"), Attribute("min", "0"), Attribute("max", "100"), .value("50"))
                }
                div(.class("columns"), .id("columns")) { "" }
                p(.class("faint")) {
                    "A first run takes longer than those after it; the page of the model has the times of many runs."
                }
            }
        }
    }
}
