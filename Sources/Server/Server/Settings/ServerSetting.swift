import HearthHTTP
import HearthRouting

/// One setting: its name, what it takes, and where its value goes.
///
/// The name is that of the flag (`--upload-bytes`), of the environment variable (`HEARTH_UPLOAD_BYTES`) and of the line in a
/// file (`upload-bytes = 1000`). Names of numbers contain the unit.
package struct ServerSetting: Sendable {
    package let name: String
    /// One sentence.
    package let summary: String
    /// The name of the value in help: `number`, `file`.
    package let valueName: String
    /// What the setting accepts, to follow "give": `a whole number from 1 to 1024`.
    package let expectation: String
    /// Whether `--name` alone switches it on.
    package let isSwitch: Bool
    /// The default in words, if it depends on the machine.
    var defaultSummary: String?
    /// Parses a text and stores the value; false if the text is invalid.
    let read: @Sendable (String, inout ServerConfiguration) -> Bool
    /// What is wrong with a text, without the text itself: it may contain a secret. Nil where the expectation says it.
    var problem: @Sendable (String) -> String? = { _ in nil }
    /// The text of the present value; empty without a value.
    let text: @Sendable (ServerConfiguration) -> String

    /// The environment variable.
    package var variable: String { "HEARTH_" + name.uppercased().replacing("-", with: "_") }

    /// The default; empty without one.
    package var defaultText: String { defaultSummary ?? text(ServerConfiguration()) }
}

extension ServerSetting {
    typealias Place<Value> = any WritableKeyPath<ServerConfiguration, Value> & Sendable

    static func number<Number: FixedWidthInteger & Sendable>(
        _ name: String, _ place: Place<Number>, _ range: ClosedRange<Number>, _ summary: String,
        defaultSummary: String? = nil
    ) -> ServerSetting {
        ServerSetting(
            name: name, summary: summary, valueName: "number",
            expectation: "a whole number from \(range.lowerBound) to \(range.upperBound)", isSwitch: false,
            defaultSummary: defaultSummary,
            read: { text, configuration in
                guard let number = Number(text), range.contains(number) else { return false }
                configuration[keyPath: place] = number
                return true
            }, text: { "\($0[keyPath: place])" })
    }

    /// A duration, also with a fraction.
    static func seconds(
        _ name: String, _ place: Place<Double>, _ range: ClosedRange<Double>, _ summary: String
    ) -> ServerSetting {
        ServerSetting(
            name: name, summary: summary, valueName: "seconds",
            expectation: "a number from \(plain(range.lowerBound)) to \(plain(range.upperBound))", isSwitch: false,
            read: { text, configuration in
                guard let number = Double(text), range.contains(number) else { return false }
                configuration[keyPath: place] = number
                return true
            }, text: { plain($0[keyPath: place]) })
    }

    /// A required text.
    static func text(
        _ name: String, _ place: Place<String>, _ valueName: String, _ summary: String, expectation: String? = nil,
        accepts: @escaping @Sendable (String) -> Bool = { !$0.isEmpty }
    ) -> ServerSetting {
        ServerSetting(
            name: name, summary: summary, valueName: valueName, expectation: expectation ?? "a \(valueName)",
            isSwitch: false,
            read: { text, configuration in
                configuration[keyPath: place] = text
                return accepts(text)
            }, text: { $0[keyPath: place] })
    }

    /// An optional text; an empty one removes it.
    static func optional(
        _ name: String, _ place: Place<String?>, _ valueName: String, _ summary: String,
        expectation: String? = nil, problem: @escaping @Sendable (String) -> String? = { _ in nil },
        accepts: @escaping @Sendable (String) -> Bool = { _ in true }
    ) -> ServerSetting {
        ServerSetting(
            name: name, summary: summary, valueName: valueName, expectation: expectation ?? "a \(valueName)",
            isSwitch: false,
            read: { text, configuration in
                configuration[keyPath: place] = text.isEmpty ? nil : text
                return text.isEmpty || (accepts(text) && problem(text) == nil)
            }, problem: problem, text: { $0[keyPath: place] ?? "" })
    }

    static func addresses(_ name: String, _ place: Place<AddressRanges>, _ summary: String) -> ServerSetting {
        ServerSetting(
            name: name, summary: summary, valueName: "addresses",
            expectation: "addresses or ranges such as 127.0.0.1,10.0.0.0/8", isSwitch: false,
            read: { text, configuration in
                guard let ranges = AddressRanges(text) else { return false }
                configuration[keyPath: place] = ranges
                return true
            }, text: { $0[keyPath: place].description })
    }

    static func origins(_ name: String, _ place: Place<AllowedOrigins>, _ summary: String) -> ServerSetting {
        ServerSetting(
            name: name, summary: summary, valueName: "origins",
            expectation: """
                * or origins as browsers send them, such as https://app.example,capacitor://localhost: scheme://host or \
                scheme://host:port in lower case, with no path
                """, isSwitch: false,
            read: { text, configuration in
                guard let origins = AllowedOrigins(text) else { return false }
                configuration[keyPath: place] = origins
                return true
            }, text: { $0[keyPath: place].description })
    }

    static func links(_ name: String, _ place: Place<ModelLinks>, _ summary: String) -> ServerSetting {
        ServerSetting(
            name: name, summary: summary, valueName: "place",
            expectation: """
                server, store, or an address such as https://cdn.example/models/ to which the server appends the hash of a file
                """, isSwitch: false,
            read: { text, configuration in
                guard let links = ModelLinks(text) else { return false }
                configuration[keyPath: place] = links
                return true
            }, text: { $0[keyPath: place].text })
    }

    static func choice<Choice: RawRepresentable<String> & CaseIterable & Sendable>(
        _ name: String, _ place: Place<Choice>, _ summary: String
    ) -> ServerSetting {
        let names = Choice.allCases.map(\.rawValue)
        return ServerSetting(
            name: name, summary: summary, valueName: names.joined(separator: "|"),
            expectation: "one of \(names.joined(separator: ", "))", isSwitch: false,
            read: { text, configuration in
                guard let choice = Choice(rawValue: text) else { return false }
                configuration[keyPath: place] = choice
                return true
            }, text: { $0[keyPath: place].rawValue })
    }

    static func toggle(_ name: String, _ place: Place<Bool>, _ summary: String) -> ServerSetting {
        ServerSetting(
            name: name, summary: summary, valueName: "true|false", expectation: "true or false", isSwitch: true,
            read: { text, configuration in
                guard let value = Bool(text) else { return false }
                configuration[keyPath: place] = value
                return true
            }, text: { "\($0[keyPath: place])" })
    }

    /// Without the `.0` of whole numbers.
    private static func plain(_ number: Double) -> String {
        number == number.rounded() && abs(number) < 1e15 ? "\(Int64(number))" : "\(number)"
    }
}
