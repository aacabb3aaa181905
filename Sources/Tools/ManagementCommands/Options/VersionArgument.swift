import HearthAdmin
import HearthArguments
import HearthCalls
import HearthLocalCommands
import HearthWire

/// A version of a model on the command line: its number, or an alias.
enum VersionArgument: ExpressibleByArgument, ValueExpectation, Hashable {
    case number(Int)
    case alias(String)

    init?(argument: String) {
        if let number = Int(argument), number >= 1 {
            self = .number(number)
        } else if WireNames.isVersionAlias(argument) {
            self = .alias(argument)
        } else {
            return nil
        }
    }

    static var expectation: String { "the number of a version, from 1, or an alias such as champion" }

    var defaultValueDescription: String {
        switch self {
        case .number(let number): String(number)
        case .alias(let alias): alias
        }
    }

    /// The number of the version. Asks the server which version has the alias, and says it on standard error.
    ///
    /// - Parameter model: its resource name.
    func number(of model: String, _ client: AdminClient) throws(AdminError) -> Int {
        switch self {
        case .number(let number): return number
        case .alias(let alias):
            let number = try client.version(alias: alias, of: model).version
            Output.note("\(alias) is version \(number).")
            return number
        }
    }
}
