import Foundation

/// Finds unknown and duplicate keys in a template as it was sent. A JSON decoder drops both silently, and the next
/// version of the template would lack them.
package struct TemplateFieldCheck {
    /// Which keys a part of a template may have.
    private indirect enum Shape: Sendable {
        /// The content is not checked.
        case any
        case object([String: Shape])
        /// An object whose keys are names that users choose.
        case map(Shape)
        case list(Shape)
        /// An object with this member. The content of all others is not checked.
        case member(String, Shape)
    }

    private let bytes: [UInt8]
    private var index = 0
    private var path: [String] = []
    /// How many parts of the path are above the template.
    private let hiddenParts: Int

    /// - Parameter bytes: a body that was decoded as a `RemoteConfigTemplate`, with or without a byte order mark. Bytes
    ///   that are not JSON are not checked.
    /// - Throws: also for JSON that is not in UTF-8.
    package static func check(_ bytes: [UInt8]) throws(TemplateError) {
        var reader = TemplateFieldCheck(bytes: bytes)
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { reader.index = 3 }
        reader.skipBlanks()
        guard reader.byte == UInt8(ascii: "{"), !bytes.contains(0) else {
            throw reader.error(.malformed, "A template must be a JSON object in UTF-8.")
        }
        try reader.value(template)
    }

    /// Checks a template that is a member of an object. The paths of errors begin below the member.
    ///
    /// - Throws: the first error.
    package static func check(_ bytes: [UInt8], member: String) throws(TemplateError) {
        var reader = TemplateFieldCheck(bytes: bytes, hiddenParts: 1)
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { reader.index = 3 }
        guard !bytes.contains(0) else { throw reader.error(.malformed, "A template must be a JSON object in UTF-8.") }
        try reader.value(.member(member, template))
    }

    private init(bytes: [UInt8], hiddenParts: Int = 0) {
        self.bytes = bytes
        self.hiddenParts = hiddenParts
    }

    // MARK: What a template has

    private static let value = Shape.object([
        "value": .any, "useInAppDefault": .any, "personalizationValue": .object(["personalizationId": .any]),
        "rolloutValue": .object([
            "rolloutId": .any, "value": .any, "percent": .any,
            "microPercentRange": .object(["microPercentStart": .any, "microPercentEnd": .any]),
        ]),
        "experimentValue": .object([
            "experimentId": .any, "exposurePercent": .any,
            "variantValue": .list(.object(["variantId": .any, "value": .any, "noChange": .any])),
        ]),
    ])
    private static let parameters = Shape.map(
        .object([
            "defaultValue": value, "conditionalValues": .map(value), "description": .any, "valueType": .any,
        ]))
    private static let template = Shape.object([
        "conditions": .list(.object(["name": .any, "expression": .any, "tagColor": .any])),
        "parameters": parameters,
        "parameterGroups": .map(.object(["description": .any, "parameters": parameters])),
        // Set by the server, except for the description.
        "version": .any,
        // Tools store it together with the template.
        "etag": .any,
    ])

    // MARK: JSON

    private mutating func value(_ shape: Shape) throws(TemplateError) {
        skipBlanks()
        switch (shape, byte) {
        case (.object(let shapes), UInt8(ascii: "{")):
            try members { name in shapes[Self.camelCase(name)].map { ($0, Self.camelCase(name)) } }
        case (.map(let shape), UInt8(ascii: "{")): try members { (shape, $0) }
        case (.member(let known, let shape), UInt8(ascii: "{")): try members { ($0 == known ? shape : .any, $0) }
        case (.list(let shape), UInt8(ascii: "[")): try items(shape)
        default: skipValue()
        }
    }

    /// - Parameter known: the shape of a name's value, and the canonical form of the name; nil for an unknown name.
    private mutating func members(_ known: (String) -> (Shape, String)?) throws(TemplateError) {
        var names: Set<String> = []
        index += 1
        while true {
            skipBlanks()
            guard byte == UInt8(ascii: "\"") else { break }
            let name = name()
            path.append(name)
            guard let (shape, plain) = known(name) else {
                throw error(.unknownField, "A template has no field of this name here.")
            }
            guard names.insert(plain).inserted else {
                throw error(.duplicateKey, "Cannot have repeated items: this key appears twice.")
            }
            skipBlanks()
            index += 1
            try value(shape)
            path.removeLast()
            guard isNextItem() else { return }
        }
        index += 1
    }

    private mutating func items(_ shape: Shape) throws(TemplateError) {
        index += 1
        skipBlanks()
        if byte == UInt8(ascii: "]") { return index += 1 }
        var count = 0
        repeat {
            path.append("[\(count)]")
            try value(shape)
            path.removeLast()
            count += 1
        } while isNextItem()
    }

    /// Skips the comma or the end after an item.
    private mutating func isNextItem() -> Bool {
        skipBlanks()
        defer { index += 1 }
        return byte == UInt8(ascii: ",")
    }

    private mutating func name() -> String {
        let start = index
        skipText()
        let text = bytes[start..<min(index, bytes.count)]
        return (try? JSONDecoder().decode(String.self, from: Data(text))) ?? String(decoding: text, as: UTF8.self)
    }

    private mutating func skipText() {
        index += 1
        while let byte, byte != UInt8(ascii: "\"") { index += byte == UInt8(ascii: "\\") ? 2 : 1 }
        index += 1
    }

    /// Skips a value of any depth, without recursion.
    private mutating func skipValue() {
        var depth = 0
        while let byte {
            switch byte {
            case UInt8(ascii: "\""):
                skipText()
                continue
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                if depth == 0 { return }
                depth -= 1
            case UInt8(ascii: ","): if depth == 0 { return }
            default: break
            }
            index += 1
        }
    }

    private var byte: UInt8? { index < bytes.count ? bytes[index] : nil }

    private mutating func skipBlanks() {
        while let byte, byte == 0x20 || (0x09...0x0D).contains(byte) { index += 1 }
    }

    private func error(_ code: TemplateError.Code, _ message: String) -> TemplateError {
        let text = path.dropFirst(hiddenParts).reduce(into: "") { text, part in
            text += part.hasPrefix("[") || text.isEmpty ? part : ".\(part)"
        }
        let line = String(text.prefix(300).map { $0.isNewline ? " " : $0 })
        return TemplateError(code: code, path: line, message: message)
    }

    /// Google's API accepts `default_value` for `defaultValue`; underscores at the ends are part of the name.
    private static func camelCase(_ name: String) -> String {
        guard name.utf8.contains(UInt8(ascii: "_")), !name.hasPrefix("_"), !name.hasSuffix("_") else { return name }
        let words = name.split(separator: "_")
        return words.dropFirst().reduce(String(words.first ?? "")) { $0 + $1.prefix(1).uppercased() + $1.dropFirst() }
    }
}
