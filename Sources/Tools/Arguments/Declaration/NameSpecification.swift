/// The names of an option or a flag.
package struct NameSpecification: ExpressibleByArrayLiteral, Sendable {
    /// One name.
    package struct Element: Hashable, Sendable {
        enum Form: Hashable {
            case long
            case short
            case customLong(String)
            case customShort(Character)
        }

        let form: Form

        /// `--` and the property's name in kebab case.
        package static var long: Element { Element(form: .long) }
        /// `-` and the first letter of the property's name.
        package static var short: Element { Element(form: .short) }
        /// `--` and the given name.
        package static func customLong(_ name: String) -> Element { Element(form: .customLong(name)) }
        /// `-` and the given letter.
        package static func customShort(_ letter: Character) -> Element { Element(form: .customShort(letter)) }
    }

    let elements: [Element]

    package init(_ elements: some Sequence<Element>) {
        self.elements = Array(elements)
    }

    package init(arrayLiteral elements: Element...) {
        self.elements = elements
    }

    /// `--` and the property's name in kebab case.
    package static var long: NameSpecification { [.long] }
    /// `-` and the first letter of the property's name.
    package static var short: NameSpecification { [.short] }
    /// Both ``short`` and ``long``.
    package static var shortAndLong: NameSpecification { [.short, .long] }
    /// `--` and the given name.
    package static func customLong(_ name: String) -> NameSpecification { [.customLong(name)] }
    /// `-` and the given letter.
    package static func customShort(_ letter: Character) -> NameSpecification { [.customShort(letter)] }

    /// The names for a property, short ones first.
    func names(for property: String) -> [ArgumentName] {
        let kebab = property.kebabCased
        let names = elements.compactMap { element -> ArgumentName? in
            switch element.form {
            case .long: .long(kebab)
            case .short: kebab.first.map(ArgumentName.short)
            case .customLong(let name): .long(name)
            case .customShort(let letter): .short(letter)
            }
        }
        return names.filter(\.isShort) + names.filter { !$0.isShort }
    }
}

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

extension String {
    /// `modelName` and `ModelName` as `model-name`, `outputURL` as `output-url`.
    var kebabCased: String {
        let letters = Array(self)
        var result = ""
        for (index, letter) in letters.enumerated() {
            if letter == "_" {
                result += "-"
                continue
            }
            if letter.isUppercase && index > 0 {
                let previous = letters[index - 1]
                let nextIsLowercase = index + 1 < letters.count && letters[index + 1].isLowercase
                let startsWord = previous.isLowercase || previous.isNumber || (previous.isUppercase && nextIsLowercase)
                if startsWord { result += "-" }
            }
            result += letter.lowercased()
        }
        return result
    }
}
