import HearthCatalog
import HearthWire

/// How often a gate refuses equally good versions on a model's images, and which losses it finds.
struct GateView {
    private let gate: RehearsalGate
    private let counts: RehearsalCounts

    /// Nil for a text that is no gate, and for none.
    init?(_ text: String?, of model: PageModel, _ request: PageRequest) throws {
        guard let gate = text.flatMap({ try? RehearsalGate($0) }) else { return nil }
        let images = try request.api.get(RehearsalBodies.ImageList.self, model.path("images")).images ?? []
        (self.gate, counts) = (gate, RehearsalCounts(images))
    }

    @MarkupBuilder
    var markup: Markup {
        DataTable("How often the requirements err", GateTable.columns).rows(GateTable.rows(gate, on: counts)) { cells in
            cells.map { .text($0) }
        }
        ul(.class("faint")) { GateTable.explanation(of: gate, on: counts).map { line in li { line } } }
    }
}
