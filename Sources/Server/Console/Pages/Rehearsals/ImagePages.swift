import HearthCalls
import HearthCatalog
import HearthHTTP
import HearthWire

/// The images on which a model's versions are rehearsed: people add them, look through them and remove them. The files go
/// one by one, by a script, through the same call as those of the command line.
enum ImagePages {
    private static let pattern = "projects/{project}/models/{model}/images"
    private static let pageSize = 100

    static let routes: [ConsoleRoute] = ConsoleRoute.form(
        pattern, for: .publisher, reading: ["from"], show: show, submit: remove)

    private static func show(_ request: PageRequest) throws -> Page {
        let model = try PageModel(request)
        let images = try request.api.call(RehearsalCalls.listImages, model.id).images ?? []
        return Page(
            "Images of \(model.name)", .models,
            above: model.above + [("Rehearsals", model.link("rehearsals"))],
            commands: [
                ShellText.command("hearth", "models", "images", "add", model.name, "FOLDER"),
                ShellText.command("hearth", "models", "images", "list", model.name),
                ShellText.command("hearth", "models", "images", "delete", model.name, images.first?.name ?? "NAME"),
            ], scripts: ["images.js"]
        ) {
            p {
                """
                The server runs each new version on these images, in its sandbox, and shows which answers changed. \
                Only publishers and owners see them.
                """
            }
            adder(request, model)
            section(.id("list")) {
                h2 { "\(NumberText.count(images.count, "image"))" }
                if images.isEmpty {
                    p(.class("empty")) { "The model has no images yet." }
                } else {
                    p {
                        "\(NumberText.bytes(images.reduce(0) { $0 + (Int64($1.sizeBytes) ?? 0) })) in all. "
                        a(model.link("rehearsals")) { "Rehearse a version on them" }
                    }
                    table(request, model, images)
                }
            }
        }
    }

    // MARK: Adding

    private static func adder(_ request: PageRequest, _ model: PageModel) -> Markup {
        let limits = RehearsalLimits()
        return section {
            h2 { "Add images" }
            Markup.element(
                "noscript", [],
                p(.class("hint")) {
                    "Adding images in the browser needs JavaScript. Without it, use the command line: ";
                    code { ShellText.command("hearth", "models", "images", "add", model.name, "FOLDER") }; "."
                })
            Markup.element(
                "form",
                [
                    .id("images"), Attribute("data-project", request.project), Attribute("data-model", model.id),
                    Attribute("data-most-bytes", "\(limits.imageBytes)"),
                ],
                .joined {
                    Field.text(
                        "label", "Expected answer",
                        hint: """
                            Of all images that you add now; may stay empty. In a folder, the folders name the \
                            answers: daisy/1.jpg is expected to be daisy.
                            """,
                        Attribute("maxlength", "\(limits.labelBytes)"))
                    div(.class("drop"), .id("drop")) {
                        p { "Drop images here, or choose them:" }
                        div(.class("actions")) {
                            label(for: "files") { "Images" }
                            input(
                                .id("files"), .type("file"), Attribute("accept", "image/*"),
                                Attribute("multiple", if: true))
                            label(for: "folder") { "Folder" }
                            input(.id("folder"), .type("file"), Attribute("webkitdirectory", if: true))
                        }
                        p(.class("faint")) {
                            """
                            JPEG, PNG, WebP, BMP or GIF. A model has at most \(limits.images) images, of at most \
                            \(limits.imageBytes >> 20) MiB each and \(limits.setBytes >> 20) MiB in all. An image of \
                            a name that is there already replaces it.
                            """
                        }
                    }
                })
            p(.id("status"), Attribute("role", "status")) { "" }
            ul(.id("refused"), .class("problem"), Attribute("hidden", if: true), .label("Images that were not added")) {
                ""
            }
        }
    }

    // MARK: The list

    private static func table(
        _ request: PageRequest, _ model: PageModel, _ images: [RehearsalBodies.Image]
    ) -> Markup {
        let part = ListPart(of: images, size: pageSize, request.fields)
        return .joined {
            form(request, model.link("images").with([("from", "\(part.first)")])) {
                DataTable("Images of the model", ["Name", "Expected answer", "Size", "Added", "By", "Remove"])
                    .rows(part.items) { image in
                        [
                            a(link(request, model, image)) { image.name }, .text(image.label ?? "none"),
                            .text(Int64(image.sizeBytes).map(NumberText.bytes) ?? image.sizeBytes),
                            Times.moment(image.createTime), .text(model.shortName(ofActor: image.createdBy)),
                            input(
                                .type("checkbox"), .name("remove"), .value(image.name), .label("Remove \(image.name)")),
                        ]
                    }
                p {
                    button(.class("danger")) { "Remove the chosen images" }
                    " Rehearsals that are done keep their results, without the removed pictures."
                }
            }
            if images.count > pageSize {
                nav(.label("Pages of the list"), .class("actions")) {
                    if let before = part.before {
                        a(model.link("images").with([("from", "\(before)")])) { "Images before" }
                    }
                    if let next = part.next {
                        a(model.link("images").with([("from", "\(next)")])) { "More images" }
                    }
                }
            }
        }
    }

    private static func link(_ request: PageRequest, _ model: PageModel, _ image: RehearsalBodies.Image) -> Link {
        request.site.link(
            "api", "hearth", "v1", "projects", request.project, "models", model.id, "images", image.name)
    }

    private static func remove(_ request: PageRequest) throws -> ConsoleRoute.Answer {
        let model = try PageModel(request)
        let names = request.fields.all("remove")
        guard !names.isEmpty else {
            throw APIFailure(status: 400, message: "No image is chosen. Mark the images to remove in the list.")
        }
        guard names.count <= pageSize else {
            throw APIFailure(status: 400, message: "Remove at most \(pageSize) images at a time.")
        }
        // One that somebody else has removed meanwhile is gone, as wanted.
        for name in names {
            do {
                try request.api.send(RehearsalCalls.deleteImage, model.id, name)
            } catch let failure as APIFailure where failure.status == 404 {
                continue
            }
        }
        return .redirect(model.link("images").done(.removed))
    }
}
