import HearthAdmin
import HearthArguments
import HearthLocalCommands
import HearthRemoteConfigTemplates
import HearthTargeting
import HearthWire

struct ConfigConditionsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "conditions",
        abstract: "List the template's conditions in order of priority.",
        discussion:
            "A parameter gets the value of the first condition that the device meets and for which it has a value.",
        examples: ["hearth remoteconfig conditions"])

    @OptionGroup var namespace: NamespaceOption
    @OptionGroup var tables: TableOption
    @OptionGroup var admin: AdminOptions

    func run() throws {
        let template = try admin.client().template(namespace.namespace).template
        let conditions = template.conditions ?? []
        if admin.json { return try Output.json(["conditions": conditions]) }
        guard !conditions.isEmpty else {
            return Output.line(
                "The template has no conditions. Add them in its file: hearth remoteconfig put --help")
        }
        Output.line(Self.table(template).text(width: tables.width))
    }

    static func table(_ template: RemoteConfigTemplate) -> TextTable {
        var table = TextTable([
            .number("PRIORITY", dropOrder: 1), "NAME", .text("EXPRESSION", isTruncatable: true),
            .text("PARAMETERS", dropOrder: 2, isTruncatable: true),
        ])
        let parameters = template.allParameters
        for (index, condition) in (template.conditions ?? []).enumerated() {
            let users = parameters.filter { $0.parameter.conditionalValues?[condition.name] != nil }
            table.append([
                String(index + 1), condition.name, condition.expression, users.map(\.key).joined(separator: ", "),
            ])
        }
        return table
    }
}

/// An invalid condition, with a mark below the wrong character, for a terminal.
enum ConditionErrorText {
    /// Nil if the text is a condition.
    static func text(_ expression: String) -> String? {
        do throws(ConditionSyntaxError) {
            _ = try Condition(expression)
            return nil
        } catch {
            let lines = error.marked(in: expression).split(separator: "\n", omittingEmptySubsequences: false)
            return lines.map { String($0).printable }.joined(separator: "\n")
        }
    }

    /// For the first invalid condition of the template.
    static func text(in template: RemoteConfigTemplate) -> String? {
        (template.conditions ?? []).lazy.compactMap { text($0.expression) }.first
    }
}
