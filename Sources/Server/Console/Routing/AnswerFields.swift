import HearthHTTP

/// The header fields of every answer of the console, refusals included.
enum AnswerFields {
    /// Scripts and styles come from this server only, never from the page itself. Nothing may frame a page or receive its
    /// forms. `require-trusted-types-for` with no policy forbids scripts to make markup from text.
    static let policy = [
        "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self' blob:", "connect-src 'self'",
        "form-action 'self'", "base-uri 'none'", "frame-ancestors 'none'", "require-trusted-types-for 'script'",
        "trusted-types 'none'",
    ].joined(separator: "; ")

    static let all: HTTPHeaders = [
        "Content-Security-Policy": policy,
        "X-Frame-Options": "DENY",
        // Not no-referrer: with it, browsers send forms with the origin 'null'.
        "Referrer-Policy": "same-origin",
        "Cross-Origin-Opener-Policy": "same-origin",
        "Cross-Origin-Resource-Policy": "same-origin",
        "Permissions-Policy": "camera=(self), microphone=(), geolocation=(), payment=(), usb=()",
    ]

    /// The header fields of answers to calls of the API, which have fields of their own.
    static let ofCalls: HTTPHeaders = {
        var fields = all
        fields["Cache-Control"] = "private"
        return fields
    }()
}
