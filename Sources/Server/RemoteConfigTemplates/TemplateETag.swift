/// The ETag with which callers name the version of a template that they read: `etag-{project number}-{version}`.
package enum TemplateETag {
    /// - Parameter version: 0 if there is no template yet.
    package static func tag(projectNumber: Int64, version: Int64) -> String { "etag-\(projectNumber)-\(version)" }

    /// The ETag of an answer to a validateOnly call.
    package static func validation(projectNumber: Int64) -> String { tag(projectNumber: projectNumber, version: 0) }

    /// Whether a caller that sends `shown` in `If-Match` may make a change: it names the present version, or any (`*`).
    package static func allows(_ shown: String, present: String) -> Bool { isForced(shown) || bare(shown) == present }

    package static func isForced(_ shown: String) -> Bool { bare(shown) == "*" }

    /// Some clients send it in quotes.
    private static func bare(_ tag: String) -> Substring {
        tag.hasPrefix("\"") && tag.hasSuffix("\"") && tag.utf8.count > 1 ? tag.dropFirst().dropLast() : tag[...]
    }
}
