/// What a form was sent with, for a page that does not show the form itself: nothing that somebody typed is lost.
struct SentForm: Sendable {
    /// What no person typed.
    private static let own: Set = [FormToken.field, SingleUseForms.field]
    /// What no person typed but a form cannot do without: which state of things the page showed.
    private static let marks: Set = ["base", "shown", "draft", "active"]

    private let fields: [(name: String, value: String)]
    private let holdsSecret: Bool

    init(_ fields: FormFields, of route: ConsoleRoute) {
        // The proof of a sign-in that went astray is a secret.
        self.fields = fields.without(Self.own.union(["proof"]))
        holdsSecret = route.holdsSecret
    }

    /// Sends the same again with the form around it.
    var hidden: [Markup] { fields.map { input(.type("hidden"), .name($0.name), .value($0.value)) } }

    /// To read and to copy.
    @MarkupBuilder
    var list: Markup {
        let typed = holdsSecret ? [] : fields.filter { !$0.value.isEmpty && !Self.marks.contains($0.name) }
        if !typed.isEmpty {
            h2 { "What you sent" }
            typed.map { field in
                Markup.joined {
                    h3 { field.name }
                    // A first line break after the tag would be swallowed.
                    pre(.class("sent")) { "\n" + field.value }
                }
            }
        }
    }
}
