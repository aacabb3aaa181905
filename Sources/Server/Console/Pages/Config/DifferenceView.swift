import HearthRemoteConfigTemplates
import HearthWire

/// The changes from one template to another, as a list.
enum DifferenceView {
    /// How many changes a page lists. More than that nobody reads; the templates themselves are there as JSON.
    private static let limit = 300

    static func list(_ difference: TemplateDifference, label: String) -> Markup {
        .joined {
            ul(.class("changes"), .label(label)) { difference.changes.prefix(limit).map(item) }
            if difference.changes.count > limit {
                p { "… and \(NumberText.count(difference.changes.count - limit)) more." }
            }
        }
    }

    private static func item(_ change: TemplateDifference.Change) -> Markup {
        li {
            p {
                Badge.mark(change.kind.rawValue, badge(change.kind)); " "
                strong { change.place.title }
            }
            if change.place == .conditionOrder {
                p { order(change.after) }
            } else {
                if let before = change.before { side("Before", "removed", before) }
                if let after = change.after { side("After", "added", after) }
                closer(change)
            }
        }
    }

    private static func side(_ title: String, _ kind: String, _ statement: TemplateDifference.Statement) -> Markup {
        p(.class(kind)) {
            span(.class("faint")) { "\(title): " }
            switch statement {
            case .value(let value): ConfigValueView.cell(value, length: ConfigValueView.listLength)
            case .noValue: ConfigValueView.cell(nil)
            case .word(let text): ConfigValueView.short(text, ConfigValueView.listLength)
            case .names(let names): names.joined(separator: ", ")
            }
        }
    }

    private static func order(_ statement: TemplateDifference.Statement?) -> Markup {
        guard case .names(let names)? = statement else { return .empty }
        let shown = names.prefix(50).map { "‘\($0)’" }.joined(separator: ", ")
        return .text("The new order: \(shown)\(names.count > 50 ? ", …" : "").")
    }

    /// Two long texts are cut before the place at which they differ.
    @MarkupBuilder
    private static func closer(_ change: TemplateDifference.Change) -> Markup {
        if isCut(change.before) && isCut(change.after), let difference = change.textDifference {
            p {
                "They differ from character \(NumberText.count(difference.commonPrefix + 1)): "
                ConfigValueView.short(difference.before, ConfigValueView.listLength)
                " became "
                ConfigValueView.short(difference.after, ConfigValueView.listLength)
            }
        }
    }

    private static func isCut(_ statement: TemplateDifference.Statement?) -> Bool {
        switch statement {
        case .value(.text(let text)), .word(let text): text.utf8.count > ConfigValueView.listLength
        default: false
        }
    }

    private static func badge(_ kind: TemplateDifference.Change.Kind) -> Badge.Kind {
        switch kind {
        case .added: .good
        case .removed: .bad
        case .changed: .warning
        case .moved: .neutral
        }
    }
}
