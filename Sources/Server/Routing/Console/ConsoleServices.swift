package import HearthHTTP

/// What a console needs of the server whose pages it makes.
package struct ConsoleServices: Sendable {
    /// Answers the calls of pages.
    package let calls: any RequestHandler
    /// Renders the refusals of calls that reach no route.
    package let errors: ErrorRenderer
    /// Signs browsers in.
    package let access: ConsoleAccess
    /// What the console keeps in the database; nil for a server that is alone, whose memory is enough.
    package let values: ConsoleValues?
    /// The address under which people and tools reach the server: scheme, host, and the path of its setting.
    package let address: @Sendable (RequestHead) -> String

    package init(_ context: RouteContext, _ access: ConsoleAccess, calls: any RequestHandler) {
        self.calls = calls
        self.access = access
        errors = HTTPFault.envelope
        values = ConsoleValues(context)
        address = { [services = context.services] in PublicAddress.adminBase($0, services) }
    }
}
