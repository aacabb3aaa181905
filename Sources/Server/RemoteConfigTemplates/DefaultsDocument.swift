import Foundation
package import HearthWire

/// The defaults of a template as a document that apps contain: the values before the first fetch.
///
/// Parameters with the app's own default are left out.
package enum DefaultsDocument: String, Sendable, CaseIterable {
    case xml = "XML"
    case plist = "PLIST"
    case json = "JSON"

    package var contentType: String {
        switch self {
        case .xml, .plist: "application/xml; charset=utf-8"
        case .json: "application/json; charset=utf-8"
        }
    }

    package func text(_ template: RemoteConfigTemplate) -> String {
        let defaults = Self.defaults(of: template)
        switch self {
        case .xml: return Self.xml(defaults)
        case .plist: return Self.plist(defaults)
        case .json:
            // Encoding a dictionary of texts cannot fail.
            return (try? WireJSON.encode(Dictionary(uniqueKeysWithValues: defaults))).map {
                String(decoding: $0, as: UTF8.self)
            } ?? "{}"
        }
    }

    /// In the order of the keys.
    private static func defaults(of template: RemoteConfigTemplate) -> [(String, String)] {
        let groups = (template.parameterGroups ?? [:]).values.compactMap(\.parameters)
        var found: [String: String] = [:]
        for (key, parameter) in ([template.parameters ?? [:]] + groups).joined() {
            if case .text(let text) = parameter.defaultValue { found[key] = text }
        }
        return found.sorted { $0.key < $1.key }
    }

    private static func xml(_ defaults: [(String, String)]) -> String {
        let entries = defaults.map { key, value in
            "    <entry>\n        <key>\(escaped(key))</key>\n        <value>\(escaped(value))</value>\n    </entry>\n"
        }
        return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<defaultsMap>\n\(entries.joined())</defaultsMap>\n"
    }

    private static func plist(_ defaults: [(String, String)]) -> String {
        let entries = defaults.map { key, value in
            "    <key>\(escaped(key))</key>\n    <string>\(escaped(value))</string>\n"
        }
        return """
            <?xml version="1.0" encoding="UTF-8"?>
            <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
            <plist version="1.0">
            <dict>
            \(entries.joined())</dict>
            </plist>

            """
    }

    /// Leaves out the characters that XML 1.0 does not allow.
    private static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\r": result += "&#13;"
            case "\t", "\n": result.unicodeScalars.append(scalar)
            default:
                if scalar.value >= 0x20, scalar.value != 0xFFFE, scalar.value != 0xFFFF {
                    result.unicodeScalars.append(scalar)
                }
            }
        }
        return result
    }
}
