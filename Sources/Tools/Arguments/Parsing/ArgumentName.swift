/// A name on the command line: `-m` or `--model`.
enum ArgumentName: Hashable, CustomStringConvertible {
    case short(Character)
    case long(String)

    var isShort: Bool {
        if case .short = self { true } else { false }
    }

    var description: String {
        switch self {
        case .short(let letter): "-\(letter)"
        case .long(let name): "--\(name)"
        }
    }
}
