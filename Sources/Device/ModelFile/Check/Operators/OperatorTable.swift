import Synchronization

/// What each builtin operator needs, from tables by family: `OperatorTable+Arithmetic.swift` and others.
///
/// The engine's kernels do not check all that they rely on; what these tables do not allow may end the process. Each row is
/// one way to use an operator. `OperandNeeds` and `OperatorNeeds` say how rows are read.
enum OperatorTable {
    /// The ways to use an operator; nil for operators that the engine does not have.
    static func needs(of code: Int) -> [OperatorNeeds]? {
        guard let rows = rows[code] else { return nil }
        return known.withLock { known in
            if let needs = known[code] { return needs }
            let needs = rows.map(read)
            known[code] = needs
            return needs
        }
    }

    /// Which of its options the table asks for, for the reader of the file: the type's number and the fields with their
    /// defaults.
    static func options(of code: Int) -> OptionNeeds? {
        needs(of: code)?.lazy.compactMap(\.options).first
    }

    /// The rows that were read. Reading all of them takes longer than loading a small model, so each operator's are read
    /// when a model has it.
    private static let known = Mutex<[Int: [OperatorNeeds]]>([:])

    /// The rows that name an operator, unread. As bytes: to find characters in a text takes many times as long.
    private static let rows: [Int: [Substring]] = {
        var rows: [Int: [Substring]] = [:]
        for family in [arithmetic, matrices, images, reductions, shapes, lookups, others] {
            for line in family.utf8.split(separator: UInt8(ascii: "\n")) where line.first != UInt8(ascii: "#") {
                let names = line.prefix { $0 != UInt8(ascii: " ") }
                for name in names.split(separator: UInt8(ascii: ",")) {
                    for code in BuiltinOperator.numbers(String(Substring(name))) {
                        rows[code, default: []].append(Substring(line))
                    }
                }
            }
        }
        return rows
    }()

    /// A row is `NAME,NAME inputs > outputs | options ; T: types`.
    private static func read(_ line: Substring) -> OperatorNeeds {
        let parts = line.split(separator: ";")
        var letters: [Character: TypeSet] = [:]
        for definition in parts.dropFirst() {
            let sides = definition.split(separator: ":")
            letters[sides[0].drop { $0 == " " }.first!] = TypeSet(sides[1].split(separator: " ")[0])
        }
        return OperatorNeeds(parts[0].drop { $0 != " " }, letters: letters)
    }
}
