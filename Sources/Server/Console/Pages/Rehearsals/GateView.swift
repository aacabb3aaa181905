import HearthCalls
import HearthCatalog
import HearthWire

/// How often a gate refuses equally good versions on a model's images, and which losses it finds.
struct GateView {
    private let table: GateTable

    /// Nil for a text that is no gate, and for none.
    init?(_ text: String?, of model: PageModel, _ request: PageRequest) throws {
        guard let gate = text.flatMap({ try? RehearsalGate($0) }) else { return nil }
        let images = try request.api.call(RehearsalCalls.listImages, model.id).images ?? []
        table = GateTable(gate, on: RehearsalCounts(images))
    }

    @MarkupBuilder
    var markup: Markup {
        DataTable("How often the requirements err", GateTable.columns).rows(table.rows) { cells in
            cells.map { .text($0) }
        }
        ul(.class("faint")) { table.explanation.map { line in li { line } } }
    }
}
