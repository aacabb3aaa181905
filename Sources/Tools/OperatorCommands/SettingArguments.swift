import Foundation
import Glibc
import HearthArguments
import HearthLocalCommands
import HearthServer

/// The settings of one section as command-line arguments, made from the table.
///
/// The parser finds a command's arguments by reflection and fills in their values by decoding. This group provides both from
/// `Section.settings`, so that each setting is declared in only one place.
struct SettingArguments<Section: SettingSection>: ParsableArguments, CustomReflectable {
    /// The texts of the settings, by name.
    private(set) var given: [String: String] = [:]

    private struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    init() {}

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Name.self)
        for setting in Section.settings {
            let name = Name(stringValue: setting.name)
            given[setting.name] =
                setting.isSwitch
                ? try values.decode(Flag<Bool?>.self, forKey: name).wrappedValue.map { "\($0)" }
                : try values.decode(Option<String?>.self, forKey: name).wrappedValue
        }
    }

    var customMirror: Mirror {
        // The compiler stores a wrapped property under this name.
        Mirror(self, children: Section.settings.map { ("_" + $0.name, Self.argument($0)) })
    }

    private static func argument(_ setting: ServerSetting) -> Any {
        let name = NameSpecification.customLong(setting.name)
        if setting.isSwitch {
            return Flag<Bool?>(name: name, inversion: .prefixedNo, help: ArgumentHelp(setting.summary))
        }
        return Option<String?>(
            name: name,
            help: ArgumentHelp("\(setting.summary) \(Self.note(setting))", valueName: setting.valueName))
    }

    private static func note(_ setting: ServerSetting) -> String {
        let range = setting.expectation.hasPrefix("a ") && setting.expectation.contains(" to ")
        let accepted = range ? String(setting.expectation.drop { !$0.isNumber }) : ""
        let initial = setting.defaultText.isEmpty ? "" : "default: \(setting.defaultText)"
        let notes = [accepted, initial].filter { !$0.isEmpty }.joined(separator: "; ")
        return notes.isEmpty ? "" : "(\(notes))"
    }
}
