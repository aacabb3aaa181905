/// What each builtin operator needs, from tables by family: `OperatorTable+Arithmetic.swift` and others.
///
/// The engine's kernels do not check all that they rely on; what these tables do not allow may end the process. Each row is
/// one way to use an operator. `OperandNeeds` and `OperatorNeeds` say how rows are read.
enum OperatorTable {
    /// The ways to use an operator; nil for operators that the engine does not have.
    static func needs(of code: Int) -> [OperatorNeeds]? {
        needs[code]
    }

    /// Which of its options the table asks for, for the reader of the file: the type's number and the fields with their
    /// defaults.
    static func options(of code: Int) -> OptionNeeds? {
        needs[code]?.lazy.compactMap(\.options).first
    }

    private static let needs: [Int: [OperatorNeeds]] = {
        var needs: [Int: [OperatorNeeds]] = [:]
        for family in [arithmetic, matrices, images, reductions, shapes, lookups, others] {
            for line in family.split(separator: "\n") where !line.hasPrefix("#") {
                read(line, into: &needs)
            }
        }
        return needs
    }()

    /// A row is `NAME,NAME inputs > outputs | options ; T: types`.
    private static func read(_ line: Substring, into needs: inout [Int: [OperatorNeeds]]) {
        let parts = line.split(separator: ";")
        var letters: [Character: TypeSet] = [:]
        for definition in parts.dropFirst() {
            let sides = definition.split(separator: ":")
            letters[sides[0].drop { $0 == " " }.first!] = TypeSet(sides[1].split(separator: " ")[0])
        }
        let names = parts[0].prefix { $0 != " " }
        let row = OperatorNeeds(parts[0][names.endIndex...], letters: letters)
        for name in names.split(separator: ",") {
            for code in BuiltinOperator.numbers(String(name)) { needs[code, default: []].append(row) }
        }
    }
}
