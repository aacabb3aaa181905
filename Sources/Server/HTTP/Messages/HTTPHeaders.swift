/// Header fields in the order they were added. Names compare without regard to ASCII case; a name may repeat.
///
/// All fields are safe to send: control characters in a value (CR and LF among them) become spaces, and a field whose
/// name is not an RFC 9110 token is left out. So text from a caller can never add a field or end the header.
package struct HTTPHeaders: Sendable, Hashable, Sequence, ExpressibleByDictionaryLiteral {
    /// One field. Its name keeps the case it was given.
    package struct Field: Sendable, Hashable {
        package let name: String
        package let value: String
    }

    /// Where a field is in `text`.
    private struct Place: Hashable {
        var name: Range<Int>
        var value: Range<Int>
    }

    /// Names and values one after the other, each followed by a zero byte. Strings are made only on demand, because few
    /// fields of a request are ever read.
    private var text: [UInt8] = []
    private var places: [Place] = []

    package init() {}

    /// With capacity for that many fields, of that many bytes in all.
    init(capacity: Int, bytes: Int) {
        places.reserveCapacity(capacity)
        text.reserveCapacity(bytes)
    }

    package init(dictionaryLiteral elements: (String, String)...) {
        self.init(capacity: 8, bytes: 256)
        for (name, value) in elements { add(name, value) }
    }

    package var count: Int { places.count }

    package func makeIterator() -> IndexingIterator<[Field]> {
        places.map { Field(name: string($0.name), value: string($0.value)) }.makeIterator()
    }

    /// The first value of `name`. Setting replaces every field of that name; `nil` removes them.
    package subscript(name: String) -> String? {
        get { firstIndex(of: name).map { string(places[$0].value) } }
        set {
            if contains(name) { self = filtered { !isField($0, name) } }
            if let newValue { add(name, newValue) }
        }
    }

    /// All values of `name`, in order.
    package func values(_ name: String) -> [String] {
        places.filter { isField($0, name) }.map { string($0.value) }
    }

    /// Whether a field has that name.
    package func contains(_ name: String) -> Bool { firstIndex(of: name) != nil }

    /// How many fields have that name.
    func count(of name: String) -> Int { places.count { isField($0, name) } }

    /// Adds a field after those already there.
    package mutating func add(_ name: String, _ value: String) {
        var name = name
        var value = value
        name.withUTF8 { name in value.withUTF8 { value in _ = add(name: name, value: value) } }
    }

    /// Like `add(_:_:)`, from text of any encoding. `false` if the name is not a token, and the field is left out.
    mutating func add(name: UnsafeBufferPointer<UInt8>, value: UnsafeBufferPointer<UInt8>) -> Bool {
        guard HTTPToken.isValid(name) else { return false }
        let start = text.count
        text.append(contentsOf: name)
        text.append(0)
        let middle = text.count
        text.append(contentsOf: value)
        if Self.hasControls(value) {
            for index in middle..<text.count where Self.isControl(text[index]) { text[index] = 0x20 }
        }
        places.append(Place(name: start..<middle - 1, value: middle..<text.count))
        text.append(0)
        return true
    }

    /// These fields without the blanks at the ends of their values.
    var withoutTrailingBlanks: HTTPHeaders {
        guard places.contains(where: { trimmed($0.value) != $0.value }) else { return self }
        return text.withUnsafeBufferPointer { text in
            var result = HTTPHeaders()
            for place in places {
                _ = result.add(
                    name: UnsafeBufferPointer(rebasing: text[place.name]),
                    value: UnsafeBufferPointer(rebasing: text[trimmed(place.value)]))
            }
            return result
        }
    }

    /// Calls `body` with each field as C strings, which are valid during the call.
    func forEachCString(_ body: (_ name: UnsafePointer<CChar>, _ value: UnsafePointer<CChar>) -> Void) {
        text.withUnsafeBytes { bytes in
            guard let start = bytes.baseAddress?.assumingMemoryBound(to: CChar.self) else { return }
            for place in places { body(start + place.name.lowerBound, start + place.value.lowerBound) }
        }
    }

    /// The loop has no branch, so that the compiler can vectorize it.
    private static func hasControls(_ value: UnsafeBufferPointer<UInt8>) -> Bool {
        var found: UInt8 = 0
        for index in value.indices { found |= (value[index] < 0x20 ? 1 : 0) | (value[index] == 0x7F ? 1 : 0) }
        return found != 0
    }

    private static func isControl(_ byte: UInt8) -> Bool { byte < 0x20 || byte == 0x7F }

    private func string(_ range: Range<Int>) -> String {
        text.withUnsafeBufferPointer { String(decoding: UnsafeBufferPointer(rebasing: $0[range]), as: UTF8.self) }
    }

    private func firstIndex(of name: String) -> Int? {
        var name = name
        return name.withUTF8 { name in
            text.withUnsafeBufferPointer { text in places.indices.first { Self.isEqual(text[places[$0].name], name) } }
        }
    }

    private func isField(_ place: Place, _ name: String) -> Bool {
        var name = name
        return name.withUTF8 { name in text.withUnsafeBufferPointer { Self.isEqual($0[place.name], name) } }
    }

    /// Compares without regard to ASCII case. For most fields the length of the name decides.
    private static func isEqual(_ field: Slice<UnsafeBufferPointer<UInt8>>, _ name: UnsafeBufferPointer<UInt8>) -> Bool
    {
        guard field.count == name.count else { return false }
        let field = UnsafeBufferPointer(rebasing: field)
        return name.indices.allSatisfy { HTTPToken.lower(field[$0]) == HTTPToken.lower(name[$0]) }
    }

    private func filtered(_ isKept: (Place) -> Bool) -> HTTPHeaders {
        var result = HTTPHeaders()
        for place in places where isKept(place) { result.add(string(place.name), string(place.value)) }
        return result
    }

    private func trimmed(_ value: Range<Int>) -> Range<Int> {
        var end = value.upperBound
        while end > value.lowerBound, text[end - 1] == 0x20 || text[end - 1] == 0x09 { end -= 1 }
        return value.lowerBound..<end
    }
}
