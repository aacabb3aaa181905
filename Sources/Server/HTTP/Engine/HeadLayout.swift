/// Where the parts of a request's head lie in memory, which tells what stands between them.
///
/// libmicrohttpd cuts a head up where it has arrived, so each part must lie right behind the one before it: one blank
/// after the other words of the first line, CR LF behind each line. A zero byte, a bare LF, a folded line or a second
/// blank moves what follows. Proxies read such a head in more than one way, so it is refused.
struct HeadLayout {
    /// The first byte's address, and how many there are.
    struct Part {
        let start: UInt
        let length: Int

        var end: UInt { start &+ UInt(bitPattern: length) }
    }

    private let start: UInt
    /// Where the next line has to begin.
    private var next: UInt
    private var isPlain: Bool

    /// Of the first line: `METHOD target version`.
    init(method: Part, target: Part, version: Part) {
        start = method.start
        isPlain = target.start == method.end &+ 1 && version.start == target.end &+ 1
        next = version.end &+ 2
    }

    /// Of a field's line, in the order of the fields. Blanks between colon and value are the protocol's own, and those
    /// behind the value are part of it here.
    mutating func add(name: Part, value: Part) {
        isPlain = isPlain && name.start == next && value.start > name.end
        next = value.end &+ 2
    }

    /// Whether the head has nothing but its parts, when it has so many bytes with the empty line at its end.
    func isPlain(headBytes: Int) -> Bool { isPlain && next &+ 2 == start &+ UInt(bitPattern: headBytes) }
}
