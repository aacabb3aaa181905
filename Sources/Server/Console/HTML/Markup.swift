/// A piece of HTML or SVG. It can only be made of elements and of text that is escaped, so no value can add markup.
struct Markup: Sendable, Hashable {
    private(set) var html: String

    fileprivate init(html: String) { self.html = html }

    static let empty = Markup(html: "")

    /// The text, escaped.
    static func text(_ text: String) -> Markup { Markup(html: escape(text)) }

    /// - Parameters:
    ///   - name: the element's name, from the program's own text.
    ///   - content: nil for an element without an end tag.
    static func element(_ name: StaticString, _ attributes: [Attribute], _ content: Markup?) -> Markup {
        var html = "<\(name)"
        for attribute in attributes { attribute.append(to: &html) }
        html += ">"
        if let content { html += "\(content.html)</\(name)>" }
        return Markup(html: html)
    }

    /// A whole document.
    static func document(_ root: Markup) -> Markup { Markup(html: "<!DOCTYPE html>\n" + root.html) }

    /// The pieces of a closure, in a row.
    static func joined(@MarkupBuilder _ content: () throws -> Markup) rethrows -> Markup { try content() }

    static func + (left: Markup, right: Markup) -> Markup { Markup(html: left.html + right.html) }

    var isEmpty: Bool { html.isEmpty }

    /// `text` with the characters escaped that mean something in content and in quoted attributes. Characters that XML
    /// and terminals take for commands become a replacement character.
    static func escape(_ text: String) -> String {
        var text = text
        return text.withUTF8 { bytes in
            guard bytes.contains(where: isSpecial) else { return String(decoding: bytes, as: UTF8.self) }
            var result: [UInt8] = []
            result.reserveCapacity(bytes.count + bytes.count / 8)
            for byte in bytes {
                switch byte {
                case UInt8(ascii: "&"): result += Array("&amp;".utf8)
                case UInt8(ascii: "<"): result += Array("&lt;".utf8)
                case UInt8(ascii: ">"): result += Array("&gt;".utf8)
                case UInt8(ascii: "\""): result += Array("&quot;".utf8)
                case UInt8(ascii: "'"): result += Array("&#39;".utf8)
                case 0x09, 0x0A, 0x0D, 0x20...0x7E, 0x80...: result.append(byte)
                default: result += Array("\u{FFFD}".utf8)
                }
            }
            return String(decoding: result, as: UTF8.self)
        }
    }

    private static func isSpecial(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "&"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\""), UInt8(ascii: "'"), 0x7F: true
        case 0x09, 0x0A, 0x0D: false
        default: byte < 0x20
        }
    }
}

/// An attribute of an element. Its value is escaped.
struct Attribute: Sendable, Hashable {
    private let html: String

    /// An attribute with a text. Addresses have types of their own (`href`, `action`, `source`), because a text could be
    /// a script.
    ///
    /// - Parameter value: nil for no attribute.
    init(_ name: StaticString, _ value: String?) {
        precondition(!Self.addresses.contains("\(name)"), "\(name) takes a Link")
        precondition(!"\(name)".hasPrefix("on") && "\(name)" != "style", "the page's policy forbids \(name)")
        html = value.map { " \(name)=\"\(Markup.escape($0))\"" } ?? ""
    }

    /// An attribute without a value, or none.
    init(_ name: StaticString, if isSet: Bool) { html = isSet ? " \(name)" : "" }

    fileprivate init(address name: StaticString, _ link: Link) {
        html = " \(name)=\"\(Markup.escape(link.text))\""
    }

    fileprivate func append(to html: inout String) { html += self.html }

    private static let addresses: Set<String> = [
        "href", "action", "formaction", "src", "srcset", "poster", "data", "xlink:href", "srcdoc", "background", "cite",
        "ping",
    ]
}

extension Attribute {
    static func href(_ link: Link) -> Attribute { Attribute(address: "href", link) }
    static func action(_ link: Link) -> Attribute { Attribute(address: "action", link) }
    static func source(_ link: Link) -> Attribute { Attribute(address: "src", link) }
    /// Where a script of the page asks.
    static func data(_ name: StaticString, _ link: Link) -> Attribute { Attribute(address: name, link) }
    static func id(_ value: String) -> Attribute { Attribute("id", value) }
    static func `class`(_ value: String) -> Attribute { Attribute("class", value) }
    static func name(_ value: String) -> Attribute { Attribute("name", value) }
    static func value(_ value: String) -> Attribute { Attribute("value", value) }
    static func type(_ value: StaticString) -> Attribute { Attribute("type", "\(value)") }
    static func label(_ value: String) -> Attribute { Attribute("aria-label", value) }
    static let required = Attribute("required", if: true)
}

/// Combines the pieces in a closure. Plain texts among them are escaped.
@resultBuilder
enum MarkupBuilder {
    static func buildExpression(_ markup: Markup) -> Markup { markup }
    static func buildExpression(_ text: String) -> Markup { .text(text) }
    static func buildExpression(_ markup: Markup?) -> Markup { markup ?? .empty }
    static func buildExpression(_ pieces: [Markup]) -> Markup { joined(pieces) }
    static func buildBlock(_ pieces: Markup...) -> Markup { joined(pieces) }
    static func buildOptional(_ markup: Markup?) -> Markup { markup ?? .empty }
    static func buildEither(first markup: Markup) -> Markup { markup }
    static func buildEither(second markup: Markup) -> Markup { markup }
    static func buildArray(_ pieces: [Markup]) -> Markup { joined(pieces) }

    private static func joined(_ pieces: [Markup]) -> Markup {
        guard pieces.count != 1 else { return pieces[0] }
        return Markup(html: pieces.map(\.html).joined())
    }
}
