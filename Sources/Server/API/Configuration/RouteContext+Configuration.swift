import HearthCompression
import HearthConfiguration
import HearthHTTP
import HearthWire

extension RouteContext {
    /// Tells the devices that wait that the project has a new template for them. Call it when that is committed; what
    /// nobody tells is found out within a minute.
    func templateChanged(project: String, number: Int64) { updates.announce(number, project: project) }

    /// Whether a body is compressed is told by its bytes, because clients' headers are not reliable.
    func inflated(_ bytes: [UInt8]) throws -> [UInt8] {
        guard bytes.starts(with: [0x1F, 0x8B]) else { return bytes }
        do {
            return try Inflate.gzip(bytes, limitBytes: services.limits.requestBodyBytes)
        } catch {
            throw APIError(.invalidArgument, "The body is damaged: it is no gzip, or too large.")
        }
    }
}
