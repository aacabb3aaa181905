/// What a property wrapper holds: before parsing what its argument is, afterwards its value.
enum ArgumentState<Value> {
    case declared(ArgumentDeclaration)
    case parsed(Value)

    var declaration: ArgumentDeclaration? {
        if case .declared(let declaration) = self { declaration } else { nil }
    }

    /// Reading a value that was never parsed is a programmer error, no user input leads here.
    var value: Value {
        switch self {
        case .parsed(let value): value
        case .declared: preconditionFailure("An argument was read before it was parsed; use parse(_:) or main()")
        }
    }
}
