import HearthHTTP

/// The project whose pages a browser saw last, for the menu of pages that belong to no project. The browser keeps it, so
/// every server knows it. It says nothing about rights: a page of a project checks them itself.
enum LastProject {
    private static let seconds = 365 * 86_400

    /// Nil without one, or with a text that is no project's id.
    static func id(in head: RequestHead, _ origin: WebOrigin) -> String? {
        SessionCookie.value("project", in: head, origin).flatMap { isID($0) ? $0 : nil }
    }

    /// The field that makes the browser keep it; nil for an id that a cookie cannot hold.
    static func field(_ project: String, _ origin: WebOrigin) -> String? {
        isID(project) ? SessionCookie.field("project", project, seconds: Int64(seconds), origin) : nil
    }

    private static func isID(_ text: String) -> Bool {
        (1...128).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte) || (0x41...0x5A).contains(byte)
                    || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
            }
    }
}
