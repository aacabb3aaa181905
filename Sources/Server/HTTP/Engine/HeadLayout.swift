/// Where the parts of a request's head are in memory, which shows what is between them.
///
/// libmicrohttpd splits a head in place, so each part must follow the previous one directly: one blank between the
/// words of the first line, CR LF after each line. A zero byte, a bare LF, a folded line or a second blank moves the
/// following part. Proxies read such a head in more than one way, so it is refused.
struct HeadLayout {
    /// The address of the first byte, and the number of bytes.
    struct Part {
        let start: UInt
        let length: Int

        var end: UInt { start &+ UInt(bitPattern: length) }
    }

    private let start: UInt
    /// Where the next line must begin.
    private var next: UInt
    private var isPlain: Bool

    /// Adds the first line: `METHOD target version`.
    init(method: Part, target: Part, version: Part) {
        start = method.start
        isPlain = target.start == method.end &+ 1 && version.start == target.end &+ 1
        next = version.end &+ 2
    }

    /// Adds a field's line, in the order of the fields. The protocol allows blanks between colon and value; blanks
    /// after the value are part of the value here.
    mutating func add(name: Part, value: Part) {
        isPlain = isPlain && name.start == next && value.start > name.end
        next = value.end &+ 2
    }

    /// Whether the head consists of its parts only, given its size in bytes with the empty line at its end.
    func isPlain(headBytes: Int) -> Bool { isPlain && next &+ 2 == start &+ UInt(bitPattern: headBytes) }
}
