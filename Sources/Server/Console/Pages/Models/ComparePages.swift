import HearthCalls
import HearthHTTP
import HearthWire

/// How two versions of a model differ.
enum ComparePages {
    static let routes: [ConsoleRoute] = [.page("projects/{project}/models/{model}/compare", show)]

    private static func show(_ request: PageRequest) throws -> Page {
        let model = try PageModel(request)
        let versions = try model.versions()
        let right = request.fields.text("right") ?? versions.first.map { "\($0.version)" } ?? ""
        let left =
            request.fields.text("left") ?? model.released.map(String.init) ?? versions.dropFirst().first.map {
                "\($0.version)"
            } ?? right
        let compared =
            versions.isEmpty
            ? nil
            : try request.api.call(VersionCalls.compare, model.id, right, query: [("with", left)])
        return Page(
            "Compare versions of \(model.name)", .models, above: model.above,
            commands: [ShellText.command("hearth", "models", "compare", model.name, left, right)]
        ) {
            Markup.element(
                "form", [.class("actions"), .action(model.link("compare"))],
                .joined {
                    chooser("left", "Version before", versions, left)
                    chooser("right", "Version after", versions, right)
                    button { "Compare" }
                })
            if let compared {
                verdict(compared, left, right)
                differences(compared)
                costs(compared)
                p {
                    a(model.link("try").with([("version", right), ("with", left)]), .class("button")) {
                        "Try both on an image"
                    }
                }
            } else {
                p(.class("empty")) { "The model has no version yet." }
            }
        }
    }

    private static func chooser(
        _ name: String, _ title: String, _ versions: [ReleaseBodies.Version], _ chosen: String
    ) -> Markup {
        .joined {
            label(for: name) { title }
            select(.id(name), .name(name)) {
                versions.map { option("\($0.version)", "Version \($0.version)", isSelected: "\($0.version)" == chosen) }
            }
        }
    }

    private static func verdict(_ compared: VersionComparison, _ left: String, _ right: String) -> Markup {
        compared.fitsApps
            ? p(.class("notice")) { "An app that was written for version \(left) can use version \(right)." }
            : p(.class("hint")) {
                """
                An app that was written for version \(left) may not understand version \(right). Release it with an \
                audience of apps that do, or change the apps first.
                """
            }
    }

    private static func differences(_ compared: VersionComparison) -> Markup {
        let all = compared.differences
        let contract = all.filter { $0.affectsApps }
        return .joined {
            section {
                h2 { "Contract" }
                if contract.isEmpty {
                    p { "The contracts are equal." }
                } else {
                    table("Differences of the contracts", contract, compared)
                }
                if let more = compared.omittedDifferences {
                    p(.class("faint")) {
                        "\(NumberText.count(more, "more difference")) \(more == 1 ? "is" : "are") not shown."
                    }
                }
            }
            operators(all.filter { $0.place == "operators" }, compared)
            metadata(all.filter { !$0.affectsApps && $0.place != "operators" }, compared)
        }
    }

    private static func table(
        _ title: String, _ items: [VersionComparison.Difference], _ compared: VersionComparison
    ) -> Markup {
        DataTable(
            title, ["What", "Version \(compared.with.version)", "Version \(compared.version.version)"]
        ).rows(items) { item in
            let isText = item.before == nil && item.after == nil
            return [
                .text(isText ? item.text : item.name ?? item.place),
                item.before.map { text in span(.class("removed")) { text } } ?? .text(isText ? "" : "–"),
                item.after.map { text in span(.class("added")) { text } } ?? .text(isText ? "" : "–"),
            ]
        }
    }

    @MarkupBuilder
    private static func operators(
        _ items: [VersionComparison.Difference], _ compared: VersionComparison
    ) -> Markup {
        if !items.isEmpty {
            section {
                h2 { "Operators" }
                p {
                    "What the engine must be able to do. Apps do not notice it, unless their engine lacks an operator."
                }
                only(compared.with.version, items.filter { $0.after == nil }.compactMap(\.before))
                only(compared.version.version, items.filter { $0.before == nil }.compactMap(\.after))
                let counts = items.filter { $0.before != nil && $0.after != nil }
                if !counts.isEmpty { table("Operators that both use in other numbers", counts, compared) }
            }
        }
    }

    @MarkupBuilder
    private static func only(_ version: Int, _ names: [String]) -> Markup {
        if !names.isEmpty {
            p {
                "Only version \(version) uses: "
                names.enumerated().map { index, name in
                    Markup.joined {
                        if index > 0 { ", " }
                        code { name }
                    }
                }
                "."
            }
        }
    }

    @MarkupBuilder
    private static func metadata(
        _ items: [VersionComparison.Difference], _ compared: VersionComparison
    ) -> Markup {
        if !items.isEmpty {
            section {
                h2 { "Metadata" }
                table("Differences of the metadata", items, compared)
            }
        }
    }

    private static func costs(_ compared: VersionComparison) -> Markup {
        let sides = [compared.with, compared.version]
        func row(_ name: String, _ value: (VersionComparison.Side) -> Markup) -> [Markup] {
            [.text(name)] + sides.map(value)
        }
        let rows = [
            row("Check") { .text($0.verdict) },
            row("Size") { .text(Int64($0.sizeBytes).map(NumberText.bytes) ?? $0.sizeBytes) },
            row("Time per run (half of the runs)") {
                .text($0.figures.map { NumberText.milliseconds($0.medianMicroseconds) } ?? $0.figuresNote ?? "–")
            },
            row("Time per run (nine of ten runs)") {
                .text($0.figures.map { NumberText.milliseconds($0.p90Microseconds) } ?? "–")
            },
            row("Loading") { .text($0.figures.map { NumberText.milliseconds($0.loadMicroseconds) } ?? "–") },
            row("Memory") { .text($0.figures.map { NumberText.bytes(Int64($0.peakMemoryBytes)) } ?? "–") },
            row("SHA-256") { side in code { String(side.modelHash.prefix(16)) } },
        ]
        return section {
            h2 { "Size and speed" }
            DataTable(
                "Size and speed on this server",
                ["", "Version \(compared.with.version)", "Version \(compared.version.version)"].map {
                    $0.isEmpty ? "What" : $0
                }
            )
            .rows(rows) { $0 }
        }
    }
}
